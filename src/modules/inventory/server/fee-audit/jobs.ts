import { type Handler, on } from '#kit/server/events.ts';
import { type JobDef, job } from '#kit/server/jobs/define.ts';
import { uploadUndone } from '#modules/marketplace/server/index.ts';
import { costTouched, productMeasured } from '#modules/product/server/index.ts';
import { eachAccount, type PerAccount } from '../each-account.ts';
import { auditLater } from './later.ts';
import { refreshFeeAudit } from './refresh.ts';

export const feeAuditJobs: JobDef[] = [
  job<PerAccount>('inventory.feeAudit', (runtime, payload) => eachAccount(runtime, payload, refreshFeeAudit)),
];

/** Listings that are matched otherwise are told of as costs that changed. */
export const feeAuditHandlers: Handler[] = [
  on(uploadUndone, (ctx) => auditLater(ctx)),
  on(productMeasured, (ctx) => auditLater(ctx)),
  on(costTouched, (ctx) => auditLater(ctx)),
];
