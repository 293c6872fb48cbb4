import { unscoped } from '#kit/server/scope.ts';
import type { OrderTie } from '#modules/purchase/server/index.ts';

/** States in which nothing comes of an order of the platform any more. */
const OVER = ['failed', 'cancel'];

/** A purchase order is not given up while an order of the platform for it lives: the goods would come and cost. */
export const tradesOfOrder: OrderTie = {
  why: (ctx, orderId) =>
    unscoped(ctx, async () => {
      const live = await ctx.db
        .selectFrom('alibaba.trade')
        .select(['platform_id', 'status'])
        .where('company_id', '=', ctx.companyId)
        .where('order_id', '=', orderId)
        .where('status', 'not in', OVER)
        .orderBy('id')
        .executeTakeFirst();
      if (!live) return undefined;
      if (live.status === 'sending' || !live.platform_id) return '1688下单的结果还没有确认，请稍后再试';
      return `1688订单 ${live.platform_id} 仍在进行，请先在1688取消`;
    }),
};
