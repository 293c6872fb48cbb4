import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Comparison, comparedPeriod, type Period } from '#kit/contract/compare.ts';
import { dayAfter } from '#kit/contract/day.ts';
import { Decimal, plainDecimal } from '#kit/contract/decimal.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { depth, luck } from '#test/support/depth.ts';
import { DE, makeSellerAccount, US } from '#test/support/seller.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { trafficSums } from '../contract/reports.ts';
import { KEYS, MEASURES } from '../server/traffic-sums/measures.ts';
import { refreshTraffic } from '../server/traffic-sums/rebuild.ts';

let world: World;
let owner: Person;
let account: AccountRef;

const FIRST = '2025-05-20';
const DAYS = 400;
const random = luck('traffic-sums');
const upTo = (most: number): number => Math.floor(random() * (most + 1));

/** Figures of some products by day, with gaps: of some days nothing, of some no featured share, of some nothing sold. */
async function tell(from: string, days: number): Promise<void> {
  await world.as(owner, async (ctx) => {
    await sql`
      INSERT INTO report.traffic (company_id, account_id, day, row_id, stock, marketplace_id, document_id, seller_sku, asin,
        level, parent_asin, currency, sales, sales_b2b, units, units_b2b, items, items_b2b, refunded, shipped, sessions,
        browser_sessions, page_views, browser_page_views, featured)
      SELECT ${ctx.companyId}, ${account.id}, ${from}::date + d, gen_random_uuid(), s.site, s.site, gen_random_uuid(),
             CASE n WHEN 0 THEN '' ELSE 'S' || n END, CASE n WHEN 0 THEN '' ELSE 'B' || n % 3 END,
             CASE n WHEN 0 THEN 'site' ELSE 'sku' END, 'P' || (n + d / 90) % 2, s.currency, round((r * 100)::numeric, 2), 0,
             (r * 9)::int, 0, (r * 7)::int, 0, 0, 0, (r * 50)::int, 0, (r * 90)::int, 0,
             CASE WHEN r > 0.2 THEN round((r * 100)::numeric, 2) END
        FROM generate_series(0, ${days - 1}) AS d, generate_series(0, 4) AS n,
             (VALUES (${US}, 'USD'), (${DE}, 'EUR')) AS s (site, currency),
             LATERAL (SELECT abs(hashtext(concat(d, n, s.site, ${from}::text))) % 1000 / 1000.0 AS r) AS x
       WHERE n = 0 OR r > 0.3`.execute(ctx.db);
  });
}

const refresh = () =>
  world.as(owner, async (ctx) => {
    let made = 0;
    for (let some = await refreshTraffic(ctx); some > 0; some = await refreshTraffic(ctx)) made += some;
    return made;
  });

const SUMS = sql`sum(sessions)::int AS sessions, sum(page_views)::int AS views, sum(units)::int AS units, sum(items)::int AS items,
  trim_scale(sum(sales))::text AS sales,
  trim_scale(round(sum(featured * page_views / 100) / nullif(sum(page_views) FILTER (WHERE featured IS NOT NULL), 0), 6))::text AS featured`;

type Truth = Record<'sessions' | 'views' | 'units' | 'items', number> & { sales: string; featured: string | null };

/** What the days themselves say of each product: the sums that anybody would write. */
async function truth({ from, to }: Period): Promise<Map<string, Truth>> {
  const { rows } = await world.as(owner, (ctx) =>
    sql<{ key: string } & Truth>`
      SELECT concat_ws('|', marketplace_id, seller_sku, asin) AS key, ${SUMS} FROM report.traffic
       WHERE company_id = ${ctx.companyId} AND level = 'sku' AND day BETWEEN ${from}::date AND ${to}::date GROUP BY 1`.execute(
      ctx.db,
    ),
  );
  return new Map(rows.map(({ key, ...sums }) => [key, sums]));
}

const NOTHING: Truth = { sessions: 0, views: 0, units: 0, items: 0, sales: '0', featured: null };
const rounded = (value: unknown): string | null =>
  value === null || value === undefined ? null : plainDecimal(new Decimal(String(value)).toFixed(6));

/** What the list says of both periods, each product once, against its days. */
async function expectTruth(dates: Period, compare: Comparison): Promise<void> {
  const { records, total } = await owner.call(trafficSums.list, {
    body: { filter: { dates, compare }, pagesize: 100 },
  });
  const [now, before] = [await truth(dates), await truth(comparedPeriod(dates, compare))];
  const keys = new Set([...now.keys(), ...before.keys()]);
  expect([dates, compare, total]).toEqual([dates, compare, keys.size]);
  for (const row of records) {
    const key = `${row.store.country === 'US' ? US : DE}|${row.product.code}|${row.product.extra}`;
    expect([dates, compare, key, keys.has(key)]).toEqual([dates, compare, key, true]);
    const said = {
      now: [
        row.sessions,
        row.pageViews,
        row.units,
        row.items,
        plainDecimal(row.trafficSales ?? ''),
        rounded(row.featured),
      ],
      before: [
        row.sessionsBefore,
        row.pageViewsBefore,
        row.unitsBefore,
        row.itemsBefore,
        row.trafficSalesBefore === null ? null : plainDecimal(row.trafficSalesBefore),
        rounded(row.featuredBefore),
      ],
    };
    const of = (sums: Truth = NOTHING) => [
      sums.sessions,
      sums.views,
      sums.units,
      sums.items,
      sums.sales,
      rounded(sums.featured),
    ];
    expect([dates, compare, key, said]).toEqual([
      dates,
      compare,
      key,
      { now: of(now.get(key)), before: row.sessionsBefore === null ? Array(6).fill(null) : of(before.get(key)) },
    ]);
  }
}

/** Any days within what was told, and a little beyond. */
const anyPeriod = (): Period => {
  const from = dayAfter(FIRST, upTo(DAYS));
  return { from, to: dayAfter(from, upTo(upTo(1) === 0 ? 40 : 200)) };
};

beforeAll(async () => {
  world = await createWorld({ clockShiftMs: Date.UTC(2026, 6, 1, 2) - Date.now() });
  owner = await world.owner();
  account = await makeSellerAccount(world, owner, { marketplaceIds: [US, DE] });
  await tell(FIRST, DAYS);
}, 120_000);
afterAll(() => world.close());

describe('sums of traffic', () => {
  it('are kept in the same columns for days, months and packed months', async () => {
    const { rows } = await world.as(owner, (ctx) =>
      sql<{ table_name: string; columns: string[] }>`
        SELECT table_name, array_agg(column_name::text ORDER BY column_name::text) AS columns
          FROM information_schema.columns
         WHERE table_schema = 'report' AND table_name = ANY (${['traffic_day', 'traffic_month', 'traffic_run']})
           AND column_name <> ALL (${['company_id', 'account_id', 'marketplace_id', 'day', 'days', 'month']})
         GROUP BY 1 ORDER BY 1`.execute(ctx.db),
    );
    const measures = Object.values(MEASURES).map(({ column }) => column);
    expect(rows.map((row) => [row.table_name, row.columns])).toEqual([
      ['traffic_day', ['level', 'currency', ...measures].sort()],
      ['traffic_month', [...KEYS, ...measures].sort()],
      ['traffic_run', [...KEYS, ...measures].sort()],
    ]);
  });

  it('are what the days say, before a month is added up', async () => {
    await expectTruth({ from: '2026-03-07', to: '2026-04-19' }, 'previous');
  });

  it('of any days are what the days say, to the last digit', async () => {
    expect(await refresh()).toBeGreaterThan(20);
    expect(await refresh()).toBe(0);
    await expectTruth({ from: '2026-03-01', to: '2026-03-31' }, 'previous');
    await expectTruth({ from: '2026-02-28', to: '2026-02-28' }, 'year');
    // The last days of the year before are those of the year itself.
    await expectTruth({ from: '2025-05-20', to: '2026-06-20' }, 'year');
    for (let round = 0; round < depth(25, 400); round += 1)
      await expectTruth(anyPeriod(), upTo(1) ? 'year' : 'previous');
  });

  it('follow days that are told again, are added or vanish: at once from the days, then from the sums', async () => {
    const period = { from: '2026-04-10', to: '2026-05-20' };
    const change = (text: ReturnType<typeof sql>) => world.as(owner, (ctx) => text.execute(ctx.db));
    for (const text of [
      sql`UPDATE report.traffic SET sessions = sessions + 3, sales = sales + 0.07, featured = NULL WHERE day = '2026-05-02'`,
      sql`DELETE FROM report.traffic WHERE day BETWEEN '2026-04-20' AND '2026-05-05' AND seller_sku = 'S2'`,
    ]) {
      await change(text);
      await expectTruth(period, 'previous');
      await refresh();
      await expectTruth(period, 'previous');
    }
    await tell('2026-06-24', 3);
    await expectTruth({ from: '2026-06-01', to: '2026-06-30' }, 'previous');
    await refresh();
    await expectTruth({ from: '2026-06-01', to: '2026-06-30' }, 'previous');
  });

  it('draw the same chart from the sums as from the days of all products', async () => {
    const dates = { from: '2026-04-11', to: '2026-05-09' };
    const sites = [`${US}-${account.id}`];
    const chart = async (filter: object) =>
      (await owner.call(trafficSums.trend, { body: { filter: { dates, sites, ...filter } } })).points;
    const kept = await chart({});
    // Asked for every one of them by name the days are read.
    const read = await chart({ skus: ['S1', 'S2', 'S3', 'S4'] });
    const plain = (points: typeof kept) =>
      points.map(({ now, before }) =>
        [now, before].map(({ trafficSales, ...rest }) => ({
          ...rest,
          sales: trafficSales && plainDecimal(String(trafficSales)),
        })),
      );
    expect(plain(kept)).toEqual(plain(read));
    expect(kept.some(({ now }) => Number(now.sessions) > 0)).toBe(true);
  });
});
