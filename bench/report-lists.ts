import { comparedPeriod, type Period } from '#kit/contract/compare.ts';
import { dayAfter } from '#kit/contract/day.ts';
import { monthParts } from '#kit/server/list/compared/index.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { paidSums, reimbursements } from '#modules/inventory/contract/events.ts';
import { feeAudit } from '#modules/inventory/contract/fee-audit.ts';
import { chargedSums } from '#modules/inventory/contract/fee-charged.ts';
import { storageFees, storageSums } from '#modules/inventory/contract/fees.ts';
import { trafficSums } from '#modules/report/contract/reports.ts';
import { refreshTraffic } from '#modules/report/server/traffic-sums/rebuild.ts';
import { listOpen, openSums } from '#modules/settlement/contract/open.ts';
import { inTurn, reportTimes, step } from './support/measure.ts';
import { fillReports, fillTraffic } from './support/report-seed.ts';
import { type BenchWorld, sessionOf } from './support/world.ts';

const today = new Date().toISOString().slice(0, 10);
const USUAL: Period = { from: dayAfter(today, -30), to: dayAfter(today, -1) };
const firstOf = (day: string) => `${day.slice(0, 7)}-01`;
const LAST_MONTH: Period = { from: firstOf(dayAfter(firstOf(today), -1)), to: dayAfter(firstOf(today), -1) };
const YEAR: Period = { from: firstOf(dayAfter(firstOf(today), -365)), to: LAST_MONTH.to };

const SUMS = ['sessions', 'page_views', 'units', 'items', 'sales', 'featured_views', 'shared_views'];

/** Sums that are no whole numbers. */
const DECIMAL = ['sales', 'featured_views'];

/** Parts of one period by hand: whole months from their sums, other days as a difference of what the month had come to. */
function parts(period: Period, side: 0 | 1): string[] {
  const columns = (value: (name: string) => string) =>
    SUMS.map((name) => {
      // Whole numbers stay such: they are added up much faster than decimals.
      const none = `NULL::${DECIMAL.includes(name) ? 'numeric' : 'int'}`;
      return `${side === 0 ? value(name) : none} AS ${name}_0, ${side === 1 ? value(name) : none} AS ${name}_1`;
    }).join(', ');
  return monthParts(period).map(({ month, from, to, whole }) =>
    whole
      ? `SELECT account_id, marketplace_id, seller_sku, asin, currency, ${columns((name) => name)} FROM report.traffic_month
          WHERE company_id = $1 AND month = '${month}' AND level = 'sku'`
      : `SELECT account_id, marketplace_id, seller_sku, asin, currency, ${columns((name) => `${name}[b] - coalesce(${name}[a], 0)`)} FROM report.traffic_run,
                LATERAL (SELECT width_bucket(${from - 1}::smallint, days) AS a, width_bucket(${to}::smallint, days) AS b OFFSET 0) AS i
          WHERE company_id = $1 AND month = '${month}' AND level = 'sku' AND b > a`,
  );
}

/** A page, the number and the sums of two periods by hand, from the same sums. */
function byHand(now: Period, before: Period): string {
  const both = SUMS.flatMap((name) => [`${name}_0`, `${name}_1`]);
  const all = [...parts(now, 0), ...parts(before, 1)].join(' UNION ALL ');
  return `WITH g AS MATERIALIZED (SELECT account_id, marketplace_id, seller_sku, asin, currency, ${both.map((name) => `sum(${name}) AS ${name}`).join(', ')}
                                    FROM (${all}) AS p GROUP BY 1, 2, 3, 4, 5),
            s AS (SELECT count(*) AS products, ${both.map((name) => `sum(${name}) AS all_${name}`).join(', ')} FROM g)
          SELECT g.*, s.*, units_0 / nullif(sessions_0, 0)::numeric, units_1 / nullif(sessions_1, 0)::numeric
            FROM g CROSS JOIN s ORDER BY sessions_0 DESC NULLS LAST, seller_sku LIMIT 20`;
}

/** Sums of facts over two periods by hand, with what a row names. `facts` is a relation with day, account, site and currency. */
function twoPeriods(
  facts: string,
  [key, ...shown]: readonly string[],
  sums: readonly string[],
  now: Period,
  before: Period,
): string {
  const inside = ({ from, to }: Period) => `day BETWEEN '${from}' AND '${to}'`;
  const each = [
    ...shown.map((name) => `max(${name}) AS ${name}`),
    ...sums.flatMap((of, at) => [
      `sum(${of}) FILTER (WHERE ${inside(now)}) AS n${at}`,
      `sum(${of}) FILTER (WHERE ${inside(before)}) AS b${at}`,
    ]),
  ];
  const all = sums.flatMap((_, at) => [`sum(n${at}) AS all_n${at}`, `sum(b${at}) AS all_b${at}`]);
  return `WITH g AS MATERIALIZED (SELECT ${key} AS key, account_id, marketplace_id, currency, ${each.join(', ')} FROM ${facts}
                                   WHERE company_id = $1 AND (${inside(now)} OR ${inside(before)}) GROUP BY 1, 2, 3, 4),
            s AS (SELECT count(*) AS products, ${all.join(', ')} FROM g)
          SELECT * FROM g CROSS JOIN s ORDER BY n0 DESC NULLS LAST LIMIT 20`;
}

const CHARGED = `(SELECT f.* FROM (
  SELECT l.company_id, l.account_id, l.marketplace_id, l.sku, l.currency, l.posted_date AS day, l.source_doc_id, l.order_id,
         -sum(amount) FILTER (WHERE fee_code = 'FBA_FULFIL' AND amount < 0) AS fee,
         sum(quantity) FILTER (WHERE fee_code = 'PRINCIPAL' AND amount > 0) AS units
    FROM settlement.money_line AS l JOIN settlement.source_doc AS d ON d.company_id = l.company_id AND d.id = l.source_doc_id AND d.state = 'ACTIVE'
   WHERE l.company_id = $1 AND fee_code IN ('FBA_FULFIL', 'PRINCIPAL') AND l.order_id IS NOT NULL AND l.sku <> ''
   GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) AS f WHERE fee > 0 AND units > 0) AS f`;

const OPEN = `settlement.source_doc AS d JOIN settlement.money_line AS l ON l.company_id = $1 AND l.source_doc_id = d.id
  WHERE d.company_id = $1 AND d.kind = 'TRANSACTION' AND d.state = 'ACTIVE' AND d.settlement_id IS NULL`;

/** Amounts that were open at the end of some day from `since` on, by hand: what is open now, and what a settlement or a release has ended since. */
const openSince = (since: string) => `(
  SELECT l.*, d.closed, d.deferred
    FROM (SELECT id, NULL::date AS closed, status <> 'RELEASED' AS deferred FROM settlement.source_doc
           WHERE company_id = $1 AND kind = 'TRANSACTION' AND state = 'ACTIVE' AND settlement_id IS NULL
          UNION ALL
          SELECT d.id, s.end_at::date, d.status <> 'RELEASED' FROM settlement.settlement AS s
            JOIN settlement.source_doc AS d ON d.company_id = $1 AND d.superseded_by = s.id AND d.superseded_why = 'SETTLED' AND d.kind = 'TRANSACTION'
           WHERE s.company_id = $1 AND s.end_at >= '${dayAfter(since, 1)}'
          UNION ALL
          SELECT d.id, r.posted_at::date, d.status <> 'RELEASED' FROM settlement.source_doc AS r
            JOIN settlement.source_doc AS d ON d.company_id = $1 AND d.superseded_by = r.id AND d.superseded_why = 'RELEASED'
           WHERE r.company_id = $1 AND r.kind = 'TRANSACTION' AND r.posted_at >= '${dayAfter(since, 1)}') AS d
    JOIN settlement.money_line AS l ON l.company_id = $1 AND l.source_doc_id = d.id) AS l`;
const openAt = (day: string) => `l.posted_date <= ${day} AND coalesce(l.closed > ${day}, true)`;

/** Both balances of each kind of amount, and those of all. */
function balances(now: Period, before: Period): string {
  const sides = [now, before].map(({ to }, at) => [`'${to}'::date`, at] as const);
  const each = sides.flatMap(([day, at]) => [
    `sum(amount) FILTER (WHERE ${openAt(day)}) AS a${at}`,
    `sum(amount) FILTER (WHERE l.deferred AND ${openAt(day)}) AS d${at}`,
    `count(*) FILTER (WHERE ${openAt(day)}) AS n${at}`,
  ]);
  const all = sides.flatMap(([, at]) => ['a', 'd', 'n'].map((name) => `sum(${name}${at}) AS all_${name}${at}`));
  return `WITH g AS MATERIALIZED (SELECT fee_code, currency, ${each.join(', ')} FROM ${openSince(before.to)}
                                   WHERE ${sides.map(([day]) => `(${openAt(day)})`).join(' OR ')} GROUP BY 1, 2)
          SELECT * FROM g CROSS JOIN (SELECT count(*) AS kinds, ${all.join(', ')} FROM g) AS s ORDER BY a0 DESC LIMIT 20`;
}

/** The balance of each day of both periods. */
const eachDay = (now: Period, before: Period) => `
  WITH m AS (SELECT currency, posted_date, closed, deferred, sum(amount) AS amount, count(*) AS n
               FROM ${openSince(before.from)} WHERE posted_date <= '${now.to}' GROUP BY 1, 2, 3, 4)
  SELECT g.day, l.currency, sum(amount), sum(amount) FILTER (WHERE deferred), sum(n)
    FROM generate_series('${before.from}'::date, '${now.to}'::date, interval '1 day') AS g (day)
    JOIN m AS l ON ${openAt('g.day')} GROUP BY 1, 2`;

const counted = (rest: string) => `SELECT count(*) FROM (SELECT FROM ${rest} LIMIT 10001) AS x`;
const compare = (dates: Period, how: 'previous' | 'year') => ({ filter: { dates, compare: how } });
const previous = (dates: Period) => comparedPeriod(dates, 'previous');
const lastYear = (dates: Period) => comparedPeriod(dates, 'year');
const MONTHS = { from: firstOf(dayAfter(LAST_MONTH.from, -32)), to: LAST_MONTH.to };

const PAGES: readonly { name: string; path: string; body: object; byHand: readonly string[] }[] = [
  ...(
    [
      ['30 days', USUAL],
      ['a month', LAST_MONTH],
      ['a year', YEAR],
    ] as const
  ).flatMap(([name, dates]) => [
    {
      name: `流量报表, ${name} against the period before`,
      path: trafficSums.list.path,
      body: compare(dates, 'previous'),
      byHand: [byHand(dates, previous(dates))],
    },
    {
      name: '  against last year',
      path: trafficSums.list.path,
      body: compare(dates, 'year'),
      byHand: [byHand(dates, lastYear(dates))],
    },
  ]),
  {
    name: '  its chart, 30 days',
    path: trafficSums.trend.path,
    body: compare(USUAL, 'previous'),
    byHand: [
      `SELECT day, min(currency), sum(sessions), sum(units), sum(sales) FROM report.traffic_day WHERE company_id = $1 AND level = 'sku'
          AND day BETWEEN '${previous(USUAL).from}' AND '${USUAL.to}' GROUP BY 1`,
      `SELECT DISTINCT day FROM report.traffic WHERE company_id = $1 AND level = 'site'
          AND day BETWEEN '${previous(USUAL).from}' AND '${USUAL.to}'`,
    ],
  },
  {
    name: 'FBA仓储费, first page',
    path: storageFees.list.path,
    body: { filter: {} },
    byHand: [
      'SELECT * FROM inventory.storage_fee WHERE company_id = $1 ORDER BY day DESC, row_id DESC LIMIT 20',
      counted('inventory.storage_fee WHERE company_id = $1'),
    ],
  },
  {
    name: '  three months against the three before',
    path: storageSums.list.path,
    body: compare(MONTHS, 'previous'),
    byHand: [
      twoPeriods(
        'inventory.storage_fee',
        ['fnsku', 'seller_sku', 'asin'],
        ['fee', 'average'],
        MONTHS,
        previous(MONTHS),
      ),
    ],
  },
  {
    name: '赔偿, first page',
    path: reimbursements.list.path,
    body: { filter: {} },
    byHand: [
      'SELECT * FROM inventory.reimbursement WHERE company_id = $1 ORDER BY day DESC, approved_at DESC, row_id DESC LIMIT 20',
      counted('inventory.reimbursement WHERE company_id = $1'),
      'SELECT sum(quantity_cash), sum(quantity_inventory), sum(quantity) FROM inventory.reimbursement WHERE company_id = $1',
    ],
  },
  {
    name: '  30 days against the period before',
    path: paidSums.list.path,
    body: compare(USUAL, 'previous'),
    byHand: [
      twoPeriods(
        'inventory.reimbursement',
        ['seller_sku', 'asin', 'fnsku'],
        ['amount', 'quantity', '1'],
        USUAL,
        previous(USUAL),
      ),
    ],
  },
  {
    name: 'FBA费用, first page',
    path: feeAudit.list.path,
    body: { filter: {} },
    byHand: [
      'SELECT * FROM inventory.fee_audit_seen WHERE company_id = $1 ORDER BY monthly DESC NULLS LAST, row_id DESC LIMIT 20',
      counted('inventory.fee_audit WHERE company_id = $1'),
      'SELECT currency, sum(units_30), sum(monthly) FROM inventory.fee_audit WHERE company_id = $1 GROUP BY 1',
    ],
  },
  {
    name: '  charged, 30 days against the period before',
    path: chargedSums.list.path,
    body: compare(USUAL, 'previous'),
    byHand: [twoPeriods(CHARGED, ['sku'], ['fee', 'units'], USUAL, previous(USUAL))],
  },
  {
    name: '账期未结算, first page',
    path: listOpen.path,
    body: { filter: {} },
    byHand: [
      `SELECT l.* FROM ${OPEN} ORDER BY l.posted_at DESC, l.source_doc_id, l.line_no DESC LIMIT 20`,
      `SELECT d.currency, count(*), sum(l.amount) FROM ${OPEN} GROUP BY 1`,
    ],
  },
  {
    name: '  at the end of two periods',
    path: openSums.list.path,
    body: compare(USUAL, 'previous'),
    byHand: [balances(USUAL, previous(USUAL))],
  },
  {
    name: '  its chart',
    path: openSums.trend.path,
    body: compare(USUAL, 'previous'),
    byHand: [eachDay(USUAL, previous(USUAL))],
  },
];

const isTraffic = ({ path }: (typeof PAGES)[number]) =>
  path === trafficSums.list.path || path === trafficSums.trend.path;

/** Reports and their comparisons for a store with so many listings and two years behind it, each page against plain SQL. */
export async function reportLists(world: BenchWorld, count: number): Promise<void> {
  const principal = await world.company();
  const account = await world.account(principal);
  await step('filling', () => fillReports(world, principal, account.id, count));
  // As the product does for sums of many products.
  await world.admin.query("SET work_mem = '64MB'");
  const { app } = await world.api();
  const headers = { jsessionid: await sessionOf(world, app, principal) };
  const measure = async ({ name, path, body, byHand: statements }: (typeof PAGES)[number]) => {
    const ask = async () => {
      const answer = await app.inject({
        method: 'POST',
        url: `/api${path}`,
        headers,
        payload: { pagesize: 20, ...body },
      });
      if (answer.json<{ code: number }>().code !== 201) throw new Error(answer.body.slice(0, 300));
    };
    const hand = async () => {
      for (const text of statements) await world.admin.query(text, [principal.companyId]);
    };
    const [ours, plain] = await inTurn(world, [ask, hand]);
    if (ours && plain) reportTimes(name, ours, plain, '<= 1.5');
  };
  for (const one of PAGES.filter((page) => !isTraffic(page))) await measure(one);
  // Visits are most of the rows: what they do not touch is measured before.
  await step('filling of visits', () => fillTraffic(world, principal, account.id, count));
  await step('sums of traffic', async () => {
    const some = () => inTenant(world.runtime, principal, refreshTraffic, { timeoutMs: 600_000 });
    while ((await some()) > 0);
  });
  for (const table of ['traffic_run', 'traffic_month', 'traffic_day', 'traffic_dirty']) {
    await world.admin.query(`VACUUM (ANALYZE) report.${table}`);
  }
  for (const one of PAGES.filter(isTraffic)) await measure(one);
}
