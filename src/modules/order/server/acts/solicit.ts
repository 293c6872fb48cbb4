import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { planWrite } from '#modules/marketplace/server/index.ts';
import { nowThere } from '../freshness.ts';
import { type ActOrder, lockOrders, orderKey } from './orders.ts';

/** Name of these writes. */
export const SOLICITATION = 'order.solicitation';

const DAY_MS = 86_400_000;
/** Amazon takes the request from so many days after the earliest delivery to so many after the latest. */
const FROM_DAYS = 5;
const TO_DAYS = 30;

/** Why the buyer of an order cannot be asked for a review, in Chinese; undefined where he can. */
export function whyNotSolicit(
  order: Pick<ActOrder, 'status' | 'channel' | 'earliest_deliver_at' | 'latest_deliver_at'>,
  now: Date,
): string | undefined {
  if (order.channel !== 'AMAZON') return '多渠道订单不能请求评价';
  if (order.status !== 'SHIPPED') return '订单还没有发货或已取消';
  const { earliest_deliver_at: earliest, latest_deliver_at: latest } = order;
  if (earliest === null || latest === null) return '还没有送达日期，等接口同步后再试';
  if (now.getTime() < Date.parse(earliest) + FROM_DAYS * DAY_MS) return '送达后满 5 天才能请求评价';
  return now.getTime() > Date.parse(latest) + TO_DAYS * DAY_MS ? '送达已超过 30 天' : undefined;
}

async function askedStates(ctx: Ctx, orders: readonly ActOrder[]): Promise<Map<string, string>> {
  const rows = await ctx.db
    .selectFrom('order.solicitation')
    .select(['selling_partner_id', 'amazon_order_id', 'state'])
    .where('company_id', '=', ctx.companyId)
    .where('amazon_order_id', 'in', [...orders.map((order) => order.amazon_order_id), ''])
    .execute();
  return new Map(rows.map((row) => [orderKey(row), row.state]));
}

const ASKED: Readonly<Record<string, string>> = {
  queued: '正在请求评价',
  done: '已经请求过评价',
  unknown: '请求结果未知，请在接口提交中核实后重试',
};

async function plan(ctx: Ctx, order: ActOrder): Promise<void> {
  const { selling_partner_id, amazon_order_id, account_id, marketplace_id } = order;
  const writeId = await planWrite(ctx, {
    kind: SOLICITATION,
    accountId: account_id,
    marketplaceId: marketplace_id,
    subject: amazon_order_id,
    summary: '商品评论与店铺反馈',
    request: {},
  });
  await sql`
    INSERT INTO "order".solicitation
      (company_id, selling_partner_id, amazon_order_id, account_id, marketplace_id, write_id, created_by, created_by_name)
    VALUES (${ctx.companyId}, ${selling_partner_id}, ${amazon_order_id}, ${account_id}, ${marketplace_id}, ${writeId},
            ${ctx.userId}, ${ctx.userName})
    ON CONFLICT (company_id, selling_partner_id, amazon_order_id) DO UPDATE
       SET state = 'queued', problem = NULL, write_id = excluded.write_id, created_by = excluded.created_by,
           created_by_name = excluded.created_by_name, created_at = kit.now(), finished_at = NULL`.execute(ctx.db);
}

/** Plans the requests for reviews of orders that fit; the others are named with why they do not. @throws 404 */
export async function solicitReviews(
  ctx: Ctx,
  ids: readonly string[],
): Promise<{ planned: number; left: { amazonOrderId: string; reason: string }[] }> {
  const orders = [...(await lockOrders(ctx, ids)).values()];
  const asked = await askedStates(ctx, orders);
  const now = await nowThere(ctx.runtime);
  const left: { amazonOrderId: string; reason: string }[] = [];
  for (const order of orders) {
    const reason = ASKED[asked.get(orderKey(order)) ?? ''] ?? whyNotSolicit(order, now);
    if (reason === undefined) await plan(ctx, order);
    else left.push({ amazonOrderId: order.amazon_order_id, reason });
  }
  return { planned: orders.length - left.length, left };
}
