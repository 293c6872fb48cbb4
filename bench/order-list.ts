import autocannon from 'autocannon';
import Fastify from 'fastify';
import pg from 'pg';
import type { Principal } from '#kit/server/context.ts';
import { createApi } from '#src/app/api.ts';
import { median, report } from './support/measure.ts';
import { type BenchWorld, OWNER } from './support/world.ts';

const LIST = '/amazon/api/v1/orders/manager/list';
const PAGE = 20;

/** `count` orders of one account over two years, newest now, written by SQL alone. */
async function seed(world: BenchWorld, principal: Principal, count: number): Promise<void> {
  const account = await world.account(principal);
  const { admin } = world;
  const key = [principal.companyId, account.sellingPartnerId, account.id];
  await admin.query(
    `INSERT INTO "order".amazon_order
       (company_id, selling_partner_id, amazon_order_id, account_id, marketplace_id, channel, fulfilled_by, status,
        purchased_at, local_date, last_updated_at, currency, item_amount, discount_amount, order_total, quantity,
        shipped_quantity, line_count, lead_sku, source, row_hash)
     SELECT $1, $2, '111-' || lpad((n / 10000000)::text, 7, '0') || '-' || lpad((n % 10000000)::text, 7, '0'), $3,
            'ATVPDKIKX0DER', 'AMAZON', CASE WHEN n % 12 = 0 THEN 'MERCHANT' ELSE 'AMAZON' END,
            (ARRAY['SHIPPED','SHIPPED','SHIPPED','SHIPPED','CANCELLED','UNSHIPPED'])[1 + n % 6],
            at, (at AT TIME ZONE 'America/Los_Angeles')::date, at + interval '1 day', 'USD', 10 + n % 90, 0, 11 + n % 90,
            1 + n % 3, 1, 1, 'SKU-' || n % 500, 'api', gen_random_uuid()
       FROM (SELECT n, now() - (n * (interval '730 days' / $4)) AS at FROM generate_series(1, $4::bigint) AS n) AS made`,
    [...key, count],
  );
  await admin.query(
    `INSERT INTO "order".order_day
       (company_id, account_id, marketplace_id, local_date, status, channel, fulfilled_by, is_business, is_replacement,
        currency, orders, quantity, item_amount, discount_amount, order_total)
     SELECT company_id, account_id, marketplace_id, local_date, status, channel, fulfilled_by, is_business,
            is_replacement, currency, count(*), sum(quantity), sum(item_amount), sum(discount_amount), sum(order_total)
       FROM "order".amazon_order WHERE company_id = $1 GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10`,
    [principal.companyId],
  );
  await admin.query('ANALYZE "order".amazon_order');
  await admin.query('ANALYZE "order".order_day');
}

const BARE = `
  SELECT o.selling_partner_id, o.amazon_order_id, o.account_id, o.marketplace_id, o.status, o.purchased_at, o.local_date,
         o.last_updated_at, o.latest_ship_at, o.quantity, o.item_amount, o.discount_amount, o.order_total, o.currency,
         o.fulfilled_by, o.is_business, o.is_replacement, o.ship_country, o.ship_state, o.tags, o.remark, o.lead_sku,
         o.line_count, s.asin, s.title
    FROM "order".amazon_order AS o
    LEFT JOIN "order".sold_sku AS s USING (company_id, account_id, marketplace_id)
   WHERE o.company_id = $1 AND (s.seller_sku IS NULL OR s.seller_sku = o.lead_sku)
   ORDER BY o.purchased_at DESC, o.amazon_order_id DESC, o.selling_partner_id DESC LIMIT ${PAGE}`;
const BARE_TOTALS = `
  SELECT currency, sum(orders), sum(quantity), sum(item_amount), sum(discount_amount), sum(order_total)
    FROM "order".order_day WHERE company_id = $1 GROUP BY currency`;
const BARE_COUNT = `SELECT count(*) FROM (SELECT FROM "order".amazon_order WHERE company_id = $1 LIMIT 10001) AS some`;

async function bare(client: pg.Client | pg.Pool, companyId: string): Promise<unknown> {
  const rows = await client.query(BARE, [companyId]);
  const count = await client.query(BARE_COUNT, [companyId]);
  const totals = await client.query(BARE_TOTALS, [companyId]);
  return { records: rows.rows, total: count.rows[0], totals: totals.rows };
}

async function timesOf(rounds: number, work: () => Promise<unknown>): Promise<number> {
  const times: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const begin = performance.now();
    await work();
    if (round >= rounds / 5) times.push(performance.now() - begin);
  }
  return median(times);
}

async function perSecond(url: string, headers: Record<string, string>): Promise<number> {
  const result = await autocannon({
    url,
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: '{}',
    connections: 8,
    duration: 8,
  });
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 200`);
  return result.requests.average;
}

/** The order list against the bare SQL on the same tables, at two sizes; and requests per second against bare Fastify. */
export async function orderList(world: BenchWorld, small: number, large: number): Promise<void> {
  const big = await world.company();
  const little = await world.company();
  await seed(world, little, small);
  await seed(world, big, large);
  await world.admin.query('VACUUM "order".amazon_order');
  const app = await createApi(world.runtime);
  const address = await app.listen({ host: '127.0.0.1', port: 0 });
  const sessionOf = async (account: string) => {
    const login = await app.inject({
      method: 'POST',
      url: '/auth/login',
      payload: { account, password: OWNER.password },
    });
    return login.json<{ data: { session: string } }>().data.session;
  };
  const { rows } = await world.admin.query<{ account: string; company_id: string }>(
    'SELECT account, company_id FROM identity.member WHERE company_id = ANY($1)',
    [[big.companyId, little.companyId]],
  );
  const medians: number[] = [];
  for (const [principal, size] of [
    [little, small],
    [big, large],
  ] as const) {
    const session = await sessionOf(rows.find((row) => row.company_id === principal.companyId)?.account ?? '');
    const ours = await timesOf(100, () =>
      app.inject({ method: 'POST', url: LIST, headers: { jsessionid: session }, payload: {} }),
    );
    const baseline = await timesOf(100, () => bare(world.admin, principal.companyId));
    medians.push(ours);
    report(`order list page, ${size} orders (median)`, ours, baseline, 'ms', '<= 1.5');
  }
  const [first = 1, last = 1] = medians;
  report('  growth from the small to the large company', last, first, 'ms', 'flat');
  const session = await sessionOf(rows.find((row) => row.company_id === big.companyId)?.account ?? '');
  const pool = new pg.Pool({ connectionString: world.url, max: 12 });
  const plain = Fastify();
  plain.post('/list', async () => bare(pool, big.companyId));
  const plainAddress = await plain.listen({ host: '127.0.0.1', port: 0 });
  const baseline = await perSecond(`${plainAddress}/list`, {});
  const ours = await perSecond(`${address}${LIST}`, { jsessionid: session });
  report('order list, requests per second', ours, baseline, '/s', '>= 0.6');
  await plain.close();
  await pool.end();
  await app.close();
}
