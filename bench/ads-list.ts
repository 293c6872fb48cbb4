import type { Principal } from '#kit/server/context.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { middle, reportTimes, step, timed } from './support/measure.ts';
import { loadBare } from './support/seed.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const DAYS = 90;
const MONTH = { from: '2026-06-01', to: '2026-06-30' };
const FIRST_DAY = '2026-04-02';
/** Targets of one campaign. */
const PER_CAMPAIGN = 40;
const ROUNDS = 7;
const METRIC_COLUMNS = [1, 7, 14, 30].flatMap((days) =>
  ['orders', 'units', 'sales', 'same_orders', 'same_units', 'same_sales'].map((name) => `${name}_${days}d`),
);

/** `rows` target days of two profiles, in dollars of two countries, with the campaigns and groups that they belong to. */
async function seed(world: BenchWorld, { companyId }: Principal, account: AccountRef, rows: number): Promise<void> {
  const targets = Math.ceil(rows / DAYS);
  const { admin } = world;
  const owner = `$1::uuid, $2::uuid, CASE WHEN n % 5 = 0 THEN 'A2EUQ1WTGCTBG2' ELSE 'ATVPDKIKX0DER' END, 1 + (n % 5 = 0)::int, 'SP'`;
  const campaign = `(n / ${PER_CAMPAIGN} * 5 + n % 5)::text`;
  const of = [companyId, account.id];
  await admin.query(
    `INSERT INTO advertising.campaign (company_id, account_id, marketplace_id, profile_id, ad_product, campaign_id, name, state,
       targeting, currency, budget, strategy, top_percent, portfolio_id, serving_status, as_of)
     SELECT DISTINCT ${owner}, ${campaign}, 'Campaign ' || ${campaign}, 'ENABLED', 'MANUAL',
            CASE WHEN n % 5 = 0 THEN 'CAD' ELSE 'USD' END, 20, '', 0, '', '', now() FROM generate_series(0, ${targets - 1}) AS n`,
    of,
  );
  await admin.query(
    `INSERT INTO advertising.ad_group (company_id, account_id, marketplace_id, profile_id, ad_product, ad_group_id, campaign_id,
       name, state, default_bid, as_of)
     SELECT company_id, account_id, marketplace_id, profile_id, ad_product, campaign_id, campaign_id, name, state, 1, now()
       FROM advertising.campaign WHERE company_id = $1 AND account_id = $2`,
    of,
  );
  await admin.query(
    `INSERT INTO advertising.target (company_id, account_id, marketplace_id, profile_id, ad_product, target_id, campaign_id,
       ad_group_id, negative, match_type, text, state, as_of)
     SELECT ${owner}, n::text, ${campaign}, ${campaign}, false, 'EXACT', 'garden chair ' || n, 'ENABLED', now()
       FROM generate_series(0, ${targets - 1}) AS n`,
    of,
  );
  const metrics = METRIC_COLUMNS.map((name) => (name.includes('sales') ? '(n * 7 + d) % 40' : '(n + d) % 3')).join(
    ', ',
  );
  await loadBare(admin, 'advertising.target_day', async () => {
    await admin.query(
      `INSERT INTO advertising.target_day (company_id, account_id, marketplace_id, profile_id, ad_product, day, campaign_id,
         ad_group_id, target_id, impressions, clicks, cost, ${METRIC_COLUMNS.join(', ')})
       SELECT ${owner}, date '${FIRST_DAY}' + d, ${campaign}, ${campaign}, n::text, 100 + n % 900, (n + d) % 30,
              ((n * 13 + d) % 3000) / 100.0, ${metrics}
         FROM generate_series(0, ${DAYS - 1}) AS d, generate_series(0, ${targets - 1}) AS n`,
      of,
    );
  });
  await admin.query(
    `INSERT INTO advertising.campaign_day (company_id, account_id, marketplace_id, profile_id, ad_product, day, campaign_id,
       impressions, clicks, cost, ${METRIC_COLUMNS.join(', ')})
     SELECT company_id, account_id, marketplace_id, profile_id, ad_product, day, campaign_id, sum(impressions), sum(clicks),
            sum(cost), ${METRIC_COLUMNS.map((name) => `sum(${name})`).join(', ')}
       FROM advertising.target_day WHERE company_id = $1 AND account_id = $2 GROUP BY 1, 2, 3, 4, 5, 6, 7`,
    of,
  );
  for (const table of ['campaign', 'ad_group', 'target', 'target_day', 'campaign_day']) {
    await admin.query(`VACUUM (ANALYZE) advertising.${table}`);
  }
}

/** What a page needs at least: the sums of the month by row, the most expensive ones, and the sums of all. */
async function byHand(world: BenchWorld, companyId: string, table: string, key: string): Promise<void> {
  await world.admin.query(
    `WITH sums AS (
       SELECT profile_id, ${key}, sum(impressions) AS impressions, sum(clicks) AS clicks, sum(cost) AS cost,
              sum(orders_7d) AS orders, sum(units_7d) AS units, sum(sales_7d) AS sales, sum(same_sales_7d) AS same
         FROM advertising.${table} WHERE company_id = $1 AND day BETWEEN $2 AND $3 GROUP BY 1, 2)
     (SELECT * FROM sums ORDER BY cost DESC LIMIT 20)
     UNION ALL
     SELECT profile_id, '', sum(impressions), sum(clicks), sum(cost), sum(orders), sum(units), sum(sales), sum(same)
       FROM sums GROUP BY 1`,
    [companyId, MONTH.from, MONTH.to],
  );
}

/** The lists of campaigns and of targets at `rows` target days, one month of them, ordered by what they cost. */
export async function adsList(world: BenchWorld, rows: number): Promise<void> {
  const principal = await world.company();
  const account = await world.account(principal);
  await step(`${rows} target days`, () => seed(world, principal, account, rows));
  const { app } = await world.api();
  const session = await sessionOf(world, app, principal);
  const lists = [
    ['advCampaign', 'campaign_day', 'campaign_id'],
    ['advTarget', 'target_day', 'target_id'],
  ] as const;
  for (const [list, table, key] of lists) {
    const url = `/amazonadv/api/v1/${list}/list`;
    const ask = async () => {
      const payload = { filter: { dates: MONTH } };
      const answer = await app.inject({ method: 'POST', url, headers: { jsessionid: session }, payload });
      if (answer.statusCode !== 200) throw new Error(answer.body);
    };
    const ours = [];
    const baselines = [];
    for (let round = 0; round < ROUNDS; round += 1) {
      baselines.push(await timed(world, () => byHand(world, principal.companyId, table, key)));
      ours.push(await timed(world, ask));
    }
    reportTimes(`advertising, ${list} of a month, ${rows} target days`, middle(ours), middle(baselines), '<= 1.5');
  }
}
