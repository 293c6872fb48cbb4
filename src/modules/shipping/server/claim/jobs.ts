import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type Handler, on } from '#kit/server/events.ts';
import { type CronItem, type JobDef, job } from '#kit/server/jobs/define.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { reimbursed } from '#modules/inventory/server/index.ts';
import { uploadUndone } from '#modules/marketplace/server/index.ts';
import { remind } from '#modules/message/server/index.ts';
import { claimCase } from '../../contract/claim/claim.ts';
import { ADD } from '../../contract/fields.ts';
import { remindExpired } from '../quote-request/tell.ts';
import { remindArrivals } from '../shipment/arrivals.ts';
import { DEADLINE, UNFILED } from './list.ts';
import { CLAIM_EVENT } from './settle.ts';

/** Matching is work of its own: what stands in its way must not keep a report from being read. */
function payLater(ctx: Ctx, accountId?: string): Promise<void> {
  const payload = { companyId: ctx.companyId, ...(accountId ? { accountId } : {}) };
  return enqueue(ctx, 'shipping.payClaims', payload, { key: `shipping.payClaims:${accountId ?? ctx.companyId}` });
}

export const claimHandlers: Handler[] = [
  on(reimbursed, (ctx, { accountId }) => payLater(ctx, accountId)),
  on(uploadUndone, (ctx) => payLater(ctx)),
];

/** People are told so many days before a deadline. */
const AHEAD = [14, 5];

/** Tells of claims that nobody handed in yet and whose deadline is near; once for each and each distance. */
async function remindDue(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ id: string; number: string; until: string; left: number }>`
    SELECT d.id, d.number, ${DEADLINE} AS until, ${DEADLINE} - kit.day(kit.now()) AS left FROM shipping.discrepancy AS d
     WHERE d.company_id = ${ctx.companyId} AND ${UNFILED}
       AND ${DEADLINE} BETWEEN kit.day(kit.now()) AND kit.day(kit.now()) + ${Math.max(...AHEAD)}::int`.execute(ctx.db);
  for (const { id, number, until, left } of rows) {
    const ahead = AHEAD.findLast((days) => left <= days) ?? 0;
    await remind(ctx, {
      event: CLAIM_EVENT,
      to: { permission: ADD },
      title: `货件差异 ${number} 的索赔 ${left} 天后截止`,
      content: `索赔截止日为 ${until}，请尽快核查并提交。`,
      documentType: claimCase.name,
      documentId: id,
      dedupeKey: `${CLAIM_EVENT}.due:${id}:${until}:${ahead}`,
    });
  }
}

/** Every company whose shipments differ, one after the other; one that fails does not keep the others from their turn. */
export const dueJob: JobDef = job('shipping.claimsDue', async (runtime: Runtime) => {
  const { rows } = await inSystem(runtime, (db) =>
    sql<{ id: string }>`SELECT company_id AS id FROM identity.company`.execute(db),
  );
  for (const { id } of rows) {
    try {
      await inTenant(runtime, systemPrincipal(id), remindDue);
      await inTenant(runtime, systemPrincipal(id), remindArrivals);
      await inTenant(runtime, systemPrincipal(id), remindExpired);
    } catch (error) {
      runtime.log.error({ err: error, companyId: id }, 'deadlines of claims, arrivals and quotes failed');
    }
  }
});

export const DUE_CRON: CronItem = { pattern: '30 0 * * *', job: 'shipping.claimsDue' };
