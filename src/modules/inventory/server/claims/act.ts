import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { transition } from '#kit/server/document.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import type { answerClaim, fileClaim } from '../../contract/claim-calls.ts';
import { fbaClaim } from '../../contract/claims.ts';
import { CLAIMS, type Claim, claimOf } from './load.ts';

type Stamp = Readonly<Record<string, RawBuilder<unknown>>>;

/** @throws notFound; conflict where somebody changed the claim since the caller saw it */
async function fresh(ctx: Ctx, { id, version }: { id: string; version?: number | undefined }): Promise<Claim> {
  const claim = await claimOf(ctx, id, true);
  if (version !== undefined && version !== claim.version) {
    throw conflict(`数据已被 ${claim.updatedByName || '他人'} 修改，请刷新后重试`);
  }
  return claim;
}

async function step(
  ctx: Ctx,
  claim: Claim,
  name: keyof typeof fbaClaim.transitions,
  reason: string,
  stamp: Stamp = {},
): Promise<Outcome> {
  const kind = {
    def: fbaClaim,
    table: CLAIMS,
    load: async () => claim,
    held: claim,
    stamp: { ...stamp, updated_by_name: sql`${ctx.userName}`, updated_at: sql`kit.now()` },
  };
  const state = await transition(ctx, kind, claim.id, name, { reason });
  const message = `索赔单${claim.number}${fbaClaim.transitions[name].title}成功`;
  return { id: claim.id, number: claim.number, state, version: claim.version + 1, repeated: false, message };
}

/**
 * Notes that a claim was handed in at Amazon under a case number; after an answer that was not accepted it is the appeal.
 * @throws refused B0561 before or after its time, B0562 for a second appeal, conflict in another state
 */
export async function file(ctx: Ctx, input: z.output<typeof fileClaim.body>): Promise<Outcome> {
  const claim = await fresh(ctx, input);
  const appeal = claim.state === 'partial' || claim.state === 'denied';
  const day = input.filedOn ?? ctx.clock.today();
  if (appeal && claim.appealed) throw refused('该索赔已申诉过一次，不能再次申诉', 'B0562');
  if (claim.state === 'candidate') throw refused(`可申请日为 ${claim.opensOn}，尚不能提交`, 'B0561');
  if (!appeal && (claim.state === 'expired' || day > claim.deadline)) {
    throw refused(`已超过索赔期限 ${claim.deadline}`, 'B0561');
  }
  return step(ctx, claim, appeal ? 'appeal' : 'file', `Case ${input.caseNo}`, {
    case_no: sql`${input.caseNo}`,
    filed_on: sql`${day}::date`,
    ...(appeal ? { appealed: sql`true` } : {}),
  });
}

const ANSWERS = { APPROVED: 'approve', PARTIAL: 'approvePart', DENIED: 'deny' } as const;

/** Enters what Amazon answered. Money comes by its reports alone. @throws refused B0563 for pieces that do not fit the answer */
export async function answer(ctx: Ctx, input: z.output<typeof answerClaim.body>): Promise<Outcome> {
  const claim = await fresh(ctx, input);
  const { result, remark } = input;
  if (result === 'PARTIAL' && (input.granted === null || input.granted >= claim.qty)) {
    throw refused(`部分批准的批准数量必须小于可索赔数量 ${claim.qty}`, 'B0563');
  }
  const granted = result === 'DENIED' ? 0 : (input.granted ?? claim.qty);
  if (granted > claim.lost) throw refused(`批准数量不能超过发生数量 ${claim.lost}`, 'B0563');
  const reason = [`批准 ${granted} 件`, remark].filter(Boolean).join('：');
  return step(ctx, claim, ANSWERS[result], reason, { granted: sql`${granted}::int` });
}

/** Claims it no more, for a reason. */
export async function dismiss(
  ctx: Ctx,
  input: { id: string; version?: number | undefined; reason: string },
): Promise<Outcome> {
  return step(ctx, await fresh(ctx, input), 'dismiss', input.reason);
}
