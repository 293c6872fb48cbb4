import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { OrderFilter } from '../../contract/orders.ts';
import { ordersAsOf, ordersAsOfSelect } from '../freshness.ts';
import { daysOf, fitsDays, ordersOf } from './filter.ts';

interface Sums {
  as_of: string | null;
  currency: string;
  orders: number;
  quantity: number;
  item: string;
  discount: string;
  total: string;
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
        sql<string>`sum(d.item_amount)`.as('item'),
        sql<string>`sum(d.discount_amount)`.as('discount'),
        sql<string>`sum(d.order_total)`.as('total'),
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
      sql<string>`coalesce(sum(o.item_amount), 0)`.as('item'),
      sql<string>`coalesce(sum(o.discount_amount), 0)`.as('discount'),
      sql<string>`coalesce(sum(o.order_total), 0)`.as('total'),
    ])
    .groupBy('o.currency')
    .orderBy('o.currency')
    .execute();
}

export interface Totals {
  /** How many orders the filter has, exactly. */
  orders: number;
  /** How fresh they are; it comes along, because every question to the database costs a round trip. */
  asOf: string | null;
  sums: Record<string, string | number | null>;
}

/** Sums over the whole filter; with several currencies one sum each and no common one. */
export async function totalsOf(ctx: Ctx, filter: OrderFilter): Promise<Totals> {
  const found = await sumsByCurrency(ctx, filter);
  return {
    orders: found.reduce((n, one) => n + one.orders, 0),
    asOf: found[0] ? found[0].as_of : await ordersAsOf(ctx, filter.accountIds),
    sums: summed(found),
  };
}

function summed(sums: readonly Sums[]): Totals['sums'] {
  const quantity = sums.reduce((n, one) => n + one.quantity, 0);
  const [only] = sums;
  if (sums.length === 1 && only) {
    const { currency, item, discount, total } = only;
    return { quantity, currency, itemAmount: item, discountAmount: discount, orderTotal: total };
  }
  const each = sums.flatMap((one) => [
    [`itemAmount.${one.currency}`, one.item],
    [`discountAmount.${one.currency}`, one.discount],
    [`orderTotal.${one.currency}`, one.total],
  ]);
  return {
    quantity,
    ...(sums.length > 1 ? { mixed: 1 } : {}),
    itemAmount: null,
    discountAmount: null,
    orderTotal: null,
    ...Object.fromEntries(each),
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
