import { refused } from '#kit/server/errors.ts';
import type { PublicCtx } from '#kit/server/http/serve.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { normalised } from '../contract/account.ts';
import { captchaOf } from './captcha-service.ts';
import { enter } from './enter.ts';
import { tellOfFailures } from './failures.ts';
import { failuresFrom, queueFor, refuseIfLocked } from './lockout.ts';
import { type Caller, type LoginMember, memberByAccount, writeLogin } from './members.ts';
import { admit, passwordFits, pretendToCheck } from './password.ts';
import { strengthen } from './passwords/strengthen.ts';

export interface LoginInput {
  account: string;
  password: string;
  uid?: string | undefined;
}

/** The captcha's proof inside `verifition`: JSON text {"captchaVerification": "…"} or the bare value. */
export function captchaProof(verifition: string | undefined): string | undefined {
  if (!verifition) return undefined;
  if (!verifition.startsWith('{')) return verifition;
  try {
    const parsed: unknown = JSON.parse(verifition);
    const proof = (parsed as { captchaVerification?: unknown } | null)?.captchaVerification;
    return typeof proof === 'string' ? proof : undefined;
  } catch {
    return undefined;
  }
}

/**
 * The member whose account and password these are. Unknown accounts, wrong passwords and locks look the same from
 * outside and cost the same time; failures count towards the locks of account and address.
 */
export function proveAccount(ctx: Caller, input: Pick<LoginInput, 'account' | 'password'>): Promise<LoginMember> {
  return admit(() => prove(ctx, input));
}

async function prove(ctx: Caller, input: Pick<LoginInput, 'account' | 'password'>): Promise<LoginMember> {
  const account = normalised(input.account);
  const member = await inSystem(ctx.runtime, async (db) => {
    await refuseIfLocked(db, account, ctx.ip);
    return memberByAccount(db, account);
  });
  const { pepper } = ctx.runtime.secrets;
  const fits = member ? await passwordFits(member.password_hash, input.password, pepper) : false;
  if (!member) await pretendToCheck(input.password, pepper);
  // Guesses sent all at once have all passed the first look; the lock that one of them earned holds for the rest.
  const { failures, fromHere } = await inSystem(ctx.runtime, async (db) => {
    await queueFor(db, account, ctx.ip);
    const before = await refuseIfLocked(db, account, ctx.ip);
    if (!fits) await writeLogin(db, ctx, account, member, false, 'password');
    return { failures: before + 1, fromHere: fits ? 0 : await failuresFrom(db, ctx.ip) };
  });
  // The address gets harder pictures, whichever accounts it tries.
  if (ctx.runtime.config.captcha) await captchaOf(ctx.runtime).escalate(ctx.ip, fromHere);
  if (!fits) tellOfFailures(ctx.runtime, member, account, failures, ctx.ip);
  if (!member || !fits) throw refused('账号或密码错误', 'B0102');
  await strengthen(ctx, member, input.password);
  return member;
}

/** Checks account and password and opens a session, or answers 428 where a second factor is due. */
export async function logIn(
  ctx: PublicCtx,
  input: LoginInput,
  device?: string,
): Promise<{ session: string; id: string }> {
  const member = await proveAccount(ctx, input);
  return enter(ctx, member, { loginType: 'api', uid: input.uid, device });
}
