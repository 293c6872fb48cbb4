import type { Ctx } from '#kit/server/context.ts';
import { on } from '#kit/server/events.ts';
import { job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { uploadUndone } from '#modules/marketplace/server/index.ts';
import { trafficTouched } from '../traffic.ts';
import { refreshTraffic } from './rebuild.ts';

const JOB = 'report.trafficSums';
const TIMEOUT_MS = 15 * 60_000;
/** Pause in which the other days of a re-read come along: a month is made anew once for all of them. */
const GATHER_MS = 60_000;

/** Has the company's marked months made anew soon; until then they are read by their days. */
async function refreshLater(ctx: Ctx): Promise<void> {
  const key = `${JOB}:${ctx.companyId}`;
  const runAt = new Date(ctx.runtime.clock.ms() + GATHER_MS);
  await enqueue(ctx, JOB, { companyId: ctx.companyId }, { key, keyMode: 'preserve_run_at', queue: key, runAt });
}

export const trafficSumsJob = job<{ companyId: string }>(JOB, async (runtime, { companyId }) => {
  const some = () => inTenant(runtime, systemPrincipal(companyId), refreshTraffic, { timeoutMs: TIMEOUT_MS });
  while ((await some()) > 0);
});

export const trafficSumsHandlers = [
  on(trafficTouched, (ctx) => refreshLater(ctx)),
  on(uploadUndone, (ctx) => refreshLater(ctx)),
];
