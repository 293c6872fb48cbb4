import { type RawBuilder, sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import type { Ctx } from '#kit/server/context.ts';
import { transition } from '#kit/server/document.ts';
import { type ClaimState, claimCase } from '../../contract/claim/claim.ts';
import { CLAIMS, type Claim } from './load.ts';

export type AnyClaimStep = keyof typeof claimCase.transitions;

interface Step {
  reason?: string | undefined;
  stamp?: Readonly<Record<string, RawBuilder<unknown>>>;
}

/** Takes a step of a discrepancy that is locked, in the caller's name and right. */
export async function step(ctx: Ctx, claim: Claim, name: AnyClaimStep, { reason, stamp }: Step = {}): Promise<Outcome> {
  const kind = {
    def: claimCase,
    table: CLAIMS,
    load: async () => claim,
    held: claim,
    stamp: { ...stamp, updated_by_name: sql`${ctx.userName}`, updated_at: sql`kit.now()` },
  };
  const state = await transition(ctx, kind, claim.id, name, { reason });
  const version = claim.version + 1;
  const message = `货件差异${claim.number}${claimCase.transitions[name].title}成功`;
  return { id: claim.id, number: claim.number, state, version, repeated: false, message };
}

/** Takes a step that follows from what happened elsewhere: whoever caused it need not have the right to it. */
export async function follow(ctx: Ctx, claim: Claim, name: AnyClaimStep, reason?: string): Promise<Claim> {
  const { state, version } = await step({ ...ctx, permissions: undefined }, claim, name, { reason });
  return { ...claim, state: state as ClaimState, version };
}
