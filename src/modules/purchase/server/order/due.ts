import { Decimal } from '#kit/contract/decimal.ts';
import { chargeDue, goodsDue } from '../../contract/money.ts';
import type { Order, OrderLine } from './load.ts';

export interface Owed {
  /** What is owed for the line from now on, order currency, four decimals. */
  due: string;
  /** By how much that differs from before: what this event adds to the debt. */
  owed: string;
  /** The part of `owed` that is price, without the share of the fees. */
  goods: string;
}

/**
 * Debt of a line after an event: pieces that came and did not go back at their price, and the share of the fees as far
 * as it came. What an event adds is the difference to what was owed before it, so that all of them add up exactly.
 */
export function owedAfter(order: Pick<Order, 'currency'>, before: OrderLine, after: OrderLine): Owed {
  const goods = goodsDue(after, after.received - after.returned, order.currency);
  const fee = chargeDue(after, after.received - after.replaced, order.currency);
  const feeBefore = chargeDue(before, before.received - before.replaced, order.currency);
  const due = new Decimal(goods).plus(fee);
  const owed = due.minus(before.due);
  return {
    due: due.toFixed(4),
    owed: owed.toFixed(4),
    goods: owed.minus(new Decimal(fee).minus(feeBefore)).toFixed(4),
  };
}
