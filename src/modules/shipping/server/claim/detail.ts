import { sql } from 'kysely';
import { actionsOf } from '#kit/contract/document.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { type ClaimPayment, type ClaimRow, claimCase } from '../../contract/claim/claim.ts';
import { claimRow } from './list.ts';
import { factsOf } from './pack/facts.ts';
import { caseText } from './pack/text.ts';

/** One discrepancy as its list shows it. @throws notFound for one out of reach */
export async function claimRowOf(ctx: Ctx, id: string): Promise<ClaimRow> {
  const row = await claimRow(ctx, id);
  if (!row) throw notFound('货件差异不存在或已删除');
  return row;
}

async function paymentsOf(ctx: Ctx, id: string): Promise<ClaimPayment[]> {
  const { rows } = await sql<ClaimPayment>`
    SELECT id, reimbursement_id AS "reimbursementId", reason, qty, trim_scale(amount)::text AS amount, currency,
           paid_at AS "paidAt", original_id AS "originalId", manual
      FROM shipping.claim_payment WHERE company_id = ${ctx.companyId} AND discrepancy_id = ${id}
     ORDER BY paid_at, reimbursement_id`.execute(ctx.db);
  return rows;
}

/** Everything that the page of a discrepancy shows. @throws notFound */
export async function claimPageOf(ctx: Ctx, id: string) {
  const claim = await claimRowOf(ctx, id);
  const codes = Object.values(claimCase.transitions).map((rule) => rule.permission);
  return {
    claim,
    payments: await paymentsOf(ctx, id),
    text: caseText(await factsOf(ctx, id)),
    actions: actionsOf(claimCase, claim.state, new Set(codes.filter((code) => can(ctx, code)))),
    timeline: await timelineOf(ctx, claimCase.name, id),
  };
}
