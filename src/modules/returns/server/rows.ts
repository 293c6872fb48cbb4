import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Query } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import { containing } from '#kit/server/list/words.ts';
import { type ReturnFact, returnRowsSelect } from '#modules/inventory/server/index.ts';
import { siteOf } from '#modules/listing/server/index.ts';
import { COUNTED_MONEY, IS_REFUND } from '#modules/settlement/server/index.ts';
import { CLASS_REASONS } from '../contract/fields.ts';
import type { ReturnFilter } from '../contract/returns.ts';

/** The order of a row `f`: the reports of returns to Amazon name neither its marketplace nor its day. */
export const orderOf = (ctx: Ctx, columns: RawBuilder<unknown>) => sql`
  SELECT ${columns} FROM "order".amazon_order AS o
   WHERE o.company_id = ${ctx.companyId} AND o.amazon_order_id = f.order_id AND o.account_id = f.account_id LIMIT 1`;

/** Refunded in the books for the SKU of a row `f` of its order: positive, in the currency of the store. */
export const refundOf = (ctx: Ctx) => sql`
  SELECT -sum(m.amount) AS refund, min(m.currency) AS currency FROM ${COUNTED_MONEY}
   WHERE m.company_id = ${ctx.companyId} AND m.order_id = f.order_id AND m.account_id = f.account_id AND m.sku = f.seller_sku
     AND ${IS_REFUND}`;

const judged = (ctx: Ctx) => sql`
  SELECT FROM returns.attribution AS a
   WHERE a.company_id = ${ctx.companyId} AND a.account_id = f.account_id AND a.channel = f.channel AND a.day = f.day
     AND a.row_id = f.row_id`;

/** A return is late when more days than these lie between the purchase and it. */
const EARLY_DAYS = 30;

/** Rows of the sites: an order's own marketplace, else that of the stock which the report was asked for. */
function atSites(ctx: Ctx, sites: readonly string[]): RawBuilder<boolean> {
  const each = sites.map(siteOf).map(
    ({ accountId, marketplaceId }) => sql`(f.account_id = ${accountId}::uuid
        AND coalesce((${orderOf(ctx, sql`o.marketplace_id`)}), f.marketplace_id) = ${marketplaceId})`,
  );
  return sql<boolean>`(${sql.join(each, sql` OR `)})`;
}

/** What the calls of this screen have in common: a part of the filter that the other lists of returns also take. */
export function conditions(ctx: Ctx, filter: ReturnFilter): RawBuilder<unknown>[] {
  const { dates, sites, keyword, skus, channel, reasonClass, reasons, dispositions, party, after, refunded } = filter;
  const all: RawBuilder<unknown>[] = [sql`f.company_id = ${ctx.companyId}`];
  if (dates?.from) all.push(sql`f.day >= ${dates.from}::date`);
  if (dates?.to) all.push(sql`f.day <= ${dates.to}::date`);
  if (sites?.length) all.push(atSites(ctx, sites));
  if (skus?.length) all.push(sql`f.seller_sku = ANY (${skus}::text[])`);
  if (keyword?.trim()) all.push(sql`concat_ws(' ', f.seller_sku, f.asin, f.fnsku) ILIKE ${containing(keyword)}`);
  if (filter.orderId?.trim()) all.push(sql`f.order_id ILIKE ${containing(filter.orderId)}`);
  if (channel) all.push(sql`f.channel = ${channel}`);
  if (reasons?.length) all.push(sql`f.reason = ANY (${reasons}::text[])`);
  if (dispositions?.length) all.push(sql`f.disposition = ANY (${dispositions}::text[])`);
  if (reasonClass === 'unsure') {
    all.push(sql`f.reason <> ALL (${[...CLASS_REASONS.quality, ...CLASS_REASONS.other]}::text[])`);
  } else if (reasonClass) all.push(sql`f.reason = ANY (${CLASS_REASONS[reasonClass]}::text[])`);
  if (party === 'none') all.push(sql`NOT EXISTS (${judged(ctx)})`);
  else if (party) all.push(sql`EXISTS (${judged(ctx)} AND a.party = ${party})`);
  if (after) {
    const days = sql`f.day - coalesce((${orderOf(ctx, sql`o.local_date`)}), f.ordered_day)`;
    all.push(after === 'early' ? sql`${days} <= ${EARLY_DAYS}::int` : sql`${days} > ${EARLY_DAYS}::int`);
  }
  if (refunded === 'yes') all.push(sql`(SELECT x.refund FROM (${refundOf(ctx)}) AS x) IS NOT NULL`);
  if (refunded === 'no') all.push(sql`(SELECT x.refund FROM (${refundOf(ctx)}) AS x) IS NULL`);
  return all;
}

/** Rows `f` of both reports that a filter matches. */
export function rowsSelect(ctx: Ctx, filter: ReturnFilter): RawBuilder<ReturnFact> {
  return sql<ReturnFact>`
    SELECT f.* FROM (${returnRowsSelect()}) AS f WHERE ${sql.join(conditions(ctx, filter), sql` AND `)}`;
}

/** The same as the query of a list. */
export const rowsOf = (ctx: Ctx, filter: ReturnFilter): Query<ReturnFact> => relation(ctx, rowsSelect(ctx, filter));
