import ExcelJS from '@protobi/exceljs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { MappedOrderLine } from '../server/files/index.ts';
import { bytesSource, FileRefused, readMapped, readTable, sniff, suggestMapping } from '../server/files/index.ts';
import { collect, encode, pieces, refusal } from './fixtures/build.ts';

const csv = (rows: string[][]) => encode(rows.map((row) => `${row.join(',')}\r\n`).join(''));

async function mapped(bytes: Uint8Array, options: Partial<Parameters<typeof readMapped>[1]> = {}) {
  const { headers } = await readTable(bytesSource(bytes), options);
  const reading = await readMapped(pieces(bytes, 1000), {
    mapping: suggestMapping(headers),
    defaultCurrency: 'INR',
    ...options,
  });
  const lines: MappedOrderLine[] = [];
  for await (const batch of reading.rows()) lines.push(...batch.lines);
  return { facts: reading.facts, lines };
}

async function workbook(rows: unknown[][], more: unknown[][] = []): Promise<Buffer> {
  const book = new ExcelJS.Workbook();
  book.addWorksheet('orders').addRows(rows);
  if (more.length > 0) book.addWorksheet('notes').addRows(more);
  return Buffer.from(await book.xlsx.writeBuffer());
}

describe('column mapping', () => {
  it('is proposed from English and Chinese headers, in any spelling', () => {
    expect(
      suggestMapping([
        'index',
        'Order_ID',
        'Date',
        'Status',
        'Sales Channel ',
        'SKU',
        'ASIN',
        'Qty',
        'currency',
        'Amount',
        'ship-state',
        'ship_postal_code',
        'ship-country',
      ]),
    ).toEqual({
      orderNumber: 'Order_ID',
      date: 'Date',
      status: 'Status',
      channel: 'Sales Channel ',
      sku: 'SKU',
      asin: 'ASIN',
      quantity: 'Qty',
      currency: 'currency',
      amount: 'Amount',
      state: 'ship-state',
      postalCode: 'ship_postal_code',
      country: 'ship-country',
    });
    expect(suggestMapping(['订单编号', '下单时间', '数量', '订单金额', '币种', '国家/地区', '邮编', '备注'])).toEqual({
      orderNumber: '订单编号',
      date: '下单时间',
      quantity: '数量',
      amount: '订单金额',
      currency: '币种',
      country: '国家/地区',
      postalCode: '邮编',
    });
    expect(suggestMapping(['foo', 'bar'])).toEqual({});
  });

  it('gives no column to two fields', () => {
    const headers = fc.array(
      fc.constantFrom(
        'Order ID',
        'Date',
        'SKU',
        '商品编码',
        'Qty',
        'Amount',
        'Price',
        'Status',
        'State',
        'Country',
        'x',
      ),
      { maxLength: 12 },
    );
    fc.assert(
      fc.property(headers, (list) => {
        const columns = Object.values(suggestMapping(list));
        expect(list).toEqual(expect.arrayContaining(columns));
        expect(columns.length).toBeLessThanOrEqual(list.length);
        expect(new Set(columns).size).toBe(columns.length);
      }),
    );
  });

  it('must name the fields without which a line is none, and columns that exist', async () => {
    const bytes = csv([
      ['Order ID', 'Date', 'Qty'],
      ['1', '2026-01-02', '1'],
    ]);
    const missing = await refusal(readMapped(bytesSource(bytes), { mapping: { date: 'Date' } }));
    expect(missing.message).toContain('订单号、数量');
    const absent = await refusal(
      readMapped(bytesSource(bytes), { mapping: { orderNumber: 'No', date: 'Date', quantity: 'Qty' } }),
    );
    expect(absent.message).toContain('缺少 No');
  });
});

describe('order lists', () => {
  const header = ['Order ID', 'Date', 'SKU', 'Qty', 'Amount', 'Currency'];

  it('with two date spellings in one column are read by the evidence of the column', async () => {
    const { facts, lines } = await mapped(
      csv([
        header,
        ['A1', '04-30-22', 'S', '1', '647.62', 'INR'],
        ['A2', '04-01-2022', 'S', '2', '406', 'INR'],
        ['A3', '05-02-22', 'S', '0', '', ''],
      ]),
      { timeZone: 'Asia/Kolkata' },
    );
    expect(lines.map((line) => line.orderedDay)).toEqual(['2022-04-30', '2022-04-01', '2022-05-02']);
    expect(lines[0]?.orderedAt).toBe('2022-04-29T18:30:00.000Z');
    expect(facts).toMatchObject({
      dayOrder: 'month-first',
      units: '3',
      amounts: [{ currency: 'INR', lines: 2, amount: '1053.62' }],
      firstDay: '2022-04-01',
      lastDay: '2022-05-02',
      errorCount: 0,
    });
    expect(lines[2]?.amount).toBeNull();
  });

  it('are refused when the column contradicts itself, or proves nothing and nobody said', async () => {
    const list = (...dates: string[]) => csv([header, ...dates.map((date) => ['A', date, 'S', '1', '1.00', 'INR'])]);
    const both = await refusal(mapped(list('30-04-2022', '04-30-2022')));
    expect([both.code, both.line]).toEqual(['CONTRADICTION', 3]);
    expect((await refusal(mapped(list('03-04-2022')))).code).toBe('UNDECIDABLE');
    expect((await mapped(list('03-04-2022'), { dayOrder: 'day-first' })).lines[0]?.orderedDay).toBe('2022-04-03');
  });

  it('put bad lines aside with a Chinese reason and read the others', async () => {
    const { facts, lines } = await mapped(
      csv([
        header,
        ['A1', '2026-01-02', 'S', '1', '1.00', 'INR'],
        ['', '2026-01-02', 'S', '1', '1.00', 'INR'],
        ['A3', '2026-02-30', 'S', '1', '1.00', 'INR'],
        ['A4', '2026-01-02', 'S', '1.5', '1.00', 'INR'],
        ['A5', '2026-01-02', 'S', '1', 'free', 'INR'],
        ['A6', '2026-01-02', 'S', '1', '1.00', 'Rupee'],
      ]),
    );
    expect(lines.map((line) => line.orderNumber)).toEqual(['A1']);
    expect(facts.errorCount).toBe(5);
    expect(facts.errors.map((error) => error.message)).toEqual([
      '第 3 行，列 Order ID：订单号为空',
      '第 4 行，列 Date：“2026-02-30”不是有效的日期',
      '第 5 行，列 Qty：“1.5”不是有效的数量',
      '第 6 行，列 Amount：“free”不是有效的金额',
      '第 7 行，列 Currency：币种“RUPEE”无效',
    ]);
  });

  it('with semicolons, decimal commas and currency signs are read too', async () => {
    const text = 'Bestellnummer;Datum;Menge;Betrag\n1;15.01.2026;2;1.234,50 €\n2;16.01.2026;1;€ 12,00\n';
    const { facts, lines } = await mapped(encode(text, 'windows-1252'), {
      marketplaceId: 'A1PA6795UKMFR9',
      defaultCurrency: 'EUR',
    });
    expect(lines.map((line) => [line.orderedAt, line.amount])).toEqual([
      ['2026-01-14T23:00:00.000Z', '1234.50'],
      ['2026-01-15T23:00:00.000Z', '12.00'],
    ]);
    expect(facts.amounts).toEqual([{ currency: 'EUR', lines: 2, amount: '1246.50' }]);
  });
});

describe('workbooks', () => {
  const rows = [
    ['订单号', '日期', '数量', '金额', '币种'],
    ['A1', new Date('2026-01-15T00:00:00Z'), 2, 0.1 + 0.2, 'USD'],
    [null, null, null, null, null],
    ['A2', '2026-01-16 08:30:00', 1, '1.234,50', 'USD'],
    ['A3', new Date('2026-01-17T12:00:00Z'), 3, 31.35, 'USD'],
  ];

  it('give dates without a zone, exact numbers and real row numbers', async () => {
    const { facts, lines } = await mapped(await workbook(rows), { defaultCurrency: 'USD' });
    expect(facts.format).toBe('xlsx');
    expect(lines.map((line) => [line.lineNo, line.orderNumber, line.orderedDay, line.quantity, line.amount])).toEqual([
      [2, 'A1', '2026-01-15', '2', '0.3'],
      [4, 'A2', '2026-01-16', '1', '1234.50'],
      [5, 'A3', '2026-01-17', '3', '31.35'],
    ]);
    expect(lines[2]?.orderedAt).toBe('2026-01-17T12:00:00.000Z');
  });

  it('say that only the first sheet is read', async () => {
    expect((await readTable(bytesSource(await workbook(rows, [['x']])))).warnings.join()).toContain('2 个工作表');
  });

  it('give the same lines as the CSV of the same list', async () => {
    const line = fc.record({
      id: fc.stringMatching(/^[A-Z]{2}\d{3}$/),
      day: fc.integer({ min: 13, max: 28 }),
      pieces: fc.nat(99),
      cents: fc.nat(9_999_999),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(line, { minLength: 1, maxLength: 8 }), async (list) => {
        const head = ['Order ID', 'Date', 'Qty', 'Amount'];
        const text = csv([
          head,
          ...list.map((one) => [one.id, `2026-03-${one.day}`, String(one.pieces), (one.cents / 100).toFixed(2)]),
        ]);
        const book = await workbook([
          head,
          ...list.map((one) => [one.id, new Date(Date.UTC(2026, 2, one.day)), one.pieces, one.cents / 100]),
        ]);
        const [a, b] = [await mapped(text), await mapped(book)];
        const plain = (lines: MappedOrderLine[]) =>
          lines.map((one) => ({ ...one, amount: Number(one.amount).toFixed(2) }));
        expect(plain(b.lines)).toEqual(plain(a.lines));
        expect(b.facts.units).toBe(a.facts.units);
      }),
      { numRuns: 25 },
    );
  });

  it('cut or damaged anywhere are refused', async () => {
    const bytes = await workbook(rows);
    for (let cut = 4; cut < bytes.length; cut += 101) {
      expect((await refusal(readTable(bytesSource(bytes.subarray(0, cut))))).code).toBe('DAMAGED');
    }
    let refused = 0;
    for (let at = 30; at < bytes.length - 30; at += 37) {
      const broken = Buffer.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ 0x55;
      const outcome = await readTable(bytesSource(broken))
        .then((table) => collect(table.rows()))
        .catch((error: unknown) => error);
      if (outcome instanceof FileRefused) refused++;
      else expect(outcome).toEqual(await collect((await readTable(bytesSource(bytes))).rows()));
    }
    expect(refused).toBeGreaterThan(50);
  });

  it('are recognised as a table, and other ZIP files refused', async () => {
    expect(await sniff(await workbook(rows))).toMatchObject({ kind: 'table', format: 'xlsx' });
    const empty = Buffer.from('504b0506000000000000000000000000000000000000', 'hex');
    expect((await refusal(readTable(bytesSource(empty)))).code).toBe('DAMAGED');
  });
});
