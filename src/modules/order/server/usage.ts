import { sql } from 'kysely';
import type { UsageKind } from '#modules/identity/server/index.ts';

/**
 * Orders of the last thirty days by the sites' own calendars, cancelled ones too, from the sums by day: counting the
 * orders themselves would take seconds for a large seller. Buyers decide how many there are, so no plan limits them.
 */
export const orderUsage: UsageKind = {
  key: 'orders',
  title: '近30天订单',
  limited: false,
  count: async (ctx) => {
    const { n } = await ctx.db
      .selectFrom('order.order_day')
      .select((eb) => eb.fn.coalesce(eb.fn.sum<number>('orders'), sql<number>`0`).as('n'))
      .where('company_id', '=', ctx.companyId)
      .where('local_date', '>', sql<string>`kit.today() - 30`)
      .executeTakeFirstOrThrow();
    return Number(n);
  },
};
