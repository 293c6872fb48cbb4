import { dayAfter } from '#kit/contract/day.ts';
import { type DetailFilter, listDetails } from '#modules/salesreport/contract/details.ts';
import { middle, reportTimes, step, timed } from './support/measure.ts';
import { loadBare } from './support/seed.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const SITE = 'ATVPDKIKX0DER';
const DAYS = 730;
const ROUNDS = 5;
const YEAR = 365;

/** Two years of so many SKUs, one in ten of them selling every day and all others every second to twentieth; sites are their sums. */
async function fill(world: BenchWorld, companyId: string, account: string, count: number): Promise<void> {
  const rest =
    'orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales, estimated_sales, discount, shipping_sales, tax, replacement_units, mcf_units, zero_price_units, unpriced_units';
  await loadBare(world.admin, 'sales.sku_day', async () => {
    await world.admin.query(
      `INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by, is_business, currency, ${rest})
       SELECT $1, $2, $3, current_date - d, 'SKU-' || n, 'B0' || n, 'AMAZON', false, 'USD', u, u, u, u, 0, u, u * 20, 0, u, 0, 0, 0, 0, 0, 0
         FROM generate_series(1, $4::int) AS n
        CROSS JOIN LATERAL generate_series(1 + n % 5, ${DAYS}, 1 + n % 10 * 2) AS d
        CROSS JOIN LATERAL (SELECT 1 + (n * 7 + d * 13) % (1 + n % 9) AS u) AS x`,
      [companyId, account, SITE, count],
    );
  });
  await world.admin.query(
    `INSERT INTO sales.store_day (company_id, account_id, marketplace_id, local_date, fulfilled_by, is_business, currency, ${rest})
     SELECT company_id, account_id, marketplace_id, local_date, fulfilled_by, is_business, currency, ${rest
       .split(', ')
       .map((name) => `sum(${name})`)
       .join(', ')}
       FROM sales.sku_day GROUP BY 1, 2, 3, 4, 5, 6, 7`,
  );
  await world.admin.query(
    `INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, parent_asin, title, currency, fulfilled_by, status, source, as_of, first_seen_at)
     SELECT $1, $2, $3, 'SKU-' || n, 'B0' || n, 'B1' || n / 5, 'Product ' || n, 'USD', 'AMAZON', 'ACTIVE', 'api', now(), now() FROM generate_series(1, $4::int) AS n`,
    [companyId, account, SITE, count],
  );
  for (const table of ['sales.sku_day', 'sales.store_day', 'listing.listing'])
    await world.admin.query(`VACUUM (ANALYZE) ${table}`);
}

/** A page of 20 with its number, share and change, its periods, and the sums of all by period, by hand. */
function byHand(by: 'msku' | 'parent', period: string, grain: 'month' | 'day', from: string, to: string): string[] {
  const before = { from: dayAfter(from, -YEAR), to: dayAfter(from, -1) };
  const now = `local_date BETWEEN '${from}' AND '${to}'`;
  const then = `local_date BETWEEN '${before.from}' AND '${before.to}'`;
  const key = by === 'msku' ? 's.seller_sku' : 'p.parent_asin';
  const join =
    by === 'msku'
      ? ''
      : 'JOIN listing.listing AS p ON p.company_id = $1 AND p.account_id = s.account_id AND p.marketplace_id = s.marketplace_id AND p.seller_sku = s.seller_sku';
  return [
    `CREATE TEMP TABLE page AS
       SELECT ${key} AS key, sum(s.total) AS total, sum(s.before) AS before, count(*) OVER () AS found, array_agg(DISTINCT s.seller_sku) AS skus
         FROM (SELECT account_id, marketplace_id, seller_sku, sum(units) FILTER (WHERE ${now}) AS total, sum(units) FILTER (WHERE ${then}) AS before
                 FROM sales.sku_day WHERE company_id = $1 AND (${now} OR ${then}) GROUP BY 1, 2, 3) AS s ${join}
        GROUP BY 1 ORDER BY 2 DESC NULLS LAST, 1 LIMIT 20`.replaceAll('$1', period),
    `SELECT k.key, date_trunc('${grain}', s.local_date) AS at, sum(s.units) FROM (SELECT key, unnest(skus) AS sku FROM page) AS k
       JOIN sales.sku_day AS s ON s.company_id = ${period} AND s.seller_sku = k.sku AND s.account_id = (SELECT account_id FROM sales.store_day LIMIT 1)
        AND s.marketplace_id = '${SITE}' AND s.${now} GROUP BY 1, 2`,
    `SELECT date_trunc('${grain}', local_date) AS at, ${now} AS own, sum(units) FROM sales.store_day WHERE company_id = ${period} AND (${now} OR ${then}) GROUP BY 1, 2`,
    'DROP TABLE page',
  ];
}

/** A year of 销量详情 against the year before, by SKU and by family, each page against the same by hand on the same rollup. */
export async function salesPivot(world: BenchWorld, count: number): Promise<void> {
  const principal = await world.company();
  const { id } = await world.account(principal);
  await step('filling', () => fill(world, principal.companyId, id, count));
  // As the product does for sums of many products.
  await world.admin.query("SET work_mem = '64MB'");
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, principal) };
  const to = dayAfter(new Date().toISOString().slice(0, 10), -2);
  const from = dayAfter(to, 1 - YEAR);
  for (const by of ['msku', 'parent'] as const) {
    for (const grain of ['month', 'day'] as const) {
      const filter: DetailFilter = { by, grain, measure: 'units', dates: { from, to } };
      const ask = async () => {
        const answer = await app.inject({
          method: 'POST',
          url: `/api${listDetails.path}`,
          headers,
          payload: { filter },
        });
        if (answer.json<{ code: number }>().code !== 201) throw new Error(answer.body.slice(0, 300));
      };
      const hand = async () => {
        for (const text of byHand(by, `'${principal.companyId}'`, grain, from, to)) await world.admin.query(text);
      };
      const times: { ms: number; cpuMs: number }[][] = [[], []];
      for (let round = -1; round < ROUNDS; round += 1) {
        for (const [index, work] of [ask, hand].entries()) {
          const one = await timed(world, work);
          if (round >= 0) times[index]?.push(one);
        }
      }
      const [ours, plain] = times.map(middle);
      if (ours && plain) reportTimes(`a year by ${by} and ${grain}`, ours, plain, '<= 2');
    }
  }
}
