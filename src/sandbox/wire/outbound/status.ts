/** Where orders stand, as a function of what was said of them and of the time. */
import { unitDraw } from '../random.ts';
import type { World } from '../world.ts';
import type { OutboundOrder, Speed, Way } from './types.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Held orders are cancelled after so long, by the words of the model; FillAll waits so long for what is missing. */
export const HOLD_MS = 14 * DAY_MS;
const FILL_ALL_MS = DAY_MS;

/** Hours of picking and days on the road by speed, [at least, at most]. */
export const PACE: Readonly<Record<Speed, { picking: readonly [number, number]; road: readonly [number, number] }>> = {
  Standard: { picking: [4, 16], road: [3, 5] },
  Expedited: { picking: [3, 8], road: [2, 3] },
  Priority: { picking: [2, 4], road: [1, 1.5] },
};

/** The way of an order that may go from `at` on. */
export function wayFrom(world: World, { id, sellingPartnerId, speed }: OutboundOrder, at: number): Way {
  const between = (what: string, [least, most]: readonly [number, number]): number =>
    least + (most - least) * unitDraw('outbound', world.seed, sellingPartnerId, id, what);
  const planningAt = at + Math.round(between('planning', [10, 40]) * MINUTE_MS);
  const processingAt = planningAt + Math.round(between('processing', [60, 180]) * MINUTE_MS);
  const shippedAt = processingAt + Math.round(between('picking', PACE[speed].picking) * HOUR_MS);
  return {
    planningAt,
    processingAt,
    shippedAt,
    deliveredAt: shippedAt + Math.round(between('road', PACE[speed].road) * DAY_MS),
  };
}

/** Pieces of an order that cannot be sent. */
export function missingOf({ items }: OutboundOrder): number {
  return items.reduce((sum, { quantity, filled }) => sum + quantity - filled, 0);
}

/** Every status of an order with the data time from which it holds, the first first. */
function steps(order: OutboundOrder): { status: string; at: number }[] {
  const { at, verdict, way, cancelledAt } = order;
  if (verdict === 'INVALID') return [{ status: 'Invalid', at }];
  if (verdict === 'UNFULFILLABLE') return [{ status: 'Unfulfillable', at }];
  const all = [{ status: 'Received', at }];
  if (way) {
    const isPartial = missingOf(order) > 0;
    const doneAt = isPartial && order.policy === 'FillAll' ? Math.max(way.shippedAt, at + FILL_ALL_MS) : way.shippedAt;
    all.push({ status: 'Planning', at: way.planningAt });
    all.push({ status: 'Processing', at: way.processingAt });
    all.push({ status: isPartial ? 'CompletePartialled' : 'Complete', at: doneAt });
  }
  if (cancelledAt === undefined) return all;
  return [...all.filter((step) => step.at < cancelledAt), { status: 'Cancelled', at: cancelledAt }];
}

/** The status of an order at an instant, and when it began. */
export function statusAt(order: OutboundOrder, now: number): { status: string; at: number } {
  return steps(order).findLast(({ at }) => at <= now) ?? { status: 'New', at: order.at };
}

/** Whether nothing of an order has been picked and it is not over either. */
export function isCancellable(order: OutboundOrder, now: number): boolean {
  return ['New', 'Received', 'Planning'].includes(statusAt(order, now).status);
}

/** Whether its goods have left. */
export function hasLeft({ way, cancelledAt, verdict }: OutboundOrder, now: number): boolean {
  return verdict === 'GOOD' && cancelledAt === undefined && way !== undefined && way.shippedAt <= now;
}
