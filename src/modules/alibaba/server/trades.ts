import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type ListDef, listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { moneyOf } from '#modules/finance/server/index.ts';
import { purchaseOrder } from '#modules/purchase/contract/order.ts';
import { type TradeFilter, TradeRow, type TradeStatus } from '../contract/index.ts';

function matching(ctx: Ctx, filter: TradeFilter) {
  let query = ctx.db
    .selectFrom('alibaba.trade as t')
    .innerJoin('alibaba.buyer as b', (join) =>
      join.onRef('b.company_id', '=', 't.company_id').onRef('b.id', '=', 't.buyer_id'),
    )
    .innerJoin('supplier.supplier as s', (join) =>
      join.onRef('s.company_id', '=', 't.company_id').onRef('s.id', '=', 't.supplier_id'),
    )
    .where('t.company_id', '=', ctx.companyId);
  if (filter.status) query = query.where('t.status', '=', filter.status);
  if (filter.differs !== undefined) {
    const differs = sql<boolean>`coalesce(t.total - t.refund <> t.order_amount, false)`;
    query = query.where(differs, '=', filter.differs);
  }
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where((eb) =>
      eb.or([
        eb('t.order_number', 'ilike', like),
        eb('t.platform_id', 'ilike', like),
        eb('t.tracking_no', 'ilike', like),
        eb('t.seller', 'ilike', like),
      ]),
    );
  }
  return query;
}

/** Rows of orders at the platform, for the list and for a purchase order's page. */
export function selected(ctx: Ctx, filter: TradeFilter) {
  return matching(ctx, filter).select([
    't.id',
    't.order_number as orderNumber',
    't.status',
    't.platform_id as platformId',
    't.seller',
    's.short_name as supplier',
    'b.login_id as buyer',
    't.order_amount as orderAmount',
    't.total',
    't.freight',
    't.refund',
    't.tracking_no as trackingNo',
    sql<string>`coalesce(t.steps -> -1 ->> 'text', '')`.as('lastStep'),
    't.problem',
    't.paid_at as paidAt',
    't.placed_by_name as placedByName',
    't.created_at as createdAt',
    't.order_id as orderId',
  ]);
}
export type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

/** Platform less refund less purchase order: what is left to explain, CNY; null before the platform said. */
export function differenceOf(row: Pick<DbRow, 'total' | 'refund' | 'orderAmount'>): string | null {
  return row.total === null ? null : new Decimal(row.total).minus(row.refund).minus(row.orderAmount).toFixed();
}

export const shownOf = (row: DbRow): TradeRow => ({
  ...row,
  status: row.status as TradeStatus,
  difference: differenceOf(row),
  paid: null,
});

/** One page of orders at the platform beside their purchase orders, the newest first. CNY. */
export async function tradePage(ctx: Ctx, request: PageRequest<TradeFilter>): Promise<PageOf<TradeRow>> {
  const def: ListDef<DbRow, TradeRow> = {
    row: TradeRow,
    query: listQuery(selected(ctx, request.filter)),
    sort: { createdAt: 't.created_at', orderNumber: 't.order_number' },
    order: [['t.id', 'desc']],
    key: 't.id',
    map: shownOf,
  };
  const found = await page(ctx, request, def);
  return { ...found, records: await withPaid(ctx, found.records) };
}

/** What finance paid for the purchase orders beside their orders at the platform. CNY. */
export async function withPaid(ctx: Ctx, rows: readonly TradeRow[]): Promise<TradeRow[]> {
  const money = await moneyOf(ctx, purchaseOrder.name, [...new Set(rows.map((row) => row.orderId))]);
  const paid = new Map(money.map((one) => [one.subjectId, one.paid]));
  return rows.map((row) => ({ ...row, paid: paid.get(row.orderId) ?? '0' }));
}

/** How many orders are in each state under the other filters; "all" is their sum. */
export async function tradeCounts(ctx: Ctx, { status: _, ...others }: TradeFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 't.status');
}
