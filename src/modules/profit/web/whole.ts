import type { RowData } from '#kit/web/cells/index.ts';
import { isGoods, type ProfitFilter, ProfitRow, type ProfitScope } from '../contract/report.ts';

/** Fields that name one row of the report, or that a caller without the right to costs does not get. */
const NOBODY = {
  id: 'whole',
  sku: null,
  storeKey: null,
  goods: null,
  product: null,
  name: null,
  store: null,
  day: null,
  month: null,
  settledShare: null,
};
const NO_COST = { cogs: null, fees: null, profit: null, margin: null, roi: null };

/** The totals of the report as a row that stands for the whole filter; undefined where there is nothing to add up. */
export function wholeRow(totals: RowData | undefined): ProfitRow | undefined {
  if (totals === undefined) return undefined;
  return ProfitRow.safeParse({ ...NOBODY, ...NO_COST, fxMissing: totals.sales === null, ...totals }).data;
}

/** Whether a row stands for the whole filter instead of a SKU, a brand, a store, a day or a month. */
export const isWhole = ({ sku, storeKey, goods, day, month }: ProfitRow): boolean =>
  [sku, storeKey, goods, day, month].every((part) => part === null);

/** The filter narrowed to what a row is about; `dimension` says what its goods are. */
export function rowFilter(filter: ProfitFilter, row: ProfitRow): ProfitScope {
  const { dimension = 'sku' } = filter;
  return {
    ...filter,
    ...(row.sku === null ? {} : { skus: [row.sku] }),
    ...(row.storeKey === null ? {} : { stores: [row.storeKey] }),
    ...(row.day === null ? {} : { date: { from: row.day, to: row.day } }),
    ...(row.month === null ? {} : { month: row.month }),
    ...(row.goods === null || !isGoods(dimension) ? {} : { goods: { by: dimension, key: row.goods } }),
  };
}
