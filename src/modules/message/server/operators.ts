import type { Ctx } from '#kit/server/context.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { operatorsOf } from '#modules/identity/server/index.ts';
import { PLATFORM } from './platform.ts';
import { type Reminder, remind } from './remind.ts';

const TELL = 'message.tellOperators';

type ForOperators = Pick<Reminder, 'title' | 'content' | 'event' | 'dedupeKey'>;

/**
 * Reminds the people of the operator of something that happened in the caller's company, once the caller's transaction
 * has committed: they are of another tenant, which the caller cannot write to.
 */
export function tellOperators(ctx: Ctx, reminder: ForOperators): Promise<void> {
  return enqueue(ctx, TELL, reminder);
}

export const operatorsJob = job<ForOperators>(TELL, async (runtime, reminder) => {
  await inTenant(runtime, systemPrincipal(PLATFORM), async (ctx) => {
    await remind(ctx, { ...reminder, to: await operatorsOf(ctx) });
  });
});
