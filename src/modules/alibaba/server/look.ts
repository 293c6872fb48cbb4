import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';

/** Seconds after which the platform is asked whether an order that it did not answer is there. */
const LOOK_AFTER = [15, 60, 300] as const;

/** Has the platform asked, the `tries`th time, whether a call that it did not answer had its effect. */
export function lookLater(
  ctx: Pick<Ctx, 'db' | 'companyId' | 'runtime'>,
  tradeId: string,
  tries: number,
): Promise<void> {
  const seconds = LOOK_AFTER[tries] ?? 0;
  const payload = { companyId: ctx.companyId, tradeId, tries };
  const runAt = new Date(ctx.runtime.clock.ms() + seconds * 1000);
  return enqueue(ctx, 'alibaba.resolve', payload, { key: `alibaba.resolve:${tradeId}`, runAt });
}

export const lastLook = (tries: number) => tries >= LOOK_AFTER.length - 1;
