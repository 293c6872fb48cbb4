import { Writable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { pipeline } from 'node:stream/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import fc from 'fast-check';
import { readSheet } from 'read-excel-file/node';
import { describe, expect, test } from 'vitest';
import type { Column } from '#kit/contract/columns.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import { depth } from '#test/support/depth.ts';
import { sheetValue } from '../excel/write.ts';
import { exportStream } from '../list/export.ts';

const COLUMNS: Column[] = [
  { key: 'name', title: '名称', kind: 'text', nullable: false },
  { key: 'amount', title: '金额', kind: 'money', nullable: true, currency: 'USD' },
  { key: 'count', title: '数量', kind: 'integer', nullable: true },
  { key: 'at', title: '时间', kind: 'instant', nullable: true },
  { key: 'state', title: '状态', kind: 'state', nullable: false, states: { ok: { title: '正常', tone: 'done' } } },
  { key: 'product', title: '产品', kind: 'product', nullable: false },
];

const ROW = {
  name: '茶杯',
  amount: '-1281.6500',
  count: 12,
  at: '2026-07-15T10:20:30.000Z',
  state: 'ok',
  product: { name: '杯, "蓝"', code: 'CUP-1' },
};

async function* rowsOf(rows: readonly object[]) {
  yield* rows;
}

const file = (format: 'xlsx' | 'csv', rows: readonly object[], columns = COLUMNS) =>
  exportStream(rowsOf(rows), { format, sheet: '测试', columns });

describe('a workbook', () => {
  test('read back holds what the rows held', async () => {
    const [head, first, second] = await readSheet(
      await buffer(file('xlsx', [ROW, { ...ROW, amount: null, at: null }])),
    );
    expect(head).toEqual(['名称', '金额', '数量', '时间', '状态', '产品']);
    expect(first).toEqual(['茶杯', -1281.65, 12, new Date(ROW.at), '正常', 'CUP-1 杯, "蓝"']);
    expect(second?.[1]).toBeNull();
    expect(second?.[3]).toBeNull();
  });

  test('without rows still has its titles', async () => {
    expect(await readSheet(await buffer(file('xlsx', [])))).toEqual([COLUMNS.map((column) => column.title)]);
  });

  test('no amount loses or gains a digit', async () => {
    const amounts = fc.sample(
      fc.tuple(fc.bigInt({ min: -(10n ** 20n), max: 10n ** 20n }), fc.integer({ min: 0, max: 10 })),
      { numRuns: 300, seed: 5 },
    );
    const texts = [
      ...amounts.map(([units, scale]) => new Decimal(units.toString()).div(new Decimal(10).pow(scale)).toFixed(scale)),
      '0.1',
      '0.0000000001',
      '999999999999.9999',
      '123456789012345678.1234',
      '-0.005',
    ];
    const columns = COLUMNS.slice(1, 2);
    const [, ...rows] = await readSheet(
      await buffer(
        file(
          'xlsx',
          texts.map((amount) => ({ amount })),
          columns,
        ),
      ),
    );
    expect(rows).toHaveLength(texts.length);
    for (const [index, row] of rows.entries()) {
      const cell = String(row[0]).replace(/^'/, '');
      expect([index, new Decimal(cell).toFixed()]).toEqual([index, new Decimal(texts[index] ?? '').toFixed()]);
    }
  });

  test('text that a spreadsheet would run is kept as text', async () => {
    const evil = ['=1+1', '+1+1', '-1+1', '@SUM(A1)', '\t=1', '\r=1', '=HYPERLINK("http://x")'];
    const [, ...rows] = await readSheet(
      await buffer(
        file(
          'xlsx',
          evil.map((name) => ({ ...ROW, name })),
        ),
      ),
    );
    for (const row of rows) expect(String(row[0])).toMatch(/^'/);
    expect(sheetValue('-12.5', 'text')).toBe('-12.5');
    expect(sheetValue('A-1', 'text')).toBe('A-1');
    expect(sheetValue('-1281.65', 'money')).toBe(-1281.65);
  });
});

describe('a CSV file', () => {
  test('begins with the mark that makes spreadsheets read it as UTF-8, and quotes what needs it', async () => {
    const bytes = await buffer(file('csv', [ROW]));
    expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
    expect(bytes.toString('utf8').slice(1)).toBe(
      '名称,金额,数量,时间,状态,产品\r\n茶杯,-1281.6500,12,2026-07-15T10:20:30.000Z,正常,"CUP-1 杯, ""蓝"""\r\n',
    );
  });

  test('keeps every digit and disarms formulas', async () => {
    const csv = await text(file('csv', [{ ...ROW, name: '=cmd()', amount: '123456789012345678.1234' }]));
    expect(csv).toContain("'=cmd(),123456789012345678.1234,");
  });
});

test('a query that fails leaves no half-written file', async () => {
  const failing = (async function* (): AsyncGenerator<object> {
    if (Date.now() > 0) throw new Error('query failed');
    yield ROW;
  })();
  const chunks: Buffer[] = [];
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => {
      chunks.push(chunk);
      done();
    },
  });
  const stream = exportStream(failing, { format: 'xlsx', sheet: 'x', columns: COLUMNS });
  await expect(pipeline(stream, sink)).rejects.toThrow('query failed');
  expect(chunks).toEqual([]);
});

test('one that fails later breaks the download off instead of ending it as if whole', async () => {
  const failing = (async function* () {
    for (let i = 0; i < 5000; i += 1) yield ROW;
    throw new Error('server gone');
  })();
  await expect(buffer(exportStream(failing, { format: 'csv', sheet: 'x', columns: COLUMNS }))).rejects.toThrow(
    'server gone',
  );
});

describe('two hundred thousand rows', () => {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  const ROWS = depth(20_000, 200_000);
  const LIMIT = 60 * 1024 * 1024;
  /** The heap is looked at so often. */
  const LOOK = ROWS / 8;

  test.each(['xlsx', 'csv'] as const)('as %s pass through constant memory, and all arrive', async (format) => {
    collect();
    const before = process.memoryUsage().heapUsed;
    let most = 0;
    let looks = 0;
    let told = 0;
    let bytes = 0;
    const many = (async function* () {
      for (let i = 0; i < ROWS; i += 1) {
        if (i % LOOK === LOOK - 1) {
          looks += 1;
          collect();
          most = Math.max(most, process.memoryUsage().heapUsed - before);
        }
        yield { ...ROW, name: `行${i}`, amount: `${i}.25` };
      }
    })();
    const stream = exportStream(many, { format, sheet: '大', columns: COLUMNS }, async (count) => {
      told = count;
    });
    // A reader that pauses between chunks, as a browser on a slow line does.
    for await (const chunk of stream) {
      bytes += (chunk as Buffer).length;
      await new Promise((resolve) => setImmediate(resolve));
    }
    expect(told).toBe(ROWS);
    expect(bytes).toBeGreaterThan(ROWS * 10);
    expect(looks).toBe(8);
    expect(most).toBeLessThan(LIMIT);
  });
});
