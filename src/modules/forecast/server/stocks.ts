import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { stockOf } from '#modules/marketplace/server/index.ts';
import { salesSitesSelect } from '#modules/sales/server/index.ts';

/** A stock of an account and the marketplaces that sell out of it. What a seller ships himself is a stock of each marketplace. */
export interface Stock {
  accountId: string;
  /** "US", "EU"; of a seller's own the marketplace's id. */
  pool: string;
  sites: string[];
  fulfilledBy: 'AMAZON' | 'MERCHANT';
  /** The first day that is learnt from, and the last whole day that is known of all of its marketplaces, YYYY-MM-DD. */
  from: string;
  cutoff: string;
}

/** Two years are learnt from: a shape of the year needs to be seen twice. */
const HISTORY_DAYS = 730;

const DAY_MS = 86_400_000;

/** The day so many days after another one, both YYYY-MM-DD. */
export const dayPlus = (day: string, days: number): string =>
  new Date(Date.parse(day) + days * DAY_MS).toISOString().slice(0, 10);

/** Days from one day to another, both YYYY-MM-DD. */
export const daysBetween = (from: string, to: string): number =>
  Math.round((Date.parse(to) - Date.parse(from)) / DAY_MS);

/** The first day of two years that end with a day. */
export const earliest = (cutoff: string): string => dayPlus(cutoff, 1 - HISTORY_DAYS);

interface Site {
  marketplace_id: string;
  today: string;
  /** Day of the first sale by who ships it; null where there is none. */
  amazon: string | null;
  merchant: string | null;
}

function stock(accountId: string, pool: string, sites: readonly Site[], fulfilledBy: Stock['fulfilledBy']): Stock[] {
  const first = sites
    .flatMap((one) => (fulfilledBy === 'AMAZON' ? one.amazon : one.merchant) ?? [])
    .sort()
    .at(0);
  const cutoff = dayPlus(
    sites
      .map((one) => one.today)
      .sort()
      .at(0) ?? '',
    -1,
  );
  if (first === undefined || first > cutoff) return [];
  // Days before anything was sold at all are no days without demand.
  const from = [first, earliest(cutoff)].sort().at(-1) ?? first;
  return [{ accountId, pool, sites: sites.map((one) => one.marketplace_id), fulfilledBy, from, cutoff }];
}

/** The stocks of an account that something was sold out of. */
export async function stocksOf(ctx: Ctx, accountId: string): Promise<Stock[]> {
  const first = (by: Stock['fulfilledBy']) => sql`(
    SELECT d.local_date::text FROM sales.sku_day AS d
     WHERE d.company_id = ${ctx.companyId} AND d.account_id = ${accountId} AND d.marketplace_id = s.marketplace_id
       AND d.fulfilled_by = ${by} ORDER BY d.local_date LIMIT 1)`;
  const { rows } = await sql<Site>`
    SELECT s.marketplace_id, s.today::text AS today, ${first('AMAZON')} AS amazon, ${first('MERCHANT')} AS merchant
      FROM (${salesSitesSelect(ctx, accountId)}) AS s WHERE s.known ORDER BY s.marketplace_id`.execute(ctx.db);
  const pools = Map.groupBy(rows, (row) => stockOf(row.marketplace_id));
  return [
    ...[...pools].flatMap(([pool, sites]) => stock(accountId, pool, sites, 'AMAZON')),
    ...rows.flatMap((site) => stock(accountId, site.marketplace_id, [site], 'MERCHANT')),
  ];
}
