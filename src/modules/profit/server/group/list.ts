import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { hiddenFields, stripped } from '#kit/server/list/page.ts';
import { type GroupFilter, GroupRow } from '../../contract/group.ts';
import type { ProfitRow } from '../../contract/report.ts';
import { amountOf, OTHERS, shareOf } from '../../contract/statement.ts';
import { profitPage } from '../list.ts';

type Totals = Record<string, string | number | null>;

/** What a sum must be so that parts of it say something. */
const positive = (whole: string | number | null | undefined) =>
  whole != null && new Decimal(whole).gt(0) ? whole : null;

function groupRow(row: ProfitRow, totals: Totals): GroupRow {
  const share = (key: 'sales' | 'profit') =>
    shareOf({ amount: row[key], currency: row.currency }, { amount: positive(totals[key]), currency: totals.currency });
  return { ...row, other: amountOf(row, 'other'), salesShare: share('sales'), profitShare: share('profit') };
}

/** The totals with what rows put together. */
function withOther(totals: Totals): Totals {
  const amounts = OTHERS.map((key) => totals[key]);
  const known = amounts.every((amount) => amount != null);
  return { ...totals, other: known ? sum(amounts.map(String)) : null };
}

/** Stores of a filter with their parts of the whole, which need all of it in the currency of the row. */
export async function groupPage(
  ctx: Ctx,
  { filter: { view: _, ...filter }, ...request }: PageRequest<GroupFilter>,
): Promise<PageOf<GroupRow>> {
  const { totals = {}, ...found } = await profitPage(ctx, { ...request, filter: { ...filter, dimension: 'store' } });
  const hidden = hiddenFields(ctx, GroupRow);
  return {
    ...found,
    records: found.records.map((row) => stripped(groupRow(row, totals), hidden)),
    ...(totals.sales === undefined ? { totals } : { totals: withOther(totals) }),
  };
}
