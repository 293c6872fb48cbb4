import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { BillPurchases, Purchase } from '#modules/finance/server/index.ts';
import { purchaseOrder } from '#modules/purchase/contract/order.ts';
import { orderByNumber } from '#modules/purchase/server/index.ts';

/** Orders at the platform, also those that were closed: a bill may still name what was paid before. */
async function byPlatformOrder(ctx: Ctx, orderIds: readonly string[]): Promise<Map<string, Purchase>> {
  if (orderIds.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('alibaba.trade')
    .select(['platform_id as platformId', 'order_id as id', 'order_number as number', 'supplier_id as supplierId'])
    .select('order_amount as amount')
    .where('company_id', '=', ctx.companyId)
    .where('platform_id', 'in', [...orderIds])
    .execute();
  return new Map(
    rows.map(({ platformId, id, number, supplierId, amount }) => [
      platformId ?? '',
      { subject: { type: purchaseOrder.name, id, number }, supplierId, amount },
    ]),
  );
}

/** An order that was placed at the platform by hand is known by its purchase order only. */
async function byNumber(ctx: Ctx, number: string): Promise<Purchase> {
  const order = await orderByNumber(ctx, number.trim());
  if (!order) throw refused(`没有采购单【${number}】`, 'B0953');
  if (order.currency !== 'CNY')
    throw refused(`采购单【${number}】的币种是${order.currency}，1688账单只能匹配人民币采购单`, 'B0953');
  if (!['ordered', 'closed'].includes(order.state)) throw refused(`采购单【${number}】尚未下单，不能匹配`, 'B0953');
  const subject = { type: purchaseOrder.name, id: order.id, number: order.number };
  return { subject, supplierId: order.supplier, amount: order.amount };
}

/** What finance asks about the purchases behind the bills of 1688. */
export const purchasesOfBills: BillPurchases = { byPlatformOrder, byNumber };
