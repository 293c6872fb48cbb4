import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';

/** Has the days since a day made anew soon. */
export async function rebuildLater(ctx: Ctx, from: string): Promise<void> {
  const key = `worth.rebuild:${ctx.companyId}`;
  await enqueue(ctx, 'worth.rebuild', { companyId: ctx.companyId, from }, { queue: key });
}
