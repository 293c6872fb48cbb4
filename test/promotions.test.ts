import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { runReport } from '#modules/marketplace/server/reports/run.ts';
import { couponProducts, coupons, promotionProducts, promotions } from '#modules/report/contract/promotions.ts';
import type { SimOrderItem } from '#sandbox/business/types.ts';
import { connectStore, createMarketplaceWorld, type MarketplaceWorld } from '#test/support/marketplace.ts';
import { US } from '#test/support/seller.ts';
import type { Person } from '#test/support/world.ts';

const SELLER = 'A1SANDBOX0001';
const CA = 'A2EUQ1WTGCTBG2';
const COUPON = { plan: 'report.coupon', type: 'GET_COUPON_PERFORMANCE_REPORT' };
const PROMOTION = { plan: 'report.promotion', type: 'GET_PROMOTION_PERFORMANCE_REPORT' };
const FROM = '2026-05-01T07:00:00Z';

let world: MarketplaceWorld;
let owner: Person;
let accountId: string;
let admin: pg.Client;

beforeAll(async () => {
  world = await createMarketplaceWorld();
  owner = await world.owner();
  ({ accountId } = await connectStore(owner, SELLER));
  admin = new pg.Client(world.databaseUrl);
  await admin.connect();
  // Only reports are read here, without what the first synchronisation would find out.
  await admin.query(
    `INSERT INTO marketplace.seller_marketplace (company_id, account_id, marketplace_id)
     SELECT $1, $2, unnest($3::text[]) ON CONFLICT DO NOTHING`,
    [owner.companyId, accountId, [US, CA]],
  );
});
afterAll(async () => {
  await admin.end();
  await world.close();
});

/** Has a plan's report of a site made and read, as its window would; answers what became of the request. */
async function read({ plan, type }: typeof COUPON, site = US): Promise<{ status: string; error: string | null }> {
  const to = new Date(world.sandbox.clock.now() - 300_000);
  const { rows } = await admin.query<{ id: string }>(
    `INSERT INTO marketplace.report_request (company_id, account_id, plan, report_type, marketplace_ids, data_from, data_to)
     VALUES ($1, $2, $3, $4, ARRAY[$5], $6, $7)
     ON CONFLICT (company_id, account_id, report_type, marketplace_ids, data_from, data_to, subject) WHERE data_from IS NOT NULL
     DO UPDATE SET status = 'planned', generation = 1, attempts = 0, report_id = NULL, remote_document_id = NULL,
                   document_id = NULL, creating_since = NULL, creating_at = NULL
     RETURNING id`,
    [owner.companyId, accountId, plan, type, site, FROM, to],
  );
  const id = rows[0]?.id ?? '';
  const state = async () =>
    (await admin.query('SELECT status, error FROM marketplace.report_request WHERE id = $1', [id])).rows[0];
  for (let steps = 0; steps < 20; steps += 1) {
    await runReport(world.runtime, owner.companyId, id);
    const { status } = await state();
    if (['loaded', 'empty', 'failed'].includes(status)) break;
  }
  return state();
}

/** What the sandbox's buyers bought at a reduced price, by the beginning of the promotion's id. */
function bought(prefix: string, site = US): SimOrderItem[] {
  const account = world.sandbox.business.accounts.find(
    (one) => one.sellingPartnerId === SELLER && one.marketplaceIds.includes(site),
  );
  if (!account) throw new Error(`the sandbox does not know ${SELLER}`);
  const now = world.sandbox.clock.now();
  return world.sandbox.business
    .orders(account, { marketplaceIds: [site], by: 'created', from: Date.parse(FROM), to: now }, now)
    .flatMap((order) => order.items)
    .filter((item) => item.promotionIds.some((id) => id.startsWith(prefix)));
}

const sum = (amounts: readonly (string | null)[]): string =>
  Decimal.sum(0, ...amounts.map((amount) => amount ?? 0)).toFixed(2);
const usd = (totals: Record<string, string | number | null> | undefined, field: string): string =>
  sum([String(totals?.[field] ?? '0')]);

/** Which version of each row there is: another one after any write. */
const versions = async (table: string) => (await admin.query(`SELECT row_id, xmin FROM ${table} ORDER BY row_id`)).rows;

test('each coupon shows what buyers did with it, and all of them what was bought with coupons', async () => {
  expect(await read(COUPON)).toMatchObject({ status: 'loaded' });
  const { records, totals } = await owner.call(coupons.list, { body: { filter: {}, pagesize: 100 } });
  const items = bought('PLM-');
  expect(items.length).toBeGreaterThan(3);
  expect(totals).toMatchObject({ redemptions: items.length, currency: 'USD' });
  expect(usd(totals, 'totalDiscount')).toBe(sum(items.map(({ itemDiscount }) => itemDiscount)));
  expect(usd(totals, 'couponSales')).toBe(
    sum([...items.map(({ itemPrice }) => itemPrice), ...items.map(({ itemDiscount }) => `-${itemDiscount}`)]),
  );
  for (const row of records) {
    expect(row.redemptions).toBeLessThanOrEqual(row.clips);
    expect(Number(row.spent)).toBeLessThanOrEqual(Number(row.budget));
    expect(Number(row.used)).toBeCloseTo(Number(row.spent) / Number(row.budget), 3);
    expect(sum([row.spent, row.left])).toBe(sum([row.budget]));
  }
  const best = records.find(({ redemptions }) => redemptions > 0);
  expect(best).toMatchObject({ day: expect.stringMatching(/^2026-0[67]-01$/), state: 'ended', currency: 'USD' });
  expect(best?.name).toContain(`${Number(best?.percentOff) * 100}% off`);
  const products = await owner.call(couponProducts, { query: { id: best?.id ?? '', day: best?.day ?? '' } });
  expect(products).toHaveLength(best?.products ?? -1);
  expect(products[0]).toMatchObject({ units: null, productSales: null, currency: 'USD' });
});

test('coupons are found by product, name, beginning and state', async () => {
  const found = async (filter: object) => (await owner.call(coupons.list, { body: { filter } })).total;
  const all = await found({});
  const item = bought('PLM-')[0];
  const withIt = await found({ asin: item?.asin.toLowerCase() });
  expect(withIt).toBeGreaterThan(0);
  expect(await found({ asin: 'B000000000' })).toBe(0);
  expect(await found({ state: ['ended'] })).toBe(all);
  expect(await found({ state: ['running', 'upcoming'] })).toBe(0);
  const june = await found({ dates: { from: '2026-06-01', to: '2026-06-30' } });
  const july = await found({ dates: { from: '2026-07-01' } });
  expect([june > 0, july > 0, june + july]).toEqual([true, true, all]);
  expect(await found({ keyword: '20% off' })).toBeLessThan(all);
});

test('each deal shows what it sold, product by product; one that was called off sold nothing', async () => {
  expect(await read(PROMOTION)).toMatchObject({ status: 'loaded' });
  const { records, totals } = await owner.call(promotions.list, { body: { filter: {}, pagesize: 100 } });
  const items = bought('PAWS-');
  expect(items.length).toBeGreaterThan(3);
  expect(totals?.units).toBe(items.reduce((units, { quantityOrdered }) => units + quantityOrdered, 0));
  expect(usd(totals, 'promotionSales')).toBe(
    sum([...items.map(({ itemPrice }) => itemPrice), ...items.map(({ itemDiscount }) => `-${itemDiscount}`)]),
  );
  expect(new Set(records.map(({ kind }) => kind))).toEqual(new Set(['BEST_DEAL', 'LIGHTNING_DEAL']));
  const [cancelled] = (await owner.call(promotions.list, { body: { filter: { status: ['CANCELED'] } } })).records;
  expect(cancelled).toMatchObject({ kind: 'LIGHTNING_DEAL', units: 0 });
  const [best] = (await owner.call(promotions.list, { body: { filter: {}, sort: 'units', order: 'desc' } })).records;
  const products = await owner.call(promotionProducts, { query: { id: best?.id ?? '', day: best?.day ?? '' } });
  expect(products.reduce((units, one) => units + (one.units ?? 0), 0)).toBe(best?.units);
  expect(products.reduce((views, one) => views + (one.views ?? 0), 0)).toBe(best?.views);
  expect(sum(products.map(({ productSales }) => productSales))).toBe(sum([best?.promotionSales ?? null]));
});

test('the same again writes nothing', async () => {
  const before = [await versions('report.coupon'), await versions('report.promotion')];
  expect(await read(COUPON)).toMatchObject({ status: 'loaded' });
  expect(await read(PROMOTION)).toMatchObject({ status: 'loaded' });
  expect([await versions('report.coupon'), await versions('report.promotion')]).toEqual(before);
});

test('amounts of two currencies are not added up', async () => {
  expect(await read(COUPON, CA)).toMatchObject({ status: 'loaded' });
  const { totals } = await owner.call(coupons.list, { body: { filter: {} } });
  expect(totals).toMatchObject({ couponSales: null, mixed: 2 });
  expect(usd(totals, 'totalDiscount.USD')).toBe(sum(bought('PLM-').map(({ itemDiscount }) => itemDiscount)));
  expect(usd(totals, 'totalDiscount.CAD')).toBe(sum(bought('PLM-', CA).map(({ itemDiscount }) => itemDiscount)));
  expect(totals?.redemptions).toBe(bought('PLM-').length + bought('PLM-', CA).length);
});

test('without the role for coupons their plan stops, that of promotions goes on', async () => {
  for (const { plan } of [COUPON, PROMOTION]) {
    const cursor = 'INSERT INTO marketplace.sync_cursor (company_id, account_id, stream) VALUES ($1, $2, $3)';
    await admin.query(`${cursor} ON CONFLICT DO NOTHING`, [owner.companyId, accountId, plan]);
  }
  world.sandbox.world.faults.add({ kind: 'roleRemoved', operation: 'createReport', count: 1 });
  expect(await read(COUPON)).toMatchObject({ status: 'failed', error: expect.stringContaining('缺少权限角色') });
  expect(await read(PROMOTION)).toMatchObject({ status: 'loaded' });
  const { rows } = await admin.query(
    "SELECT stream, state FROM marketplace.sync_cursor WHERE stream IN ('report.coupon', 'report.promotion') ORDER BY 1",
  );
  expect(rows).toEqual([
    { stream: 'report.coupon', state: 'blocked_role' },
    { stream: 'report.promotion', state: 'ready' },
  ]);
});

test('two days later what runs has moved; what is over is not written again, though Amazon made its report anew', async () => {
  const over = async (table: string) =>
    (await admin.query(`SELECT row_id, xmin FROM ${table} WHERE end_at < '2026-07-01T08:00:00Z' ORDER BY row_id`)).rows;
  const clips = async () => {
    const filter = { dates: { from: '2026-07-01' }, sites: [`${US}-${accountId}`] };
    return Number((await owner.call(coupons.list, { body: { filter } })).totals?.clips);
  };
  const before = [await over('report.coupon'), await over('report.promotion'), await clips()] as const;
  expect(Math.min(before[0].length, before[1].length)).toBeGreaterThan(0);
  const body = JSON.stringify({ advanceMs: 2 * 86_400_000 });
  const headers = { 'content-type': 'application/json' };
  expect((await fetch(`${world.sandbox.url}/control/clock`, { method: 'POST', body, headers })).status).toBe(200);
  expect(await read(COUPON)).toMatchObject({ status: 'loaded' });
  expect(await read(PROMOTION)).toMatchObject({ status: 'loaded' });
  expect([await over('report.coupon'), await over('report.promotion')]).toEqual(before.slice(0, 2));
  expect(await clips()).toBeGreaterThan(before[2]);
});
