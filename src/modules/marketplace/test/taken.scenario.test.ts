import { createHash, randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { extensionsOf } from '#kit/server/extension.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { commitUpload, revertUpload } from '../contract/uploads.ts';
import { accountOf } from '../server/auth/accounts.ts';
import { type LandCounts, type ReportSource, reportLoaders } from '../server/streams.ts';
import { CA, manualStore, send, US } from './fixtures/upload.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const LEDGER = 'GET_LEDGER_DETAIL_VIEW_DATA';
const ORDERS = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
const LINES = 1200;
const text = (rows: readonly (readonly (string | number)[])[]) => rows.map((row) => `${row.join('\t')}\n`).join('');

const HEADER = ['Date', 'FNSKU', 'ASIN', 'MSKU', 'Title', 'Event Type', 'Reference ID', 'Quantity'].concat([
  'Fulfillment Center',
  'Disposition',
  'Reason',
  'Country',
  'Reconciled Quantity',
  'Unreconciled Quantity',
]);
/** Movements of six days of June from `first` on; `quantity` is that of each. */
const movements = (first: number, quantity: number | string, bad = '1') =>
  text([
    HEADER,
    ...Array.from({ length: LINES }, (_, n) => [
      `06/${String(first + (n % 6)).padStart(2, '0')}/2026`,
      ...['X1', 'B01', 'A', '', 'Receipts', `R${n}`, n === 7 && bad !== '1' ? bad : quantity],
      ...['ONT8', 'SELLABLE', '', 'US', n === 3 ? 5 : 0, 0],
    ]),
  ]);

/** The same six days as a period, asked for at a minute of July. */
const asked = (first: number, minute: number) => ({
  from: `2026-06-${String(first).padStart(2, '0')}T07:00:00.000Z`,
  to: `2026-06-${String(first + 6).padStart(2, '0')}T07:00:00.000Z`,
  at: `2026-07-01T00:${String(minute).padStart(2, '0')}:00.000Z`,
  wholeDays: true,
});

interface Loaded extends LandCounts {
  /** How often the file was opened. */
  opened: number;
}

async function load(authid: string, type: string, content: string, more: Partial<ReportSource> = {}): Promise<Loaded> {
  const bytes = Buffer.from(content);
  let opened = 0;
  const counts = await world.as(owner, async (ctx) => {
    const account = await accountOf(ctx.db, ctx.companyId, authid);
    const loader = extensionsOf(world.runtime.modules, reportLoaders).find((one) => one.reportTypes.includes(type));
    if (!account || !loader) throw new Error(type);
    return loader.load(ctx, {
      account,
      reportType: type,
      marketplaceIds: [US],
      open: async function* () {
        opened += 1;
        yield bytes;
      },
      charset: 'UTF-8',
      sha256: createHash('sha256').update(bytes).digest('hex'),
      documentId: randomUUID(),
      fileName: 'report.txt',
      ...more,
    });
  });
  return { ...counts, opened };
}

const ledger = (authid: string, content: string, period: ReportSource['asked'], more: Partial<ReportSource> = {}) =>
  load(authid, LEDGER, content, { asked: period, ...more });

/** Sum of the pieces that moved, and the number of movements. */
async function pieces(authid: string): Promise<string> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<{ told: string }>`
      SELECT concat(count(*), ' ', coalesce(sum(quantity), 0)) AS told FROM inventory.ledger_event
       WHERE company_id = ${ctx.companyId} AND account_id = ${authid}`.execute(ctx.db);
    return rows[0]?.told ?? '';
  });
}

test('the same file again is not even opened, and counts as asked for when it was', async () => {
  const authid = await manualStore(owner, '再来一次', US);
  const first = await ledger(authid, movements(1, 1), asked(1, 1));
  expect(first).toMatchObject({ rowsIn: LINES, inserted: LINES });
  expect(first.opened).toBeGreaterThan(0);
  const again = await ledger(authid, movements(1, 1), asked(1, 9));
  expect(again).toMatchObject({ opened: 0, rowsIn: LINES, inserted: 0, updated: 0, unchanged: LINES });
  // Asked for between the two: of what the second one said later it knows nothing.
  expect(await ledger(authid, movements(1, 2), asked(1, 5))).toMatchObject({ inserted: 0, updated: 0 });
  expect(await pieces(authid)).toBe(`${LINES} ${LINES}`);
  // That changed nothing, so that the first one is still good.
  expect((await ledger(authid, movements(1, 1), asked(1, 10))).opened).toBe(0);
});

test('after another file about some of the days the older one is read, and has the word that its time gives it', async () => {
  const authid = await manualStore(owner, '别的文件', US);
  await ledger(authid, movements(1, 1), asked(1, 1));
  await ledger(authid, movements(12, 1), asked(12, 2));
  expect((await ledger(authid, movements(1, 1), asked(1, 3))).opened, 'other days do not matter').toBe(0);
  await ledger(authid, movements(4, 3), asked(4, 4));
  const all = await pieces(authid);
  const before = await ledger(authid, movements(1, 1), asked(1, 3));
  expect(before.opened, 'asked for before the other one').toBeGreaterThan(0);
  expect(await pieces(authid)).toBe(all);
  const after = await ledger(authid, movements(1, 1), asked(1, 5));
  expect(after.opened, 'asked for after it').toBeGreaterThan(0);
  expect(after.inserted).toBe(LINES / 2);
});

test('what is not the same reading of the same bytes is read', async () => {
  const authid = await manualStore(owner, '不同读法', US, CA);
  const again = async (more: Partial<ReportSource> = {}, period = asked(1, 2)) =>
    (await ledger(authid, movements(1, 1), period, more)).opened;
  await ledger(authid, movements(1, 1), asked(1, 1));
  expect(await again()).toBe(0);
  expect(await again({ afresh: true }), 'a replay').toBeGreaterThan(0);
  expect(await again({ corrected: true }), 'lines put right').toBeGreaterThan(0);
  expect(await again({ charset: 'windows-1252' }), 'another charset').toBeGreaterThan(0);
  expect(await again({ asked: undefined }), 'an upload').toBeGreaterThan(0);
  expect(await again({}, { ...asked(1, 3), to: '2026-06-08T07:00:00.000Z' }), 'a longer period').toBeGreaterThan(0);
  await again({}, asked(1, 4));
  expect(await again({}, asked(1, 4))).toBe(0);
  await world.as(owner, (ctx) =>
    sql`UPDATE marketplace.taken_file SET terms = regexp_replace(terms, '[0-9a-f]{64}', repeat('0', 64))
         WHERE company_id = ${ctx.companyId} AND account_id = ${authid}`.execute(ctx.db),
  );
  expect(await again({}, asked(1, 4)), 'other code').toBeGreaterThan(0);
});

test('a file with a line put aside is read each time', async () => {
  const authid = await manualStore(owner, '隔离', US);
  const content = movements(1, 1, 'many');
  expect(await ledger(authid, content, asked(1, 1))).toMatchObject({ inserted: LINES - 1, quarantined: 1 });
  const again = await ledger(authid, content, asked(1, 2));
  expect(again).toMatchObject({ inserted: 0, unchanged: LINES - 1, quarantined: 1 });
  expect(again.opened).toBeGreaterThan(0);
});

async function bring(authid: string, content: string, type: string): Promise<string> {
  const fields = { amazonauthid: `${US}-${authid}`, requesttype: type };
  const { data, msg } = await send(world, owner, Buffer.from(content), fields);
  if (!data?.id) throw new Error(msg);
  await owner.call(commitUpload, { params: { id: data.id } });
  return data.id;
}

test('once an upload was undone that had brought its rows, the same file brings them back', async () => {
  const authid = await manualStore(owner, '撤销', US);
  // The same movements in another file: it brings the rows, the report finds them as it would have written them.
  const upload = await bring(authid, movements(1, 1).trimEnd(), LEDGER);
  expect(await ledger(authid, movements(1, 1), asked(1, 1))).toMatchObject({ inserted: 0, unchanged: LINES });
  await owner.call(revertUpload, { params: { id: upload }, body: {} });
  expect(await pieces(authid)).toBe('0 0');
  expect(await ledger(authid, movements(1, 1), asked(1, 2))).toMatchObject({ inserted: LINES });
  expect((await ledger(authid, movements(1, 1), asked(1, 3))).opened).toBe(0);
});

const ORDER_HEADER = [
  'amazon-order-id',
  'purchase-date',
  'last-updated-date',
  'order-status',
  'fulfillment-channel',
].concat(['sales-channel', 'sku', 'asin', 'item-status', 'quantity', 'currency', 'item-price']);
/** Orders of June, two lines each; `from` numbers the first, `sku` is what they sell, `hour` when they were last changed. */
const orders = (from: number, count: number, month: string, sku: string, hour = 11) =>
  text([
    ORDER_HEADER,
    ...Array.from({ length: count }, (_, n) => [
      `113-0000000-${String(from + Math.floor(n / 2)).padStart(7, '0')}`,
      `2026-${month}-${String(5 + (n % 20)).padStart(2, '0')}T10:00:00+00:00`,
      ...[
        `2026-${month}-28T${hour}:00:00+00:00`,
        'Shipped',
        'Amazon',
        'Amazon.com',
        `${sku}-${n % 2}`,
        'B01',
        'Shipped',
      ],
      ...[1, 'USD', '10.00'],
    ]),
  ]);

test('orders: the same report again is not opened until somebody tells something of its days', async () => {
  const authid = await manualStore(owner, '订单', US);
  const file = orders(1, LINES, '06', 'A');
  expect(await load(authid, ORDERS, file)).toMatchObject({ rowsIn: LINES, inserted: LINES / 2 });
  const again = await load(authid, ORDERS, file);
  expect(again).toMatchObject({ opened: 0, rowsIn: LINES, inserted: 0, updated: 0, unchanged: LINES / 2 });
  await load(authid, ORDERS, orders(5000, 4, '05', 'B'));
  expect((await load(authid, ORDERS, file)).opened, 'orders of other days').toBe(0);
  // One of its orders at the same time with another content: of two the one that comes later counts.
  expect(await load(authid, ORDERS, orders(1, 2, '06', 'C'))).toMatchObject({ updated: 1 });
  const back = await load(authid, ORDERS, file);
  expect(back.opened).toBeGreaterThan(0);
  expect(back.updated).toBe(1);
  expect((await load(authid, ORDERS, file, { afresh: true })).opened).toBeGreaterThan(0);
});

test('orders: an upload that is undone makes the report be read again', async () => {
  const authid = await manualStore(owner, '订单撤销', US);
  const file = orders(20_000, LINES, '06', 'A');
  await load(authid, ORDERS, file);
  const id = await bring(authid, orders(30_000, 2, '04', 'D'), ORDERS);
  expect((await load(authid, ORDERS, file)).opened).toBe(0);
  await owner.call(revertUpload, { params: { id }, body: {} });
  expect((await load(authid, ORDERS, file)).opened).toBeGreaterThan(0);
  expect((await load(authid, ORDERS, file)).opened).toBe(0);
});
