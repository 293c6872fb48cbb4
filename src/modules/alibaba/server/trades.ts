import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { type ListDef, page } from '#kit/server/list/page.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { moneyOf } from '#modules/finance/server/index.ts';
import { purchaseOrder } from '#modules/purchase/contract/order.ts';
import { orderOf } from '#modules/purchase/server/index.ts';
import { type TradeFilter, TradeRow, type TradeStatus } from '../contract/index.ts';
import { createPlatform } from './client.ts';
import { spoken } from './place.ts';
import { boundBuyers, syncBuyer } from './sync.ts';

const anywhere = (text: string) => `%${text.replace(/[\\%_]/g, '\\$&')}%`;

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
    const like = anywhere(filter.keyword);
    query = query.where((eb) =>
      eb.or([
        eb('t.order_number', 'ilike', like),
        eb('t.platform_id', 'ilike', like),
        eb('t.tracking_no', 'ilike', like),
      ]),
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: TradeFilter) {
  return matching(ctx, filter).select([
    't.id',
    't.order_number as orderNumber',
    't.status',
    't.platform_id as platformId',
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
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

/** Platform less refund less purchase order: what is left to explain, CNY. */
function differenceOf(row: DbRow): string | null {
  return row.total === null ? null : new Decimal(row.total).minus(row.refund).minus(row.orderAmount).toFixed();
}

/** One page of orders at the platform beside their purchase orders, the newest first. CNY. */
export async function tradePage(ctx: Ctx, request: PageRequest<TradeFilter>): Promise<PageOf<TradeRow>> {
  const def: ListDef<DbRow, TradeRow> = {
    row: TradeRow,
    query: selected(ctx, request.filter) as never,
    sort: { createdAt: 't.created_at', orderNumber: 't.order_number' },
    order: [['t.id', 'desc']],
    key: 't.id',
    map: (row) => ({ ...row, status: row.status as TradeStatus, difference: differenceOf(row), paid: null }),
  };
  const found = await page(ctx, request, def);
  const money = await moneyOf(
    ctx,
    purchaseOrder.name,
    found.records.map((row) => row.orderId),
  );
  const paid = new Map(money.map((one) => [one.subjectId, one.paid]));
  return { ...found, records: found.records.map((row) => ({ ...row, paid: paid.get(row.orderId) ?? '0' })) };
}

/** How many orders are in each state under the other filters; "all" is their sum. */
export async function tradeCounts(ctx: Ctx, { status: _, ...others }: TradeFilter): Promise<Record<string, number>> {
  return countsBy(matching(ctx, others), 't.status');
}

interface Trade {
  buyerId: string;
  platformId: string | null;
  status: string;
  orderId: string;
  orderNumber: string;
}

async function tradeOf(ctx: Ctx, id: string): Promise<Trade> {
  const row = await ctx.db
    .selectFrom('alibaba.trade')
    .select([
      'buyer_id as buyerId',
      'platform_id as platformId',
      'status',
      'order_id as orderId',
      'order_number as orderNumber',
    ])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

async function unpaid(ctx: Ctx, id: string): Promise<Trade & { platformId: string }> {
  const trade = await tradeOf(ctx, id);
  const { platformId } = trade;
  if (trade.status !== 'waitbuyerpay' || platformId === null)
    throw refused('只有待付款的1688订单可以付款或关闭', 'B1112');
  return { ...trade, platformId };
}

/** An order that was sent and of which something was received here. @throws refused B1113 */
async function received(ctx: Ctx, id: string): Promise<Trade & { platformId: string }> {
  const trade = await tradeOf(ctx, id);
  const { platformId } = trade;
  if (trade.status !== 'waitbuyerreceive' || platformId === null)
    throw refused('只有待收货的1688订单可以确认收货', 'B1113');
  const { lines } = await orderOf(ctx, trade.orderId);
  if (lines.every((line) => line.received === 0)) throw refused('采购单登记到货后才能确认收货', 'B1113');
  return { ...trade, platformId };
}

/** Writes what the platform has agreed to just now. */
async function noteStatus(ctx: Ctx, id: string, trade: Trade, status: TradeStatus, action: string): Promise<void> {
  await ctx.db
    .updateTable('alibaba.trade')
    .set({ status })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, {
    action,
    resource: 'alibaba.trade',
    resourceId: id,
    after: { order: trade.orderNumber, platformId: trade.platformId },
  });
}

/** The page at the platform on which an order is paid. @throws refused B1112 for one that is not waiting for it */
export async function payUrl(open: OpenCtx, id: string): Promise<{ url: string }> {
  const { buyerId, platformId } = await inTenant(open.runtime, open.principal, (ctx) => unpaid(ctx, id));
  const platform = createPlatform(open.runtime, { companyId: open.principal.companyId, id: buyerId });
  return { url: await spoken(platform.payUrl(platformId)) };
}

/** Closes an order that is not paid; the purchase order can be ordered again. @throws refused B1112, B1107 to B1109 */
export async function cancelTrade(open: OpenCtx, id: string): Promise<void> {
  const { runtime, principal } = open;
  const trade = await inTenant(runtime, principal, (ctx) => unpaid(ctx, id));
  const platform = createPlatform(runtime, { companyId: principal.companyId, id: trade.buyerId });
  await spoken(platform.cancel(trade.platformId));
  await inTenant(runtime, principal, (ctx) => noteStatus(ctx, id, trade, 'cancel', '关闭1688订单'));
}

/**
 * Confirms at the platform that the goods are here, which releases the money to the seller and cannot be taken back.
 * @throws refused B1113 before the goods were sent or received, B1107 to B1109
 */
export async function confirmTrade(open: OpenCtx, id: string): Promise<void> {
  const { runtime, principal } = open;
  const trade = await inTenant(runtime, principal, (ctx) => received(ctx, id));
  const platform = createPlatform(runtime, { companyId: principal.companyId, id: trade.buyerId });
  await spoken(platform.confirm(trade.platformId));
  await inTenant(runtime, principal, (ctx) => noteStatus(ctx, id, trade, 'success', '1688确认收货'));
}

/** Reads now what changed at the platform, for all bound buyers. */
export async function pullTrades(open: OpenCtx): Promise<{ changed: number }> {
  let changed = 0;
  for (const buyer of await boundBuyers(open.runtime, open.principal.companyId)) {
    changed += await syncBuyer(open.runtime, buyer);
  }
  return { changed };
}
