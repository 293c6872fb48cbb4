import { z } from 'zod';
import type { World } from '../world.ts';
import { statusAt } from './status.ts';
import type { Way } from './types.ts';

const command = z.object({ order: z.string(), status: z.enum(['Planning', 'Processing', 'Complete', 'Delivered']) });

const STEPS: Readonly<Record<z.infer<typeof command>['status'], keyof Way>> = {
  Planning: 'planningAt',
  Processing: 'processingAt',
  Complete: 'shippedAt',
  Delivered: 'deliveredAt',
};

/** The order reaches a step at `at` instead of when it would; what came before is past then, what follows comes as long after. */
function reached(way: Way, step: keyof Way, at: number): Way {
  const shift = way[step] - at;
  const moved = (when: number): number => (when >= way[step] ? when - shift : Math.min(when, at));
  return {
    planningAt: moved(way.planningAt),
    processingAt: moved(way.processingAt),
    shippedAt: moved(way.shippedAt),
    deliveredAt: moved(way.deliveredAt),
  };
}

/** Lets an order reach a step now. Throws an Error that says what is wrong. */
export function outboundControl(world: World, body: unknown): object {
  const { order: id, status } = command.parse(body);
  const now = world.now();
  const order = world.outbound.all().find((one) => one.id === id);
  if (!order?.way || order.cancelledAt !== undefined) throw new Error('No order of that number is on its way.');
  const step = STEPS[status];
  if (order.way[step] > now) {
    world.command({ type: 'outbound', at: now, order: { ...order, way: reached(order.way, step, now) } });
  }
  return statusAt(world.outbound.order(order, id) ?? order, now);
}
