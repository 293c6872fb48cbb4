import { type Handler, on } from '#kit/server/events.ts';
import { type JobDef, job } from '#kit/server/jobs/define.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { uploadUndone } from '#modules/marketplace/server/index.ts';
import { eachAccount, type PerAccount } from '../each-account.ts';
import { agingLater } from './later.ts';
import { refreshAging } from './refresh.ts';

async function reckon(runtime: Runtime, payload: PerAccount): Promise<void> {
  await eachAccount(runtime, payload, refreshAging);
}

export const agingJobs: JobDef[] = [job<PerAccount>('inventory.aging', reckon)];
export const agingHandlers: Handler[] = [on(uploadUndone, (ctx) => agingLater(ctx))];
