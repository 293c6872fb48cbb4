import type { FastifyInstance } from 'fastify';
import type { Principal } from '#kit/server/context.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { markAll } from '#modules/channel/server/rollup/mark.ts';
import { refreshMarked } from '#modules/channel/server/rollup/refresh.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { median, report, step } from './support/measure.ts';
import { loadBare } from './support/seed.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const REPORT = '/erp/api/v1/sales/report';
const VOLUME = '/erp/api/v1/sales/volume';
/** A call that knows its session and little else: what any answer costs, however it is found. */
const IDLE = '/admin/api/v1/favourites';
const ROUNDS = 15;
/** Days back on which each product sold, every other one of them. */
const DAYS = 180;

/** `count` products that an account sells in the US under their own SKU, with costs; one in twenty is a bundle of two others. */
async function seed(
  { admin }: BenchWorld,
  { companyId }: Principal,
  account: AccountRef,
  count: number,
): Promise<void> {
  await admin.query(
    `INSERT INTO product.local_product (company_id, sku, name) SELECT $1, 'SKU-' || n, 'Garden chair number ' || n FROM generate_series(1, ${count}) AS n`,
    [companyId],
  );
  await admin.query(
    `INSERT INTO product.sku_cost (company_id, sku, valid_from, unit_cost, updated_by_name)
     SELECT $1, 'SKU-' || n, '2000-01-01', 5 + n % 50, 'bench' FROM generate_series(1, ${count}) AS n`,
    [companyId],
  );
  await admin.query(
    `WITH made AS (
       INSERT INTO product.bom (company_id, product_id, version_no, effective_from, created_by_name)
       SELECT company_id, id, 1, '2000-01-01', 'bench' FROM product.local_product
        WHERE company_id = $1 AND substr(sku, 5)::int % 20 = 0 RETURNING id, product_id)
     INSERT INTO product.bom_line (company_id, bom_id, line_no, component_id, qty_per)
     SELECT $1, m.id, k.n, c.id, k.n FROM made AS m JOIN product.local_product AS b ON b.company_id = $1 AND b.id = m.product_id
      CROSS JOIN generate_series(1, 2) AS k (n)
      JOIN product.local_product AS c ON c.company_id = $1 AND c.sku = 'SKU-' || (substr(b.sku, 5)::int - k.n)`,
    [companyId],
  );
  await admin.query(
    `INSERT INTO finance.day_rate (company_id, currency, day, rate, source, updated_by_name)
     SELECT $1, 'USD', kit.today() - n, 7 + n % 10 * 0.01, 'bench', 'bench' FROM generate_series(0, ${DAYS + 10}) AS n`,
    [companyId],
  );
  await loadBare(admin, 'sales.sku_day', async () => {
    await admin.query(
      `INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by,
         is_business, currency, orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales,
         estimated_sales, discount, shipping_sales, tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
       SELECT $1, $2, 'ATVPDKIKX0DER', kit.today() - d * 2, 'SKU-' || n, 'B0' || n, 'AMAZON', false, 'USD', 1, 1,
              1 + n % 7, 1 + n % 7, 0, 1, 10 + n % 90, 0, 0, 0, 0, 0, 0, 0, 0
         FROM generate_series(1, ${count}) AS n, generate_series(1, ${DAYS / 2}) AS d`,
      [companyId, account.id],
    );
  });
  for (const table of ['product.local_product', 'product.sku_cost', 'product.bom', 'product.bom_line', 'sales.sku_day'])
    await admin.query(`VACUUM (ANALYZE) ${table}`);
}

/** Everything made from the facts, against one statement by hand that knows this data: no matches, no history, one level. */
async function making(world: BenchWorld, principal: Principal, count: number): Promise<void> {
  const anew = async () => {
    const begin = performance.now();
    await inTenant(world.runtime, principal, (ctx) => markAll(ctx));
    await refreshMarked(world.runtime, principal.companyId);
    return performance.now() - begin;
  };
  const first = await anew();
  await world.admin.query('VACUUM (ANALYZE) channel.sold_day, channel.pace');
  const begin = performance.now();
  await world.admin.query(
    `CREATE TEMP TABLE by_hand AS
     WITH sold AS (
       SELECT s.account_id, s.seller_sku, s.local_date, p.id, p.sku, sum(s.units) AS units, sum(s.product_sales - s.discount) AS sales
         FROM sales.sku_day AS s JOIN product.local_product AS p ON p.company_id = s.company_id AND p.sku = s.seller_sku
        WHERE s.company_id = $1 GROUP BY 1, 2, 3, 4, 5)
     SELECT s.account_id, s.seller_sku, s.local_date, s.id, s.units, s.sales, s.units * c.unit_cost AS cost
       FROM sold AS s JOIN product.sku_cost AS c ON c.company_id = $1 AND c.sku = s.sku
     UNION ALL
     SELECT s.account_id, s.seller_sku, s.local_date, l.component_id, s.units * l.qty_per, 0, 0
       FROM sold AS s JOIN product.bom AS b ON b.company_id = $1 AND b.product_id = s.id
       JOIN product.bom_line AS l ON l.company_id = $1 AND l.bom_id = b.id`,
    [principal.companyId],
  );
  const bare = performance.now() - begin;
  report(`ERP sales, ${count} products × ${DAYS / 2} days made from the facts`, first, bare, 'ms', '-');
  report('  again, nothing changed', await anew(), first, 'ms', '<= 1');
}

interface Question {
  name: string;
  url: string;
  body: object;
  bare: string;
}

const QUESTIONS: readonly Question[] = [
  {
    name: 'report of 30 days',
    url: REPORT,
    body: {},
    bare: `WITH line AS (
             SELECT k.shop_id, k.country, k.product_id, sum(k.units) AS units, sum(k.sales * f.rate) AS sales, sum(k.ship_fee * f.rate) AS ship_fee,
                    sum(k.commission * f.rate) AS commission, sum(k.cost) AS cost
               FROM channel.sold_day AS k JOIN finance.day_rate AS f ON f.company_id = k.company_id AND f.currency = k.currency AND f.day = k.day
              WHERE k.company_id = $1 AND k.via = 'sold' AND k.day BETWEEN kit.today() - 29 AND kit.today() GROUP BY 1, 2, 3)
           SELECT l.*, (SELECT sum(sales) FROM line), (SELECT sum(cost) FROM line), (SELECT count(*) FROM line)
             FROM line AS l ORDER BY sales DESC LIMIT 20`,
  },
  {
    name: 'volume, taken apart',
    url: VOLUME,
    body: {},
    bare: `WITH line AS (SELECT product_id, sum(x1) AS x1, sum(x3) AS x3, sum(x7) AS x7, sum(x14) AS x14, sum(x30) AS x30, sum(x60) AS x60, sum(x90) AS x90
                           FROM channel.pace WHERE company_id = $1 GROUP BY 1)
           SELECT l.*, t.*, c.units FROM (SELECT * FROM line ORDER BY x30 DESC LIMIT 20) AS l CROSS JOIN (SELECT count(*), sum(x30), sum(x90) FROM line) AS t
            LEFT JOIN LATERAL (SELECT array_agg(k.units) AS units FROM channel.sold_day AS k
                                WHERE k.company_id = $1 AND k.product_id = l.product_id AND k.day >= kit.today() - 30) AS c ON true`,
  },
];

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

async function call(app: FastifyInstance, session: string, { url, body }: Question): Promise<void> {
  const answer = await app.inject({ method: 'POST', url, headers: { jsessionid: session }, payload: body });
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode} ${answer.body}`);
}

/** Sales of `count` products over half a year: how they are made, and the screens against SQL by hand on the same tables. */
export async function erpSales(world: BenchWorld, count: number): Promise<void> {
  const principal = await world.company();
  const account = await world.account(principal);
  await step('seed', () => seed(world, principal, account, count));
  await step('made', () => making(world, principal, count));
  const { app } = await world.api();
  const session = await sessionOf(world, app, principal);
  for (const question of QUESTIONS) {
    const [ours = 0, baseline = 0] = await inTurn([
      () => call(app, session, question),
      async () => {
        await app.inject({ method: 'GET', url: IDLE, headers: { jsessionid: session } });
        await world.admin.query(question.bare, [principal.companyId]);
      },
    ]);
    report(`ERP sales, ${count} products, ${question.name}`, ours, baseline, 'ms', '<= 2');
  }
}
