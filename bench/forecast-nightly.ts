import { listForecasts } from '#modules/forecast/contract/forecast.ts';
import { measure } from '#modules/forecast/server/accuracy/make.ts';
import { runAccount } from '#modules/forecast/server/run.ts';
import { report, step, timed } from './support/measure.ts';
import { loadBare } from './support/seed.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const SITE = 'ATVPDKIKX0DER';
const DAYS = 730;
/** 100,000 items in ten minutes, wall clock. */
const GOAL_MS = 6;
const ROUNDS = 7;

/** Two years of sales of so many SKUs: one sells every day, the next every second, up to every twentieth. */
async function fill(world: BenchWorld, companyId: string, account: string, count: number): Promise<void> {
  await loadBare(world.admin, 'sales.sku_day', async () => {
    await world.admin.query(
      `INSERT INTO sales.sku_day (company_id, account_id, marketplace_id, local_date, seller_sku, asin, fulfilled_by, is_business, currency,
         orders, order_items, units, gross_units, cancelled_units, shipped_units, product_sales, estimated_sales, discount, shipping_sales,
         tax, replacement_units, mcf_units, zero_price_units, unpriced_units)
       SELECT $1, $2, $3, current_date - d, 'SKU-' || n, '', 'AMAZON', false, 'USD', u, u, u, u, 0, u, u * 20, 0, 0, 0, 0, 0, 0, 0, 0
         FROM generate_series(1, $4::int) AS n
        CROSS JOIN LATERAL generate_series(1 + n % 5, ${DAYS}, 1 + n % 20) AS d
        CROSS JOIN LATERAL (SELECT 1 + (n * 7 + d * 13) % (1 + n % 9) + CASE d % 7 WHEN 0 THEN 2 ELSE 0 END AS u) AS x`,
      [companyId, account, SITE, count],
    );
  });
}

/** What a night takes for so many SKUs with two years of sales, first and later, and a page of the list against plain SQL. */
export async function forecastNightly(world: BenchWorld, count: number): Promise<void> {
  const principal = await world.company();
  const { id } = await world.account(principal);
  await step('filling', () => fill(world, principal.companyId, id, count));
  const night = async (name: string) => {
    const { ms, cpuMs } = await timed(world, async () => {
      await measure(world.runtime, principal.companyId, id);
      return runAccount(world.runtime, principal.companyId, id);
    });
    report(name, ms / count, GOAL_MS, 'ms an item', '<= 1', `${(cpuMs / count).toFixed(2)} ms of processor time`);
  };
  await night(`first night of ${count} items, three origins tried`);
  await night('every other night');
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, principal) };
  const ask = async () =>
    void (await app.inject({ method: 'POST', url: `/api${listForecasts.path}`, headers, payload: { filter: {} } }));
  const hand = async () => {
    await app.inject({ method: 'GET', url: '/admin/api/v1/favourites', headers });
    await world.admin.query(
      'SELECT * FROM forecast.item WHERE company_id = $1 ORDER BY next30 DESC, id DESC LIMIT 20',
      [principal.companyId],
    );
    await world.admin.query(
      'SELECT count(*), sum(sold30), sum(next30), sum(month1), sum(month2), sum(month3) FROM forecast.item WHERE company_id = $1',
      [principal.companyId],
    );
  };
  const times: [number[], number[]] = [[], []];
  for (let round = -1; round < ROUNDS; round += 1) {
    for (const [index, work] of [ask, hand].entries()) {
      const { ms } = await timed(world, work);
      if (round >= 0) times[index]?.push(ms);
    }
  }
  const [ours = 0, plain = 0] = times.map((list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]);
  report('销售预测, first page', ours, plain, 'ms', '<= 1.5');
}
