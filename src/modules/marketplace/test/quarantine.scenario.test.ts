import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import {
  asideDetail,
  asideKinds,
  countAside,
  exportAside,
  ignoreAside,
  listAside,
  reopenAside,
  retryAside,
} from '../contract/quarantine.ts';
import { commitUpload } from '../contract/uploads.ts';
import { encode, tsv } from './fixtures/build.ts';
import { JP, manualStore, send, US } from './fixtures/upload.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const COLUMNS = ['amazon-order-id', 'purchase-date', 'last-updated-date', 'order-status', 'fulfillment-channel'];
const MORE = ['sales-channel', 'sku', 'asin', 'item-status', 'quantity', 'currency', 'item-price', 'product-name'];
const HEADERS = [...COLUMNS, ...MORE];
const TYPE = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';

const order = (n: number, other: Record<string, string> = {}): Record<string, string> => ({
  'amazon-order-id': `701-0000000-${String(n).padStart(7, '0')}`,
  'purchase-date': '2026-06-01T10:00:00+00:00',
  'last-updated-date': '2026-06-01T10:00:00+00:00',
  'order-status': 'Shipped',
  'fulfillment-channel': 'Amazon',
  'sales-channel': 'Amazon.com',
  sku: 'KD-1',
  asin: 'B000000001',
  'item-status': 'Shipped',
  quantity: '1',
  currency: 'USD',
  'item-price': '10.00',
  ...other,
});

/** Uploads and commits a file of orders; returns how the load went. */
async function bring(authid: string, rows: Record<string, string>[], site = US, bytes = encode(tsv(HEADERS, rows))) {
  const { data, msg } = await send(world, owner, bytes, { amazonauthid: `${site}-${authid}`, requesttype: TYPE });
  if (!data?.id) throw new Error(msg);
  return owner.call(commitUpload, { params: { id: data.id } });
}

async function orders(authid: string): Promise<{ id: string; quantity: number; title: string | null }[]> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<{ id: string; quantity: number; title: string | null }>`
      SELECT l.amazon_order_id AS id, l.quantity, s.title
        FROM "order".amazon_order_line AS l
        LEFT JOIN "order".sold_sku AS s USING (company_id, account_id, marketplace_id, seller_sku)
       WHERE l.company_id = ${ctx.companyId} AND l.account_id = ${authid} ORDER BY 1, 2`.execute(ctx.db);
    return rows;
  });
}

const aside = (authid: string, filter: object = {}) =>
  owner.call(listAside, { body: { filter: { authid: [authid], ...filter } } });
const cellsOf = async (id: string) => (await owner.call(asideDetail, { params: { id } })).cells;
const withCell = (cells: { header: string; value: string }[], header: string, value: string) =>
  cells.map((cell) => (cell.header === header ? value : cell.value));

describe('a line that cannot be read', () => {
  test('waits with its reason, place and text while the others load', async () => {
    const authid = await manualStore(owner, '坏行', US);
    const rows = [order(1), order(2, { quantity: 'drei' }), order(3, { 'order-status': 'Levitating' }), order(4)];
    expect(await bring(authid, rows)).toMatchObject({ state: 'loaded', inserted: 2 });
    const { records } = await aside(authid);
    expect(records.map((row) => [row.lineNo, row.state, row.reason]).toSorted()).toEqual([
      [3, 'open', expect.stringContaining('列 quantity：')],
      [4, 'open', '订单状态未知：Levitating'],
    ]);
    expect(records[0]?.preview).toContain('701-0000000');
    expect(await owner.call(asideKinds, {})).toEqual([{ value: TYPE, label: '历史订单' }]);
  });

  test('of a report about parcels to buyers waits without the buyer', async () => {
    const authid = await manualStore(owner, '发货', US);
    const row = {
      'amazon-order-id': '111-0000000-0000001',
      'shipment-id': 'D1',
      'shipment-item-id': 'I1',
      'shipment-date': '2026-06-01T10:00:00+00:00',
      'buyer-email': 'buyer@example.com',
      'buyer-name': 'Jane Roe',
      sku: 'KD-1',
      'quantity-shipped': 'two',
      'ship-postal-code': 'WA-98101',
      'fulfillment-center-id': 'ONT8',
    };
    const file = encode(tsv(Object.keys(row), [row, { ...row, 'shipment-item-id': 'I2', 'quantity-shipped': '1' }]));
    const requesttype = 'GET_AMAZON_FULFILLED_SHIPMENTS_DATA_GENERAL';
    const { data, msg } = await send(world, owner, file, { amazonauthid: `${US}-${authid}`, requesttype });
    if (!data?.id) throw new Error(msg);
    expect(await owner.call(commitUpload, { params: { id: data.id } })).toMatchObject({ inserted: 1 });
    const [line] = (await aside(authid)).records;
    const cells = Object.fromEntries((await cellsOf(line?.id ?? '')).map(({ header, value }) => [header, value]));
    expect(cells).toEqual({ ...row, 'buyer-email': '', 'buyer-name': '', 'ship-postal-code': '' });
    const right = withCell(await cellsOf(line?.id ?? ''), 'quantity-shipped', '2');
    const { state } = await owner.call(retryAside, { params: { id: line?.id ?? '' }, body: { cells: right } });
    expect(state).toBe('fixed');
  });

  test('is put right in place: the line lands, the rest stays, and it stays right when the file is read again', async () => {
    const authid = await manualStore(owner, '修正', US);
    await bring(authid, [
      order(11),
      order(12, { quantity: '2x', sku: 'KD-2', 'product-name': 'Cup "big", 10"' }),
      order(13),
    ]);
    const [row] = (await aside(authid)).records;
    const id = row?.id ?? '';
    const still = await owner.call(retryAside, {
      params: { id },
      body: { cells: withCell(await cellsOf(id), 'quantity', 'two') },
    });
    expect(still).toMatchObject({ state: 'open', reason: expect.stringContaining('quantity') });
    expect(await orders(authid)).toHaveLength(2);
    const done = await owner.call(retryAside, {
      params: { id },
      body: { cells: withCell(await cellsOf(id), 'quantity', '2') },
    });
    expect(done.state).toBe('fixed');
    expect(await orders(authid)).toEqual([
      expect.objectContaining({ id: order(11)['amazon-order-id'], quantity: 1 }),
      expect.objectContaining({ id: order(12)['amazon-order-id'], quantity: 2, title: 'Cup "big", 10"' }),
      expect.objectContaining({ id: order(13)['amazon-order-id'], quantity: 1 }),
    ]);
    expect((await owner.send(retryAside, { params: { id }, body: { cells: ['x'] } })).msg).toContain('已处理');
    const kept = await world.as(owner, async (ctx) => {
      const { rows } = await sql<{ before: unknown; after: unknown }>`
        SELECT before, after FROM kit.audit WHERE company_id = ${ctx.companyId} AND action = '修正隔离行'
         AND resource_id = ${id} ORDER BY at DESC LIMIT 1`.execute(ctx.db);
      return rows[0];
    });
    expect(kept).toEqual({ before: { quantity: '2x' }, after: { quantity: '2' } });
  });

  test('is written back in the charset of its file', async () => {
    const authid = await manualStore(owner, '日本', JP);
    const site = { 'sales-channel': 'Amazon.co.jp', currency: 'JPY', 'item-price': '1200', 'product-name': '茶碗' };
    const bytes = encode(
      tsv(HEADERS, [order(21, site), order(22, { ...site, sku: 'KD-2', quantity: '?' })], '\r\n'),
      'cp932',
    );
    await bring(authid, [], JP, bytes);
    const [row] = (await aside(authid)).records;
    const id = row?.id ?? '';
    const cells = withCell(await cellsOf(id), 'quantity', '3').map((cell) => (cell === '茶碗' ? '湯呑み' : cell));
    expect((await owner.call(retryAside, { params: { id }, body: { cells } })).state).toBe('fixed');
    expect((await orders(authid)).map((one) => [one.quantity, one.title])).toEqual([
      [1, '茶碗'],
      [3, '湯呑み'],
    ]);
  });

  test('keeps its whole order out, so that no order lands in parts', async () => {
    const authid = await manualStore(owner, '整单', US);
    await bring(authid, [order(31), order(32, { sku: 'A' }), order(32, { sku: 'B', 'item-price': 'zehn' })]);
    expect(await orders(authid)).toHaveLength(1);
    const [row] = (await aside(authid)).records;
    const id = row?.id ?? '';
    await owner.call(retryAside, {
      params: { id },
      body: { cells: withCell(await cellsOf(id), 'item-price', '10.00') },
    });
    expect(await orders(authid)).toHaveLength(3);
  });

  test('is ignored with a reason only, and comes back when somebody thinks better of it', async () => {
    const authid = await manualStore(owner, '忽略', US);
    await bring(authid, [order(41), order(42, { quantity: '-' })]);
    const ids = (await aside(authid)).records.map((row) => row.id);
    expect((await owner.send(ignoreAside, { body: { ids, reason: ' ' } })).status).toBe(400);
    expect(await owner.call(ignoreAside, { body: { ids, reason: '测试单' } })).toEqual({ count: 1 });
    expect((await aside(authid, { state: ['ignored'] })).records[0]).toMatchObject({
      note: '测试单',
      settledByName: '管理员',
    });
    expect((await owner.send(ignoreAside, { body: { ids, reason: '再次' } })).msg).toContain('都已处理');
    expect(await owner.call(reopenAside, { body: { ids } })).toEqual({ count: 1 });
    const counts = await owner.call(countAside, { body: { filter: { authid: [authid] } } });
    expect(counts).toEqual({ open: 1, all: 1 });
  });
});

test('a line with too few cells is set aside too; a file full of bad lines is refused', async () => {
  const authid = await manualStore(owner, '缺列', US);
  const text = `${tsv(HEADERS, [order(51)])}701-0000000-0000052\t2026-06-01\n${tsv(HEADERS, [order(53)]).split('\n')[1]}\n`;
  expect(await bring(authid, [], US, encode(text))).toMatchObject({ inserted: 2 });
  expect((await aside(authid)).records[0]?.reason).toContain('只有 2 列');
  const bad = Array.from({ length: 40 }, (_, n) => order(60 + n, { quantity: 'x' }));
  const sent = await send(world, owner, encode(tsv(HEADERS, bad)), {
    amazonauthid: `${US}-${authid}`,
    requesttype: TYPE,
  });
  expect(sent.msg).toContain('40 行无法读取');
});

test('the quarantine leaves as a file, and a stranger sees nothing of it', async () => {
  const file = await owner.send(exportAside, { body: { format: 'csv' } });
  expect(file.raw.toString('utf8')).toContain('Levitating');
  const stranger = await world.owner();
  expect((await stranger.call(listAside, { body: {} })).records).toEqual([]);
  const [row] = (await owner.call(listAside, { body: {} })).records;
  expect((await stranger.send(asideDetail, { params: { id: row?.id ?? '' } })).status).toBe(404);
});
