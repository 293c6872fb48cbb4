import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { settlementsOf } from '#modules/settlement/server/index.ts';
import type { SettledFilter, SettledView } from '../../contract/settled.ts';
import { PIECES_AND_SIZES, SUMS } from '../columns.ts';
import { periodOf } from '../scope.ts';
import { type Conversion, convertedOf, type Key } from '../source.ts';
import { unitCostOf } from '../unit-cost.ts';

/** A settlement that counts, in the version that holds. */
export interface Settlement {
  /** Its source document. */
  id: string;
  settlementId: string;
  accountId: string;
  /** Site of the settlement itself; its lines may be of others. */
  marketplaceId: string;
  currency: string;
  /** Company day on which it ended: the month of its rates. */
  day: string;
  endAt: string;
  depositAt: string | null;
  /** What was paid out, in `currency`. */
  total: string;
  lineCount: number;
}

/** More lines than this are no question for a screen. */
const MOST_LINES = 5_000_000;

/** What rows are kept apart by in each view. */
export const VIEW_KEYS: Record<SettledView, readonly Key[]> = {
  sku: ['sku'],
  store: ['sku', 'store_key'],
  settlement: ['sku', 'store_key', 'document_id'],
};

/**
 * The settlements of a filter, oldest first.
 * @throws B0610, B0611 for a period that is upside down or too long, B0614 for more lines than can be added up at once
 */
export async function settlementsFor(ctx: Ctx, filter: SettledFilter): Promise<Settlement[]> {
  const { settlementId, stores, dateType } = filter;
  const { from, to } = settlementId ? { from: undefined, to: undefined } : periodOf(ctx, { date: filter.date });
  const found = settlementsOf(ctx, { stores, dateType, date: { from, to } });
  const rows = await (settlementId ? found.where('s.settlement_id', '=', settlementId) : found)
    .select([
      's.id',
      's.settlement_id as settlementId',
      's.account_id as accountId',
      's.marketplace_id as marketplaceId',
    ])
    .select(['s.currency', 's.end_at as endAt', 's.deposit_at as depositAt', 's.total_amount as total'])
    .select(['s.line_count as lineCount', sql<string>`kit.day(s.end_at)::text`.as('day')])
    .orderBy('s.end_at')
    .orderBy('s.id')
    .execute();
  const lines = rows.reduce((count, row) => count + row.lineCount, 0);
  if (lines > MOST_LINES) throw refused('筛选到的账期明细超过 500 万行，请缩短日期或选择店铺', 'B0614');
  return rows;
}

/** How amounts of the settlements become one currency, each by the rate of the month in which it ended. */
export async function settledConversion(
  ctx: Ctx,
  settlements: readonly Settlement[],
  currency: string,
  single: boolean,
): Promise<Conversion> {
  const days = settlements.map(({ day }) => day).toSorted();
  const today = ctx.clock.today();
  const scope = { currency, from: days[0] ?? today, to: days.at(-1) ?? today };
  const currencies = [...new Set(settlements.map((one) => one.currency))].toSorted();
  // Settlements hold neither costs of documents nor months that are counted ahead.
  return { ...(await convertedOf(ctx, scope, currencies, single)), fees: false, closed: false, stale: [], moved: [] };
}

/**
 * The money of the settlements as a relation `p` for sumsSql(), one row for each settlement and SKU. Balances are left out; a
 * cost is that of the day of the sale, at the site of the sale. Money without a SKU has the scope SHARE: here it is shared by
 * nobody.
 * @param skus seller SKUs, '' for the money without one; all of it where empty
 */
export function settledLines(
  ctx: Ctx,
  settlements: readonly Settlement[],
  skus: readonly string[],
): RawBuilder<unknown> {
  const { companyId } = ctx;
  const lines = sql`d JOIN settlement.money_line AS l ON l.company_id = ${companyId} AND l.source_doc_id = d.document_id
       ${skus.length === 0 ? sql`` : sql`AND l.sku = ANY(${[...skus]}::text[])`}`;
  const unitCost = unitCostOf(companyId, {
    accountId: sql.ref('u.account_id'),
    marketplaceId: sql.ref('u.site'),
    sku: sql.ref('u.sku'),
    date: sql.ref('u.date'),
  });
  // Only sales have days of their own: all other money is added up at once.
  return sql`(
    WITH d AS MATERIALIZED (
      SELECT * FROM unnest(${settlements.map(({ id }) => id)}::uuid[], ${settlements.map((one) => one.accountId)}::uuid[],
                           ${settlements.map((one) => one.marketplaceId)}::text[],
                           ${settlements.map((one) => one.currency)}::text[],
                           ${settlements.map(({ day }) => day)}::date[]) AS d(document_id, account_id, marketplace_id, currency, day)
    ), money AS (
      SELECT l.source_doc_id AS document_id, l.sku, ${SUMS}, ${PIECES_AND_SIZES},
             count(DISTINCT l.order_id) FILTER (WHERE l.fee_code = 'PRINCIPAL')::int AS orders
        FROM ${lines} WHERE l.pl_section <> 'BALANCE' GROUP BY 1, 2
    ), sold AS (
      SELECT l.source_doc_id AS document_id, l.account_id, l.marketplace_id AS site, l.posted_date AS date, l.sku,
             sum(l.quantity)::int AS units
        FROM ${lines} WHERE l.fee_code = 'PRINCIPAL' GROUP BY 1, 2, 3, 4, 5 HAVING sum(l.quantity) <> 0
    ), cost AS (
      SELECT u.document_id, u.sku, sum(u.units * c.unit_cost) AS cny,
             coalesce(sum(u.units) FILTER (WHERE c.unit_cost IS NOT NULL), 0) AS units
        FROM sold AS u ${unitCost} GROUP BY 1, 2
    )
    SELECT money.*, d.account_id, d.marketplace_id, d.currency, d.day,
           CASE WHEN money.sku = '' THEN 'SHARE' ELSE 'DIRECT' END AS scope,
           coalesce(cost.units, 0) AS cost_units, money.units - coalesce(cost.units, 0) AS missing_units,
           coalesce(cost.cny, 0) AS cost_cny, 0::numeric AS fee_cny, money.settled_size AS sure_size,
           money.open_size AS unsure_size
      FROM money JOIN d USING (document_id) LEFT JOIN cost USING (document_id, sku)) AS p`;
}
