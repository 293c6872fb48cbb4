import { type RawBuilder, sql } from 'kysely';
import { lengthOf, type Period } from '#kit/contract/compare.ts';
import type { Ctx } from '#kit/server/context.ts';
import { adCostsSelect } from '#modules/advertising/server/index.ts';
import { returnedSelect } from '#modules/inventory/server/index.ts';
import { countedLinesSelect, skuDaysSelect, storeDaysSelect } from '#modules/sales/server/index.ts';
import { AMOUNT_MEASURES, LINE_DAYS, type Measure, type SalesFilter } from '../contract/fields.ts';
import { type DayMap, spansOf } from './days.ts';
import type { Reading, Split } from './facts.ts';
import { asksGoods } from './filter.ts';

/** What a measure is of a row of its source. */
const OF: Record<Exclude<Measure, 'orders'>, string> = {
  units: 's.units',
  productSales: 's.product_sales',
  netSales: 's.product_sales - s.discount',
  discount: 's.discount',
  cancelledUnits: 's.cancelled_units',
  returnedUnits: 's.returned_units',
};

/** Whether a split and a filter can be answered by sums of whole sites. */
const ofSites = (by: Split, filter: SalesFilter): boolean =>
  (by === 'all' || by === 'store' || by === 'site') && !asksGoods(filter);

/** Sales by the coarsest rollup that can answer: both hold the same lines. */
export function soldSource(ctx: Ctx, by: Split, filter: SalesFilter, map: DayMap): RawBuilder<unknown> {
  return ofSites(by, filter) ? storeDaysSelect(ctx, spansOf(map)) : skuDaysSelect(ctx, spansOf(map));
}

/** How orders are counted: distinct at the grain asked for, or as lines where nothing can tell that. */
export type OrderWay = 'rollup' | 'lines' | 'items';

/**
 * Orders of sites stand in their rollup, those of a SKU in its own. Other goods have theirs counted from the lines, of 92 days at
 * most; beyond that there are order lines only, and the column says so.
 */
export function orderWay(by: Split, filter: SalesFilter, period: Period): OrderWay {
  const short = lengthOf(period) <= LINE_DAYS;
  if (ofSites(by, filter)) return 'rollup';
  // The footer of SKUs is no sum of theirs: it must be countable too, else the whole column counts lines.
  if (by === 'msku' && (short || !asksGoods(filter))) return 'rollup';
  return short ? 'lines' : 'items';
}

/** What was sent back, by the day on which it came, at the site of its order. */
export function returnedSource(ctx: Ctx, map: DayMap): RawBuilder<unknown> {
  const spans = spansOf(map);
  const hull = { from: spans[0]?.from ?? '', to: spans.at(-1)?.to ?? '' };
  return sql`
    SELECT r.account_id, coalesce(o.marketplace_id, r.marketplace_id) AS marketplace_id, r.seller_sku, r.asin, r.day,
           coalesce(o.currency, '') AS currency, 'AMAZON'::text AS fulfilled_by, coalesce(o.is_business, false) AS is_business,
           r.quantity AS returned_units
      FROM (${returnedSelect(ctx, hull)}) AS r
      LEFT JOIN "order".amazon_order AS o ON o.company_id = ${ctx.companyId} AND o.amazon_order_id = r.order_id
       AND o.account_id = r.account_id`;
}

/** What ads cost by day and SKU; it has neither a way of fulfilment nor a buyer. */
export function adSource(ctx: Ctx, map: DayMap): RawBuilder<unknown> {
  const spans = spansOf(map);
  return adCostsSelect(ctx, { from: spans[0]?.from ?? '', to: spans.at(-1)?.to ?? '' });
}

/** What is read for a measure, under the name `value` or as lines by `value`; `way` says how orders are counted. */
export function readingOf(
  ctx: Ctx,
  measure: Measure,
  way: OrderWay,
  rest: Omit<Reading, 'source' | 'values' | 'lines'>,
): Reading {
  const { by, filter, map } = rest;
  if (measure === 'returnedUnits') {
    return { ...rest, source: returnedSource(ctx, map), values: { value: { of: OF.returnedUnits } } };
  }
  const source = soldSource(ctx, by, filter, map);
  if (measure !== 'orders') {
    return { ...rest, source, values: { value: { of: OF[measure], money: AMOUNT_MEASURES.includes(measure) } } };
  }
  if (way === 'lines') {
    return {
      ...rest,
      source: countedLinesSelect(ctx, spansOf(map)),
      values: { value: { of: 's.order_key' } },
      lines: true,
    };
  }
  return { ...rest, source, values: { value: { of: way === 'items' ? 's.order_items' : 's.orders' } } };
}

/** How the rows `k` of a reading are put together: added up, or their distinct orders counted; `where` as SQL over `k`. */
export function together({ lines }: Pick<Reading, 'lines'>, where = 'true'): RawBuilder<string | number | null> {
  return sql.raw(`${lines ? 'count(DISTINCT k.value)' : 'sum(k.value)'} FILTER (WHERE ${where})`);
}
