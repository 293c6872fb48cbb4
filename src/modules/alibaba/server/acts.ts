import { Decimal, sum } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { orderOf } from '#modules/purchase/server/index.ts';
import type { TradeStatus } from '../contract/index.ts';
import { createPlatform } from './client.ts';
import { coveredOf, linesOf } from './lines.ts';
import { spoken } from './place.ts';
import { requirePayable } from './price.ts';
import { boundBuyers, syncBuyer } from './sync.ts';

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

/** An order that was sent and of whose goods something was received here. @throws refused B1113 */
async function received(ctx: Ctx, id: string): Promise<Trade & { platformId: string }> {
  const trade = await tradeOf(ctx, id);
  const { platformId } = trade;
  if (trade.status !== 'waitbuyerreceive' || platformId === null)
    throw refused('只有待收货的1688订单可以确认收货', 'B1113');
  const { lines } = await orderOf(ctx, trade.orderId);
  const mine = await linesOf(ctx, id);
  const { covered } = await coveredOf(ctx, trade.orderId, 'success');
  // What came first is held to be of the orders that were confirmed before this one.
  const came = mine.some(({ lineId }) => {
    const received = lines.find((line) => line.id === lineId)?.received ?? 0;
    return received > (covered.get(lineId)?.pieces ?? 0);
  });
  if (!came) throw refused('采购单登记到货后才能确认收货', 'B1113');
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

interface Due {
  platformId: string | null;
  /** CNY: what the platform takes, and what the purchase order says for the same pieces. */
  total: string | null;
  ordered: string;
}

/** What is paid with an order: itself, or all of its purchase order and buyer that wait for their payment. */
async function dueOf(ctx: Ctx, id: string, trade: Trade, together: boolean): Promise<Due[]> {
  return ctx.db
    .selectFrom('alibaba.trade')
    .select(['platform_id as platformId', 'total', 'order_amount as ordered'])
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', trade.orderId)
    .where('buyer_id', '=', trade.buyerId)
    .where('status', '=', 'waitbuyerpay')
    .$if(!together, (query) => query.where('id', '=', id))
    .orderBy('platform_id')
    .execute();
}

/** @throws refused B1114 where the platform takes another amount than the purchase order says */
function requireSame(due: readonly Due[]): void {
  const total = sum(due.map((one) => one.total ?? one.ordered));
  const ordered = sum(due.map((one) => one.ordered));
  if (new Decimal(total).eq(ordered)) return;
  const [a, b] = [total, ordered].map((amount) => new Decimal(amount).toFixed(2));
  throw refused(`平台金额${a}与采购单${b}不一致，请核对后付款`, 'B1114');
}

interface Paying {
  together: boolean;
  agreed: boolean;
}

/**
 * The page at the platform on which an order is paid, or with `together` all of its purchase order that wait for it.
 * @throws refused B1112 for one that is not waiting for it, B1114 another amount that nobody agreed to, B1115 one that is too
 * dear for what was approved
 */
export async function payUrl(open: OpenCtx, id: string, { together, agreed }: Paying): Promise<{ url: string }> {
  const { buyerId, due } = await inTenant(open.runtime, open.principal, async (ctx) => {
    const trade = await unpaid(ctx, id);
    await requirePayable(ctx, trade.orderId);
    return { buyerId: trade.buyerId, due: await dueOf(ctx, id, trade, together) };
  });
  if (!agreed) requireSame(due);
  const platform = createPlatform(open.runtime, { companyId: open.principal.companyId, id: buyerId });
  return { url: await spoken(platform.payUrl(due.flatMap((one) => one.platformId ?? []))) };
}

/** Closes an order that is not paid; its pieces can be ordered again. @throws refused B1112, B1107 to B1109 */
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
