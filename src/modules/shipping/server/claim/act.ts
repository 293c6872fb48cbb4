import { sql } from 'kysely';
import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { requireFresh } from '#kit/server/document-outcome.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import type { ClaimStep, checkClaim, fileClaim, payClaim } from '../../contract/claim/calls.ts';
import { Cause, claimCase, OPEN_STATES } from '../../contract/claim/claim.ts';
import { type Claim, claimOf } from './load.ts';
import { reckon } from './payments.ts';
import { step } from './step.ts';

const causes = Cause.meta()?.states ?? {};

async function fresh(ctx: Ctx, { id, version }: { id: string; version?: number | undefined }): Promise<Claim> {
  const claim = await claimOf(ctx, id, true);
  requireFresh(claim, version);
  return claim;
}

/** @throws refused B1331 for pieces that came too many: nobody owes anything for them */
function requireShort(claim: Claim): void {
  if (claim.kind !== 'SHORT') throw refused('多收的差异不能索赔，核对后请关闭', 'B1331');
}

/** Says whose doing a discrepancy is: what we did not send ends it, all else is to be claimed. */
export async function check(ctx: Ctx, input: z.output<typeof checkClaim.body>): Promise<Outcome> {
  const claim = await fresh(ctx, input);
  const reason = [causes[input.cause]?.title, input.remark].filter(Boolean).join('：');
  const stamp = { cause: sql`${input.cause}`, remark: sql`${input.remark}` };
  if (input.cause === 'SELLER') return step(ctx, claim, 'close', { reason, stamp });
  requireShort(claim);
  return step(ctx, claim, 'check', { reason, stamp });
}

/** Notes that a claim was handed in at the marketplace under a case number. @throws refused B1331 */
export async function file(ctx: Ctx, input: z.output<typeof fileClaim.body>): Promise<Outcome> {
  const claim = await fresh(ctx, input);
  requireShort(claim);
  const day = input.filedOn ?? ctx.clock.today();
  const stamp = {
    case_no: sql`${input.caseNo}`,
    filed_on: sql`${day}::date`,
    cause: sql`coalesce(cause, 'AMAZON')`,
  };
  return step(ctx, claim, 'file', { reason: `案件号 ${input.caseNo}`, stamp });
}

/**
 * Enters a payment that the marketplace's reports do not tell of yet.
 * @throws refused B1331, B1332 where the payment is known; conflict for a case that is closed
 */
export async function pay(ctx: Ctx, input: z.output<typeof payClaim.body>): Promise<Outcome> {
  const claim = await fresh(ctx, input);
  requireShort(claim);
  if (!OPEN_STATES.includes(claim.state)) {
    throw conflict(`单据状态为【${claimCase.states[claim.state].title}】，不能执行【登记赔付】`);
  }
  const { reimbursementId, qty, amount, currency } = input;
  const { rows } = await sql`
    SELECT FROM shipping.claim_payment AS p
      JOIN shipping.discrepancy AS d ON d.company_id = p.company_id AND d.id = p.discrepancy_id
     WHERE p.company_id = ${ctx.companyId} AND p.reimbursement_id = ${reimbursementId} AND d.account_id = ${claim.account}
       AND d.msku = ${claim.msku} LIMIT 1`.execute(ctx.db);
  if (rows.length > 0) throw refused(`赔偿编号 ${reimbursementId} 已登记`, 'B1332');
  const paidAt = input.paidOn === null ? sql`kit.now()` : sql`${input.paidOn}::date`;
  await sql`
    INSERT INTO shipping.claim_payment (company_id, discrepancy_id, reimbursement_id, reason, qty, amount, currency, paid_at, manual)
    VALUES (${ctx.companyId}, ${claim.id}, ${reimbursementId}, '手工登记', ${qty}, ${amount}, ${currency}, ${paidAt}, true)`.execute(
    ctx.db,
  );
  const body = `${reimbursementId}：${qty} 件 ${amount} ${currency}`;
  await note(ctx, claimCase.name, claim.id, { kind: 'note', title: '登记赔付', body });
  await audit(ctx, {
    action: '货件差异·登记赔付',
    resource: claimCase.name,
    resourceId: claim.id,
    after: { number: claim.number, reimbursementId, qty, amount, currency },
  });
  const { state, version } = await reckon(ctx, claim);
  return { id: claim.id, number: claim.number, state, version, repeated: false, message: '赔付已登记' };
}

/** A step that asks for nothing but a reason. */
export async function take(
  ctx: Ctx,
  name: ClaimStep,
  input: { id: string; version?: number | undefined; reason: string },
): Promise<Outcome> {
  return step(ctx, await fresh(ctx, input), name, { reason: input.reason });
}
