import { countMcf, listMcf } from '#modules/fulfillment/contract/orders.ts';
import { median, report, step } from './support/measure.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const ROUNDS = 30;
const US = 'ATVPDKIKX0DER';

async function timesOf(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    const begin = performance.now();
    await work();
    if (round >= ROUNDS / 4) times.push(performance.now() - begin);
  }
  return median(times);
}

const SHOWN = `id, number, state, units, platform, order_no, account_id, marketplace_id, speed, country, region, postal_prefix,
  estimated_arrival_at, package_count, tracking_number, fee, currency, ordered_at, lead_sku`;

/** A page of one view with its number, by hand. */
const PAGE = `
  WITH c AS (SELECT count(*) AS n FROM (SELECT FROM fulfillment.mcf_order WHERE company_id = $1 AND state = ANY ($2) LIMIT 10001) AS x)
  SELECT c.n, o.*, p.name, p.image
    FROM c, (SELECT ${SHOWN} FROM fulfillment.mcf_order WHERE company_id = $1 AND state = ANY ($2)
              ORDER BY ordered_at DESC, id DESC LIMIT 20) AS o
    LEFT JOIN listing.product AS p ON p.company_id = $1 AND p.account_id = o.account_id AND p.marketplace_id = o.marketplace_id
     AND p.seller_sku = o.lead_sku
   ORDER BY o.ordered_at DESC, o.id DESC`;
const COUNTS = 'SELECT state, count(*) FROM fulfillment.mcf_order WHERE company_id = $1 GROUP BY state';
const LINES = `
  SELECT ${SHOWN} FROM fulfillment.mcf_order AS o
   WHERE company_id = $1 AND EXISTS (SELECT FROM fulfillment.mcf_line AS l WHERE l.company_id = $1 AND l.mcf_id = o.id
     AND l.seller_sku = ANY ($2)) ORDER BY ordered_at DESC, id DESC LIMIT 20`;

/** 多渠道订单 over HTTP without a socket: a page of a view, the numbers of the views, and the orders of one SKU, against plain SQL. */
export async function mcf(world: BenchWorld, orders: number): Promise<void> {
  const owner = await world.company();
  const account = await world.account(owner);
  await step(`${orders} orders`, async () => {
    await world.admin.query(
      `WITH o AS (
         INSERT INTO fulfillment.mcf_order (company_id, account_id, marketplace_id, number, origin, platform, order_no, ordered_at, state,
           speed, policy, hold, country, region, postal_prefix, lead_sku, line_count, units, package_count)
         SELECT $1, $2, $3, 'MCF-' || n, 'ERP', 'SHOPIFY', '#' || n, now() - n * interval '3 minutes',
                CASE WHEN n % 50 = 0 THEN 'HELD' WHEN n % 20 = 0 THEN 'CANCELLED' WHEN n < 300 THEN 'PROCESSING' ELSE 'COMPLETE' END,
                'STANDARD', 'FillOrKill', false, 'US', 'WA', '981', 'SKU-' || n % 2000, 1, 1 + n % 3, 1
           FROM generate_series(1, $4::int) AS n RETURNING company_id, id, lead_sku, units)
       INSERT INTO fulfillment.mcf_line (company_id, mcf_id, line_no, item_id, seller_sku, quantity)
       SELECT company_id, id, 1, '1', lead_sku, units FROM o`,
      [owner.companyId, account.id, US, orders],
    );
    await world.admin.query('VACUUM (ANALYZE) fulfillment.mcf_order, fulfillment.mcf_line');
  });
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, owner) };
  const ask = async (path: string, payload: object) => {
    const answer = await app.inject({ method: 'POST', url: `/api${path}`, headers, payload });
    if (answer.json<{ code: number }>().code !== 201) throw new Error(answer.body.slice(0, 300));
  };
  const views: [name: string, ours: () => Promise<unknown>, hand: () => Promise<unknown>][] = [
    [
      'a page of those under way',
      () => ask(listMcf.path, { filter: { tab: 'open' } }),
      () =>
        world.admin.query(PAGE, [owner.companyId, ['SUBMITTING', 'RECEIVED', 'PLANNING', 'PROCESSING', 'CANCELLING']]),
    ],
    [
      'a page of those sent',
      () => ask(listMcf.path, { filter: { tab: 'shipped' } }),
      () => world.admin.query(PAGE, [owner.companyId, ['COMPLETE', 'PARTIAL']]),
    ],
    [
      'numbers of the views',
      () => ask(countMcf.path, { filter: {} }),
      () => world.admin.query(COUNTS, [owner.companyId]),
    ],
    [
      'orders of one SKU',
      () => ask(listMcf.path, { filter: { skus: ['SKU-77'] } }),
      () => world.admin.query(LINES, [owner.companyId, ['SKU-77']]),
    ],
  ];
  for (const [name, ours, hand] of views) {
    report(`mcf, ${orders} orders: ${name}`, await timesOf(ours), await timesOf(hand), 'ms', '< 100 ms');
  }
}
