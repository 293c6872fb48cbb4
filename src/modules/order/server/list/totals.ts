import { sql } from 'kysely';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import type { OrderFilter } from '../../contract/orders.ts';
import { ordersAsOf, ordersAsOfSelect } from '../freshness.ts';
import { daysOf, fitsDays, ordersOf } from './filter.ts';

interface Sums {
  as_of: string | null;
  currency: string;
  orders: number;
  quantity: number;
  itemAmount: string;
  discountAmount: string;
  orderTotal: string;
}

async function sumsByCurrency(ctx: Ctx, filter: OrderFilter): Promise<Sums[]> {
  const asOf = ordersAsOfSelect(ctx, filter.accountIds).as('as_of');
  if (fitsDays(filter)) {
    return daysOf(ctx, filter)
      .select([
        asOf,
        'd.currency',
        sql<number>`sum(d.orders)`.as('orders'),
        sql<number>`sum(d.quantity)::bigint`.as('quantity'),
        sql<string>`sum(d.item_amount)`.as('itemAmount'),
        sql<string>`sum(d.discount_amount)`.as('discountAmount'),
        sql<string>`sum(d.order_total)`.as('orderTotal'),
      ])
      .groupBy('d.currency')
      .orderBy('d.currency')
      .execute();
  }
  return ordersOf(ctx, filter)
    .select([
      asOf,
      'o.currency',
      sql<number>`count(*)`.as('orders'),
      sql<number>`sum(o.quantity)`.as('quantity'),
      sql<string>`coalesce(sum(o.item_amount), 0)`.as('itemAmount'),
      sql<string>`coalesce(sum(o.discount_amount), 0)`.as('discountAmount'),
      sql<string>`coalesce(sum(o.order_total), 0)`.as('orderTotal'),
    ])
    .groupBy('o.currency')
    .orderBy('o.currency')
    .execute();
}

export interface OrderTotals {
  /** How many orders the filter has, exactly. */
  orders: number;
  /** How fresh they are; it comes along, because every question to the database costs a round trip. */
  asOf: string | null;
  sums: Totals;
}

const MONEY = ['itemAmount', 'discountAmount', 'orderTotal'] as const;

/** Sums over the whole filter; those of several currencies stand as mixedOf() reads them. */
export async function totalsOf(ctx: Ctx, filter: OrderFilter): Promise<OrderTotals> {
  const found = await sumsByCurrency(ctx, filter);
  return {
    orders: found.reduce((n, one) => n + one.orders, 0),
    asOf: found[0] ? found[0].as_of : await ordersAsOf(ctx, filter.accountIds),
    sums: {
      quantity: found.reduce((n, one) => n + one.quantity, 0),
      ...(await moneyTotals(ctx, found, MONEY)),
    },
  };
}

/** Orders per status under a filter (its own status is left out); "all" is their sum. */
export async function countsByStatus(ctx: Ctx, filter: OrderFilter): Promise<Record<string, number>> {
  const { status: _, ...rest } = filter;
  const rows = fitsDays(rest)
    ? await daysOf(ctx, rest)
        .select(['d.status', sql<number>`sum(d.orders)`.as('n')])
        .groupBy('d.status')
        .execute()
    : await ordersOf(ctx, rest)
        .select(['o.status', sql<number>`count(*)`.as('n')])
        .groupBy('o.status')
        .execute();
  const counts = Object.fromEntries(rows.map((row) => [row.status, row.n]));
  return { ...counts, all: rows.reduce((sum, row) => sum + row.n, 0) };
}
