import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type Handler, on } from '#kit/server/events.ts';
import { type CronItem, type JobDef, job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { uploadUndone } from '#modules/marketplace/server/index.ts';
import { remind } from '#modules/message/server/index.ts';
import { CLAIM_EDIT, fbaClaim, UNFILED } from '../../contract/claims.ts';
import { eachAccount, type PerAccount } from '../each-account.ts';
import { refreshFeeAudit } from '../fee-audit/refresh.ts';
import { reimbursed } from '../reimbursed.ts';
import { findClaims } from './find.ts';
import { findLater } from './later.ts';

/** Name under which people choose where they hear of deadlines. */
export const CLAIM_EVENT = 'inventory.claim';

export const claimHandlers: Handler[] = [
  on(reimbursed, (ctx, { accountId }) => findLater(ctx, accountId)),
  on(uploadUndone, (ctx) => findLater(ctx)),
];

/** People are told so many days before a deadline. */
const AHEAD = [10, 3];

/** Tells of claims that nobody handed in yet and whose deadline is near: one message for a deadline and distance, however many. */
export async function remindDue(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ id: string; number: string; count: number; until: string; left: number }>`
    SELECT (array_agg(c.id ORDER BY c.id))[1] AS id, min(c.number) AS number, count(*)::int AS count, c.deadline AS until,
           c.deadline - kit.day(kit.now()) AS left
      FROM inventory.claim AS c
     WHERE c.company_id = ${ctx.companyId} AND c.state = ANY (${[...UNFILED]}::text[]) AND c.opens_on <= kit.day(kit.now())
       AND c.deadline BETWEEN kit.day(kit.now()) AND kit.day(kit.now()) + ${Math.max(...AHEAD)}::int
     GROUP BY c.deadline ORDER BY c.deadline`.execute(ctx.db);
  for (const { id, number, count, until, left } of rows) {
    const ahead = AHEAD.findLast((days) => left <= days) ?? 0;
    await remind(ctx, {
      event: CLAIM_EVENT,
      to: { permission: CLAIM_EDIT },
      title: `${count === 1 ? `FBA索赔 ${number}` : `${count} 条FBA索赔`} ${left} 天后截止`,
      content: `索赔截止日为 ${until}，请尽快在 Seller Central 提交，并在「索赔发现」登记 Case 编号。`,
      ...(count === 1 ? { documentType: fbaClaim.name, documentId: id } : {}),
      dedupeKey: `${CLAIM_EVENT}.due:${until}:${ahead}`,
    });
  }
}

/** Every company one after the other; one that fails does not keep the others from their turn. */
async function nightly(runtime: Runtime): Promise<void> {
  const { rows } = await inSystem(runtime, (db) =>
    sql<{ id: string }>`SELECT company_id AS id FROM identity.company`.execute(db),
  );
  for (const { id } of rows) {
    try {
      await eachAccount(runtime, { companyId: id }, refreshFeeAudit);
      await eachAccount(runtime, { companyId: id }, findClaims);
      await inTenant(runtime, systemPrincipal(id), remindDue);
    } catch (error) {
      runtime.log.error({ err: error, companyId: id }, 'claims of the night failed');
    }
  }
}

export const claimJobs: JobDef[] = [
  job<PerAccount>('inventory.findClaims', (runtime, payload) => eachAccount(runtime, payload, findClaims)),
  job('inventory.claimsNightly', nightly),
];

export const CLAIM_CRON: CronItem = { pattern: '40 0 * * *', job: 'inventory.claimsNightly' };
