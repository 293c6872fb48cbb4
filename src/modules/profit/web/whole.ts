import type { RowData } from '#kit/web/cells/index.ts';
import { ProfitRow } from '../contract/report.ts';

/** Fields that name one row of the report, or that a caller without the right to costs does not get. */
const NOBODY = { id: 'whole', sku: null, storeKey: null, product: null, store: null, day: null, settledShare: null };
const NO_COST = { cogs: null, profit: null, margin: null, roi: null };

/** The totals of the report as a row that stands for the whole filter; undefined where there is nothing to add up. */
export function wholeRow(totals: RowData | undefined): ProfitRow | undefined {
  if (totals === undefined) return undefined;
  return ProfitRow.safeParse({ ...NOBODY, ...NO_COST, fxMissing: totals.sales === null, ...totals }).data;
}

/** Whether a row stands for the whole filter instead of a SKU, a store or a day. */
export const isWhole = (row: ProfitRow): boolean => row.sku === null && row.storeKey === null && row.day === null;
