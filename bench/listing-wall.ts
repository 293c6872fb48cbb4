import type { FastifyInstance } from 'fastify';
import type { Principal } from '#kit/server/context.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { refresh } from '#modules/analysis/server/refresh.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { median, report, step } from './support/measure.ts';
import { loadBare } from './support/seed.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const WALL = '/amazon/api/v1/product/listing/page';
/** A call that knows its session and little else: what any answer costs, however it is found. */
const IDLE = '/admin/api/v1/favourites';
const ROUNDS = 20;
const SOLD_DAYS = 10;

/** `count` listings of one store with sales on some days and stock at Amazon. */
async function seed(
  { admin }: BenchWorld,
  { companyId }: Principal,
  account: AccountRef,
  count: number,
): Promise<void> {
  const of = [companyId, account.id];
  await admin.query(
    `INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, parent_asin, title, currency, price,
       status, fulfilled_by, source, as_of, first_seen_at, opened_at)
     SELECT $1, $2, 'ATVPDKIKX0DER', 'SKU-' || n, 'B0' || n, 'P0' || n / 8, 'Garden chair number ' || n, 'USD', 10 + n % 90,
            'ACTIVE', 'AMAZON', 'api', now(), now(), now() - interval '300 days' FROM generate_series(1, ${count}) AS n`,
    of,
  );
  await loadBare(admin, 'sales.sku_day', async () => {
    await admin.query(
      `INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by,
         is_business, currency, orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales,
         estimated_sales, discount, shipping_sales, tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
       SELECT $1, $2, 'ATVPDKIKX0DER', current_date - 2 - d * 2, 'SKU-' || n, 'B0' || n, 'AMAZON', false, 'USD', 1, 1,
              1 + n % 7, 1 + n % 7, 0, 1, 10 + n % 90, 0, 0, 0, 0, 0, 0, 0, 0
         FROM generate_series(1, ${count}) AS n, generate_series(1, ${SOLD_DAYS}) AS d`,
      of,
    );
  });
  await admin.query(
    `INSERT INTO inventory.fba_stock (company_id, account_id, marketplace_id, seller_sku, condition, fulfillable, inbound_shipped,
       source, as_of)
     SELECT $1, $2, 'ATVPDKIKX0DER', 'SKU-' || n, 'New', n * 7 % 400, n % 50, 'api', now()
       FROM generate_series(1, ${count}) AS n`,
    of,
  );
  await admin.query(
    `INSERT INTO listing.rank_day (company_id, account_id, marketplace_id, asin, day, group_title, group_rank, class_title, class_rank, as_of)
     SELECT $1, $2, 'ATVPDKIKX0DER', 'B0' || n, current_date - d, 'Patio', 1 + n * 7919::bigint % 900000 + d, 'Chairs', 1 + n % 5000, now()
       FROM generate_series(1, ${count}) AS n, unnest(ARRAY[0, 1, 7]) AS d`,
    of,
  );
  await admin.query(
    `INSERT INTO analysis.listing_care (company_id, account_id, marketplace_id, seller_sku, owner_id, tag_ids)
     SELECT $1, $2, 'ATVPDKIKX0DER', 'SKU-' || n, CASE WHEN n % 20 = 0 THEN '${PERSON}'::uuid END,
            CASE WHEN n % 10 = 0 THEN '{${TAG}}'::uuid[] ELSE '{}' END FROM generate_series(10, ${count}, 10) AS n`,
    of,
  );
  for (const table of ['listing.listing', 'inventory.fba_stock', 'listing.rank_day', 'analysis.listing_care'])
    await admin.query(`VACUUM (ANALYZE) ${table}`);
}

/** Somebody who owns one listing in twenty, and a tag that one in ten has; both are ids in SQL and bodies. */
const PERSON = '00000000-0000-7000-8000-000000000001';
const TAG = '00000000-0000-7000-8000-000000000002';

/** One question to the wall, and its conditions and order by hand; `put` is a name by which listings are put together. */
interface Question {
  name: string;
  body: { sort?: string; order?: string; filter?: object };
  where?: string;
  order?: string;
  put?: string;
}

const PACE = 'sort_daily DESC, listing_id DESC';
const questions = (account: string): readonly Question[] => [
  { name: 'first page', body: {} },
  {
    name: 'by days of cover',
    body: { sort: 'coverDays', order: 'asc' },
    order: 'cover_days ASC NULLS LAST, listing_id ASC',
  },
  {
    name: 'a word, cover under 30 days',
    body: { filter: { keyword: 'number 12', coverDays: { to: 30 } } },
    where: `AND search LIKE '%number 12%' AND cover_days <= 30`,
  },
  { name: 'a word', body: { filter: { keyword: 'number 12' } }, where: `AND search LIKE '%number 12%'` },
  { name: 'an owner', body: { filter: { owners: [PERSON] } }, where: `AND owner_id = '${PERSON}'` },
  { name: 'a tag', body: { filter: { tags: [TAG] } }, where: `AND tag_ids && '{${TAG}}'` },
  {
    name: 'a store, sold at least 100',
    body: { filter: { sites: [`ATVPDKIKX0DER-${account}`], units30: { from: 100 } } },
    where: `AND marketplace_id = 'ATVPDKIKX0DER' AND account_id = '${account}' AND units30 >= 100`,
  },
  {
    name: 'by profit',
    body: { sort: 'profit30', order: 'desc' },
    order: 'profit30 DESC NULLS LAST, listing_id DESC',
  },
  {
    name: 'by rank',
    body: { sort: 'groupRank', order: 'asc' },
    order: 'group_rank ASC NULLS LAST, listing_id ASC',
  },
  { name: 'by parent', body: { filter: { view: 'parent' } }, put: 'family' },
];

const SUMS = [
  ...['units7', 'units15', 'units30', 'orders30', 'returns30', 'sessions7', 'page_views7', 'impressions7', 'clicks7'],
  ...[
    'ad_orders7',
    'cost_missing30',
    'traffic_units7',
    'featured_base7',
    'sales7',
    'sales30',
    'ad_spend7',
    'ad_sales7',
  ],
  ...['net_sales30', 'platform_net30', 'cogs30', 'profit30', 'fulfillable', 'sellable', 'inbound', 'featured_views7'],
];

/** The page and the sums of all by hand, without any rights. */
async function bare({ admin }: BenchWorld, companyId: string, { where = '', order = PACE, put }: Question) {
  const shown = `FROM analysis.listing_metric WHERE company_id = $1 AND NOT hidden AND state <> 'GONE' ${where}`;
  const sums = SUMS.map((name) => `sum(${name}) AS ${name}`).join(', ');
  if (put) {
    const groups = `SELECT ${put}, account_id, marketplace_id, currency, count(*) AS listings, min(name), min(image), min(opened_at),
      min(group_rank), min(class_rank), sum(sort_daily) AS pace, ${sums} ${shown} GROUP BY 1, 2, 3, 4`;
    await admin.query(`SELECT * FROM (${groups}) AS g ORDER BY pace DESC LIMIT 20`, [companyId]);
    await admin.query(`SELECT currency, count(*), ${sums} FROM (${groups}) AS g GROUP BY currency`, [companyId]);
    return;
  }
  await admin.query(`SELECT * ${shown} ORDER BY ${order} LIMIT 20`, [companyId]);
  await admin.query(`SELECT currency, count(*), ${sums} ${shown} GROUP BY currency`, [companyId]);
}

async function inTurn(works: readonly (() => Promise<unknown>)[]): Promise<number[]> {
  const times = works.map((): number[] => []);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [index, work] of works.entries()) {
      const begin = performance.now();
      await work();
      if (round >= ROUNDS / 5) times[index]?.push(performance.now() - begin);
    }
  }
  return times.map(median);
}

async function call(app: FastifyInstance, session: string, payload: object): Promise<void> {
  const answer = await app.inject({ method: 'POST', url: WALL, headers: { jsessionid: session }, payload });
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
}

/** Rows made anew from the facts against copying the rows as they came out; then again, when nothing changed. */
async function making(world: BenchWorld, principal: Principal, accountId: string, count: number): Promise<void> {
  const anew = async () => {
    const begin = performance.now();
    await inTenant(world.runtime, principal, (ctx) => refresh(ctx, { accountId }), { timeoutMs: 600_000 });
    return performance.now() - begin;
  };
  const first = await anew();
  await world.admin.query('VACUUM (ANALYZE) analysis.listing_metric');
  const begin = performance.now();
  await world.admin.query('CREATE TEMP TABLE copied AS SELECT * FROM analysis.listing_metric');
  const copied = performance.now() - begin;
  const again = await anew();
  report(`listing wall, ${count} listings made from the facts`, first, copied, 'ms', '-');
  report('  again, nothing changed', again, first, 'ms', '<= 1');
}

/** The wall of `count` listings against SQL written by hand on the same table, behind a call that does nothing else. */
export async function listingWall(world: BenchWorld, count: number): Promise<void> {
  const principal = await world.company();
  const account = await world.account(principal);
  await step('seed', () => seed(world, principal, account, count));
  await step('made', () => making(world, principal, account.id, count));
  const { app } = await world.api();
  const session = await sessionOf(world, app, principal);
  for (const question of questions(account.id)) {
    const [ours = 0, baseline = 0] = await inTurn([
      () => call(app, session, question.body),
      async () => {
        await app.inject({ method: 'GET', url: IDLE, headers: { jsessionid: session } });
        await bare(world, principal.companyId, question);
      },
    ]);
    report(`listing wall, ${count} listings, ${question.name}`, ours, baseline, 'ms', '<= 1.5');
  }
}
