import { gzipSync } from 'node:zlib';
import { Decimal } from 'decimal.js';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { SettlementLine } from '../server/files/index.ts';
import { businessDay, bytesSource, FileRefused, settlementV1, settlementV2 } from '../server/files/index.ts';
import type { Encoding, Leaf } from './fixtures/build.ts';
import { collect, E1, encode, pieces, refusal, settlementV2File, tsv, V1_NAMES, V2_NAMES } from './fixtures/build.ts';

const DE = 'A1PA6795UKMFR9';

async function readV2(bytes: Uint8Array, options = {}) {
  const reading = settlementV2.read(pieces(bytes, 4096), options);
  return { head: await reading.header, lines: await collect(reading.rows) };
}

/** 1234.5 -> "1.234,5". */
const german = (amount: string) => {
  const [whole = '', fraction] = amount.split('.');
  return whole.replace(/\B(?=(\d{3})+$)/g, '.') + (fraction ? `,${fraction}` : '');
};

const sumOf = (lines: readonly SettlementLine[]) =>
  lines.reduce((sum, line) => sum.plus(line.amount), new Decimal(0)).toFixed(2);

describe('settlement, form V2', () => {
  it('proves the worked example: 14 lines add up to 10.79', async () => {
    const { head, lines } = await readV2(encode(settlementV2File('10.79', E1)));
    expect(head).toMatchObject({ totalAmount: '10.79', lineSum: '10.79', currency: 'USD', detailRows: 14 });
    expect(lines).toHaveLength(14);
    expect(sumOf(lines)).toBe('10.79');
    expect(lines[0]).toMatchObject({
      lineNo: 3,
      part: 1,
      transactionType: 'Order',
      amountType: 'ItemPrice',
      amountDescription: 'Principal',
      amount: '49.98',
      orderId: '701-1111111-2222222',
      sku: 'KD-1',
      quantity: '2',
      postedAt: '2026-01-15T23:30:00.000Z',
    });
    expect(lines[1]?.quantity).toBeNull();
  });

  it('is refused one cent off, with the difference', async () => {
    for (const total of ['10.80', '10.78']) {
      const error = await refusal(readV2(encode(settlementV2File(total, E1))));
      expect(error.code).toBe('UNBALANCED');
      expect(error.reason).toBe('结算文件合计与总额不符，差额 0.01');
      expect(error.line).toBe(2);
    }
  });

  it('hands out no row of a file that does not balance, even when only the rows are asked for', async () => {
    const reading = settlementV2.read(bytesSource(encode(settlementV2File('10.80', E1))));
    const seen: unknown[] = [];
    const error = await refusal(
      (async () => {
        for await (const batch of reading.rows) seen.push(...batch);
      })(),
    );
    expect([error.code, seen.length]).toEqual(['UNBALANCED', 0]);
  });

  it('reads a German file: comma, dotted dates, and the business day of Berlin', async () => {
    const leaves: Leaf[] = [
      ['Order', 'ItemPrice', 'Principal', '1500.06'],
      ['Order', 'ItemFees', 'Commission', '-265.50'],
    ];
    const text = settlementV2File('1234.56', leaves, {
      currency: 'EUR',
      spell: german,
      time: '15.01.2026 23:30:00 UTC',
    });
    expect(text).toContain('1.234,56');
    const { head, lines } = await readV2(encode(text), { marketplaceId: DE });
    expect(head).toMatchObject({ totalAmount: '1234.56', decimal: 'comma', startAt: '2026-01-15T23:30:00.000Z' });
    expect(lines.map((line) => line.amount)).toEqual(['1500.06', '-265.50']);
    expect(businessDay(lines[0]?.postedAt ?? '', 'Europe/Berlin')).toBe('2026-01-16');
  });

  it('keeps the reading whose sum equals the total when the spelling proves nothing', async () => {
    const leaves: Leaf[] = [
      ['Order', 'ItemPrice', 'Principal', '1.234'],
      ['Order', 'ItemFees', 'Commission', '-234'],
    ];
    expect((await readV2(encode(settlementV2File('1000', leaves)))).head).toMatchObject({
      decimal: 'comma',
      totalAmount: '1000',
    });
    const yen: Leaf[] = [
      ['Order', 'ItemPrice', 'Principal', '1,234'],
      ['Order', 'ItemFees', 'Commission', '-1,000'],
    ];
    const { head, lines } = await readV2(encode(settlementV2File('234', yen, { currency: 'JPY' })));
    expect([head.totalAmount, head.lineSum, ...lines.map((line) => line.amount)]).toEqual([
      '234',
      '234',
      '1234',
      '-1000',
    ]);
  });

  it('is refused when two lines prove opposite decimal marks, and when an amount is no number', async () => {
    const mixed: Leaf[] = [
      ['Order', 'ItemPrice', 'Principal', '1,50'],
      ['Order', 'ItemFees', 'Commission', '-1.25'],
    ];
    const error = await refusal(readV2(encode(settlementV2File('0,25', mixed))));
    expect([error.code, error.line]).toEqual(['CONTRADICTION', 4]);
    const word: Leaf[] = [
      ['Order', 'ItemPrice', 'Principal', '1.50'],
      ['Order', 'ItemFees', 'Commission', 'n/a'],
    ];
    const wrong = await refusal(readV2(encode(settlementV2File('1.50', word))));
    expect([wrong.code, wrong.line, wrong.column, wrong.value]).toEqual(['NUMBER', 4, 'amount', 'n/a']);
    const cents: Leaf[] = [['Order', 'ItemPrice', 'Principal', '12.5']];
    expect((await refusal(readV2(encode(settlementV2File('12.5', cents, { currency: 'JPY' }))))).reason).toContain(
      '没有小数',
    );
  });

  it('finds the header record wherever it stands, but only once and of one settlement', async () => {
    const [columns = '', head = '', ...rest] = settlementV2File('10.79', E1).trimEnd().split('\n');
    const moved = [columns, ...rest.slice(0, 5), head, ...rest.slice(5)].join('\n');
    expect((await readV2(encode(`${moved}\n`))).lines).toHaveLength(14);
    expect((await refusal(readV2(encode(`${[columns, head, head, ...rest].join('\n')}\n`)))).code).toBe('MIXED');
    const other = await refusal(readV2(encode(`${[columns, head, ...rest].join('\n')}\n99999999999\tx\n`)));
    expect(other.code).toBe('MIXED');
    const foreign = rest[3]?.replace('12345678901', '99999999999') ?? '';
    const mixed = await refusal(readV2(encode(`${[columns, head, ...rest, foreign].join('\n')}\n`)));
    expect([mixed.code, mixed.line]).toEqual(['MIXED', 17]);
    expect((await refusal(readV2(encode(`${[columns, ...rest].join('\n')}\n`)))).reason).toContain('缺少汇总行');
  });

  it('reads a file whose blanks at the line ends an editor has trimmed', async () => {
    const text = settlementV2File('10.79', E1);
    const trimmed = text.replace(/\t+$/gm, '');
    expect(trimmed.length).toBeLessThan(text.length);
    expect((await readV2(encode(trimmed))).lines).toEqual((await readV2(encode(text))).lines);
    const short = await refusal(readV2(encode(`${text}12345678901\t\t\t\t\t\tOrder\n`)));
    expect([short.code, short.line]).toEqual(['ROW_WIDTH', 17]);
  });

  it('maps columns by name: any order, any spelling, unknown ones kept', async () => {
    const plain = await readV2(encode(settlementV2File('10.79', E1)));
    const shuffled = [...V2_NAMES].sort((a, b) =>
      a.split('').reverse().join('') < b.split('').reverse().join('') ? -1 : 1,
    );
    expect((await readV2(encode(settlementV2File('10.79', E1, { columns: shuffled })))).lines).toEqual(plain.lines);
    const text = settlementV2File('10.79', E1).replace(/^.*/, (line) => line.replaceAll('-', '_').toUpperCase());
    expect((await readV2(encode(text))).lines).toEqual(plain.lines);
    const more: Leaf[] = E1.map(([a, b, c, d, e]) => [a, b, c, d, { ...e, 'tax-model': a === 'Order' ? 'MF' : '' }]);
    const extra = await readV2(encode(settlementV2File('10.79', more, { columns: [...V2_NAMES, 'tax-model'] })));
    expect(extra.head.extraHeaders).toEqual(['tax-model']);
    expect(extra.head.warnings).toContain('报表新增列：tax-model');
    expect([extra.lines[0]?.extra, extra.lines[9]?.extra]).toEqual([{ 'tax-model': 'MF' }, undefined]);
  });

  it('names every missing column, and a doubled one', async () => {
    const columns = V2_NAMES.filter((name) => name !== 'amount' && name !== 'sku');
    const error = await refusal(readV2(encode(settlementV2File('10.79', E1, { columns }))));
    expect(error.code).toBe('COLUMNS');
    expect(error.message).toContain('缺少 amount、sku');
    const doubled = await refusal(readV2(encode(settlementV2File('10.79', E1, { columns: [...V2_NAMES, 'Amount'] }))));
    expect(doubled.message).toContain('表头列重复');
  });

  it('keeps quotes and blanks of a SKU as they are', async () => {
    const leaves: Leaf[] = [['Order', 'ItemPrice', 'Principal', '1.00', { sku: '"12"" pipe" ' }]];
    expect((await readV2(encode(settlementV2File('1.00', leaves)))).lines[0]?.sku).toBe('"12"" pipe" ');
  });

  it('gives back what was written: any charset, style, line end and packing', async () => {
    const cents = fc.integer({ min: -9_999_999, max: 9_999_999 });
    const setup = fc.record({
      amounts: fc.array(cents, { minLength: 1, maxLength: 40 }),
      encoding: fc.constantFrom<Encoding>('utf-8', 'utf-8-bom', 'windows-1252', 'cp932'),
      comma: fc.boolean(),
      eol: fc.constantFrom('\n', '\r\n'),
      packed: fc.boolean(),
      size: fc.integer({ min: 1, max: 5000 }),
    });
    await fc.assert(
      fc.asyncProperty(setup, async ({ amounts, encoding, comma, eol, packed, size }) => {
        const sku = encoding === 'cp932' ? '水筒①' : 'Größe-ß';
        const texts = amounts.map((value) => new Decimal(value).div(100).toFixed(2));
        const total = new Decimal(amounts.reduce((a, b) => a + b, 0)).div(100).toFixed(2);
        const leaves = texts.map((text): Leaf => ['Order', 'ItemPrice', 'Principal', text, { sku }]);
        const text = settlementV2File(total, leaves, { currency: 'EUR', eol, ...(comma ? { spell: german } : {}) });
        const bytes = encode(text, encoding);
        const source = pieces(packed ? gzipSync(bytes) : bytes, size);
        const marketplaceId = encoding === 'cp932' ? 'A1VC38T7YXB528' : DE;
        const reading = settlementV2.read(source, { marketplaceId });
        const lines = await collect(reading.rows);
        expect(lines.map((line) => [line.amount, line.sku])).toEqual(texts.map((value) => [value, sku]));
        expect((await reading.header).totalAmount).toBe(total);
      }),
      { numRuns: 60 },
    );
  });

  // In the worked example the last six lines add up to zero. A cut between two lines that takes only such a rest away
  // leaves a file that is a valid settlement by itself: no content can show it. Every other cut is refused.
  it('cut at any byte is refused, unless whole lines that add up to zero are gone', async () => {
    const bytes = encode(settlementV2File('10.79', E1));
    const whole = await readV2(bytes);
    const accepted: [lines: number, lineEnd: boolean][] = [];
    for (let cut = 0; cut < bytes.length; cut++) {
      const outcome = await readV2(bytes.subarray(0, cut)).catch((error: unknown) => error);
      if (outcome instanceof FileRefused) continue;
      const { head, lines } = outcome as typeof whole;
      expect(lines).toEqual(whole.lines.slice(0, lines.length));
      expect(sumOf(whole.lines.slice(lines.length))).toBe('0.00');
      const lineEnd = bytes[cut - 1] === 10;
      expect(head.warnings.length).toBe(lineEnd ? 0 : 1);
      accepted.push([lines.length, lineEnd]);
    }
    expect(accepted).toEqual([
      [8, false],
      [8, true],
      [14, false],
    ]);
  });

  it('damaged at any byte never crashes, and never changes the total unnoticed', async () => {
    const text = settlementV2File('10.79', E1);
    const where = fc.tuple(fc.integer({ min: 0, max: text.length - 1 }), fc.integer({ min: 0, max: 255 }));
    await fc.assert(
      fc.asyncProperty(where, async ([at, byte]) => {
        const bytes = encode(text);
        bytes[at] = byte;
        const outcome = await readV2(bytes, { marketplaceId: DE }).catch((error: unknown) => error);
        if (outcome instanceof FileRefused) return;
        const { head, lines } = outcome as Awaited<ReturnType<typeof readV2>>;
        expect(head.lineSum).toBe(head.totalAmount);
        expect(sumOf(lines)).toBe(new Decimal(head.totalAmount).toFixed(2));
      }),
      { numRuns: 400 },
    );
  });

  it('notices that the bytes changed between the two passes', async () => {
    const texts = [settlementV2File('10.79', E1), settlementV2File('10.79', E1.slice(0, 9))];
    let pass = 0;
    const reading = settlementV2.read(() => [encode(texts[pass++] ?? '')]);
    expect((await refusal(collect(reading.rows))).code).toBe('CHANGED');
  });
});

const head1 = {
  'settlement-id': '51',
  'settlement-start-date': '2025-07-31T22:07:18+00:00',
  'settlement-end-date': '2025-08-14T22:07:18+00:00',
  'deposit-date': '2025-08-16T22:07:18+00:00',
  'total-amount': '20.00',
  currency: 'CAD',
};
const item1 = {
  'settlement-id': '51',
  'transaction-type': 'Order',
  'order-id': '702-1-2',
  'posted-date': '2025-08-14T06:23:59+00:00',
  'order-item-code': '9062',
  sku: 'SKU-1',
};
const file1 = [
  head1,
  { ...item1, 'quantity-purchased': '3' },
  { ...item1, 'price-type': 'Principal', 'price-amount': '35.00' },
  { ...item1, 'item-related-fee-type': 'Commission', 'item-related-fee-amount': '-5.00' },
  {
    'settlement-id': '51',
    'transaction-type': 'ServiceFee',
    'posted-date': '2025-08-14T06:23:59+00:00',
    'item-related-fee-type': 'Cost of Advertising',
    'item-related-fee-amount': '-10.00',
    'other-fee-amount': '-1.30',
    'other-fee-reason-description': 'TaxAmount',
  },
  {
    'settlement-id': '51',
    'transaction-type': 'WAREHOUSE_DAMAGE',
    sku: 'SKU-1',
    'quantity-purchased': '1',
    'other-amount': '1.31    ',
  },
  { 'settlement-id': '51', 'transaction-type': 'Successful charge', 'other-amount': '-0.01' },
];

describe('settlement, form V1', () => {
  const read = async (columns: readonly string[], records: Record<string, string>[]) => {
    const reading = settlementV1.read(bytesSource(encode(tsv(columns, records))));
    return { head: await reading.header, lines: await collect(reading.rows) };
  };
  const meaning = (line: SettlementLine) => [
    line.transactionType,
    line.amountType,
    line.amountDescription,
    line.amount,
    line.quantity,
  ];

  it('becomes the lines of form V2, the quantity in its Principal line', async () => {
    const { head, lines } = await read(V1_NAMES, file1);
    expect(head).toMatchObject({ settlementId: '51', totalAmount: '20.00', lineSum: '20.00', detailRows: 6 });
    expect(lines.map(meaning)).toEqual([
      ['Order', 'ItemPrice', 'Principal', '35.00', '3'],
      ['Order', 'ItemFees', 'Commission', '-5.00', null],
      ['ServiceFee', 'Cost of Advertising', 'TransactionTotalAmount', '-10.00', null],
      ['ServiceFee', 'Cost of Advertising', 'TaxAmount', '-1.30', null],
      ['other-transaction', 'FBA Inventory Reimbursement', 'WAREHOUSE_DAMAGE', '1.31', '1'],
      ['other-transaction', 'other-transaction', 'Successful charge', '-0.01', null],
    ]);
    expect(lines.map((line) => [line.lineNo, line.part])).toEqual([
      [4, 1],
      [5, 1],
      [6, 1],
      [6, 2],
      [7, 1],
      [8, 1],
    ]);
  });

  it('reads a period without promotions: 33 columns', async () => {
    const columns = V1_NAMES.filter((name) => !name.startsWith('promotion'));
    expect(columns).toHaveLength(33);
    expect((await read(columns, file1)).lines).toEqual((await read(V1_NAMES, file1)).lines);
  });

  it('loses no piece when an item has a quantity but no Principal line', async () => {
    const records = [...file1, { ...item1, 'order-item-code': '9063', 'quantity-purchased': '2' }];
    const { lines } = await read(V1_NAMES, records);
    expect(meaning(lines.at(-1) as SettlementLine)).toEqual(['Order', '', '', '0', '2']);
    expect(lines.reduce((sum, line) => sum + Number(line.quantity ?? 0), 0)).toBe(6);
  });

  it('does not balance when one of several amounts of a line is off', async () => {
    const records = file1.map((record) =>
      'other-fee-amount' in record ? { ...record, 'other-fee-amount': '-1.31' } : record,
    );
    expect((await refusal(read(V1_NAMES, records))).reason).toBe('结算文件合计与总额不符，差额 0.01');
  });

  it('is not taken for form V2, nor the other way round', () => {
    expect([settlementV1.matches(V1_NAMES), settlementV2.matches(V2_NAMES)]).toEqual([1, 1]);
    expect(settlementV1.matches(V2_NAMES)).toBeLessThan(1);
    expect(settlementV2.missing(V1_NAMES)).toEqual(['amount-type', 'amount-description', 'amount']);
  });
});
