import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { commitUpload, revertUpload, uploadDetail } from '../contract/uploads.ts';
import { E1, encode, settlementV2File, tsv } from './fixtures/build.ts';
import { manualStore, send, US } from './fixtures/upload.ts';

let world: World;
let owner: Person;

beforeAll(async () => {
  world = await createWorld();
  owner = await world.owner();
});
afterAll(() => world.close());

const ORDERS = 'GET_FLAT_FILE_ALL_ORDERS_DATA_BY_ORDER_DATE_GENERAL';
const HEADERS = ['amazon-order-id', 'purchase-date', 'last-updated-date', 'order-status', 'fulfillment-channel'].concat(
  ['sales-channel', 'sku', 'asin', 'item-status', 'quantity', 'currency', 'item-price'],
);

const order = (n: number, hour: number, other: Record<string, string> = {}): Record<string, string> => ({
  'amazon-order-id': `702-0000000-${String(n).padStart(7, '0')}`,
  'purchase-date': '2026-06-01T10:00:00+00:00',
  'last-updated-date': `2026-06-01T${hour}:00:00+00:00`,
  'order-status': 'Shipped',
  'fulfillment-channel': 'Amazon',
  'sales-channel': 'Amazon.com',
  sku: `KD-${n}`,
  asin: 'B000000001',
  'item-status': 'Shipped',
  quantity: '1',
  currency: 'USD',
  'item-price': '10.00',
  ...other,
});

async function check(authid: string, bytes: Uint8Array, type?: string): Promise<string> {
  const fields = { amazonauthid: `${US}-${authid}`, ...(type ? { requesttype: type } : {}) };
  const { data, msg } = await send(world, owner, bytes, fields);
  if (!data?.id) throw new Error(msg);
  return data.id;
}

async function bring(authid: string, bytes: Uint8Array, type?: string): Promise<string> {
  const id = await check(authid, bytes, type);
  await owner.call(commitUpload, { params: { id } });
  return id;
}

const orders = (rows: Record<string, string>[]) => encode(tsv(HEADERS, rows));
const detail = (id: string) => owner.call(uploadDetail, { params: { id } });
const revert = (id: string) => owner.call(revertUpload, { params: { id }, body: {} });

/** Facts and what is summed up of them, table by table; one line each. */
async function facts(authid: string): Promise<string[]> {
  const tables = ['"order".amazon_order', '"order".amazon_order_line', '"order".order_day', '"order".sold_sku'];
  return world.as(owner, async (ctx) => {
    const sums: string[] = [];
    for (const table of tables) {
      const { rows } = await sql<{ sum: string }>`
        SELECT count(*) || ':' || coalesce(sum(hashtextextended(t::text, 0)), 0) AS sum FROM ${sql.raw(table)} AS t
         WHERE company_id = ${ctx.companyId} AND account_id = ${authid}`.execute(ctx.db);
      sums.push(`${table} ${rows[0]?.sum}`);
    }
    return sums;
  });
}

test('an upload that is undone leaves everything as it was: new orders go, changed ones are what they were', async () => {
  const authid = await manualStore(owner, '撤销', US);
  await bring(authid, orders([order(1, 11), order(2, 11)]), ORDERS);
  const before = await facts(authid);
  const bytes = orders([order(1, 12, { quantity: '3', 'item-price': '30.00' }), order(2, 11), order(3, 12)]);
  const id = await check(authid, bytes, ORDERS);
  expect((await detail(id)).undoNote).toContain('入库后 30 天内可以撤销');
  await owner.call(commitUpload, { params: { id } });
  expect(await facts(authid)).not.toEqual(before);
  expect((await detail(id)).actions.map((action) => action.name)).toEqual(['revert']);
  await revert(id);
  expect(await facts(authid)).toEqual(before);
  const undone = await detail(id);
  expect(undone).toMatchObject({ state: 'reverted', actions: [] });
  expect(undone.undoNote).toMatch(/^已恢复 \d+ 行，0 行之后有更新而保留$/);
  expect((await owner.send(revertUpload, { params: { id }, body: {} })).status).toBe(409);
  // The same file may be brought again, and does again what it did.
  const again = await bring(authid, bytes, ORDERS);
  expect(await detail(again)).toMatchObject({ inserted: 1, updated: 1 });
});

test('what somebody told since stays, order by order', async () => {
  const authid = await manualStore(owner, '之后', US);
  const first = await bring(authid, orders([order(11, 11), order(12, 11)]), ORDERS);
  await bring(authid, orders([order(12, 13, { quantity: '5', 'item-price': '50.00' })]), ORDERS);
  await revert(first);
  const left = await world.as(owner, async (ctx) => {
    const { rows } = await sql<{ sku: string; quantity: number }>`
      SELECT seller_sku AS sku, quantity FROM "order".amazon_order_line
       WHERE company_id = ${ctx.companyId} AND account_id = ${authid}`.execute(ctx.db);
    return rows;
  });
  expect(left).toEqual([{ sku: 'KD-12', quantity: 5 }]);
  expect((await detail(first)).undoNote).toMatch(/，[1-9]\d* 行之后有更新而保留$/);
});

/** Money of the account that counts. */
async function money(authid: string): Promise<string | null> {
  return world.as(owner, async (ctx) => {
    const { rows } = await sql<{ sum: string | null }>`
      SELECT sum(l.amount) AS sum FROM settlement.money_line AS l JOIN settlement.source_doc AS d
        ON d.company_id = l.company_id AND d.id = l.source_doc_id AND d.state = 'ACTIVE'
       WHERE l.company_id = ${ctx.companyId} AND l.account_id = ${authid}`.execute(ctx.db);
    return rows[0]?.sum ?? null;
  });
}

test('a settlement ceases to count with all of its money, and may come again', async () => {
  const authid = await manualStore(owner, '结算', US);
  const bytes = encode(settlementV2File('10.79', E1));
  const id = await bring(authid, bytes);
  expect(Number(await money(authid))).toBe(10.79);
  await revert(id);
  expect(await money(authid)).toBeNull();
  expect((await detail(id)).undoNote).toBe('已恢复 14 行，0 行之后有更新而保留');
  expect((await detail(await bring(authid, bytes))).inserted).toBe(14);
  expect(Number(await money(authid))).toBe(10.79);
});

test('a stranger undoes nothing', async () => {
  const authid = await manualStore(owner, '别家', US);
  const id = await bring(authid, orders([order(21, 11)]), ORDERS);
  const stranger = await world.owner();
  expect((await stranger.send(revertUpload, { params: { id }, body: {} })).status).toBe(404);
  expect((await detail(id)).state).toBe('loaded');
});

test('every table that a report is loaded into can be put back, or says why it is not', async () => {
  const explained = {
    'inventory.aging_forecast': 'reckoned anew from the reports after an undo',
    'inventory.claim': 'found anew from the reports after an undo; what people did with one stays',
    'inventory.claim_policy': 'set by people, no facts of a report',
    'inventory.claim_reason': 'the same',
    'inventory.fact_day': 'written for reports that were asked for, never for an upload',
    'inventory.fee_audit': 'compared anew from the reports after an undo',
    'inventory.rate_card': 'set by people, no facts of a report',
    'listing.issue': 'told by the API, no facts of a report; the next reading tells again what stands',
    'listing.label_print': 'what came out of a printer stays told',
    'listing.offer_book': 'told by the marketplace and read from the API, no facts of a report',
    'listing.offer_book_past': 'the same',
    'listing.offer_change': 'wishes of people, no facts of a report',
    'listing.offer_seen_day': 'counted as offers are read, no facts of a report',
    'listing.price_change': 'says what was seen, and stays',
    'listing.price_lock': 'set by people, no facts of a report',
    'listing.price_request': 'wishes of people, no facts of a report',
    'listing.rank_day': 'read from the API, no facts of a report',
    'listing.setting': 'set by people, no facts of a report',
    'order.order_change': 'days to be counted anew, put down again after an undo',
    'order.order_day': 'sums, counted anew after an undo',
    'order.search_progress': 'how far a search by the API has come',
    'order.shipment': 'packages that people reported, no facts of a report',
    'order.solicitation': 'the same of requests for reviews',
    'report.order_metric': 'read from the API',
    'report.traffic_day': 'sums, made anew from the days after an undo',
    'report.traffic_dirty': 'the same',
    'report.traffic_month': 'the same',
    'report.traffic_run': 'the same',
    'settlement.event_group': 'read from the API, held against the books anew after an undo',
    'settlement.fee_total': 'sums, counted anew after an undo',
    'settlement.money_line': 'money is never deleted: an undo takes the lines back by the document',
    'settlement.settlement': 'the same',
    'settlement.source_doc': 'the same',
    'vat.entity': 'set by people, no facts of a report',
    'vat.rate': 'the same',
    'vat.registration': 'the same',
    'vat.series': 'numbers that were given out stay so',
    'vat.site': 'set by people, no facts of a report',
  };
  const rows = await world.as(owner, async (ctx) => {
    const found = await sql<{ name: string }>`
      SELECT format('%s.%s', n.nspname, c.relname) AS name
        FROM pg_class AS c JOIN pg_namespace AS n ON n.oid = c.relnamespace
       WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition
         AND n.nspname IN ('listing', 'inventory', 'order', 'report', 'settlement', 'vat')
         AND NOT EXISTS (SELECT FROM pg_trigger AS t WHERE t.tgrelid = c.oid AND t.tgname = 'upload_undo')
       ORDER BY name`.execute(ctx.db);
    return found.rows;
  });
  expect(rows.map(({ name }) => name)).toEqual(Object.keys(explained));
});
