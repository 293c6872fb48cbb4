import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { type AppError, refused, sessionLost } from '#kit/server/errors.ts';
import type { PublicCtx } from '#kit/server/http/serve.ts';
import { inSystem } from '#kit/server/runtime.ts';
import { normalised } from './account.ts';
import { refuseIfLocked } from './lockout.ts';
import { passwordFits, pretendToCheck } from './password.ts';
import { openSession } from './sessions.ts';

interface Member {
  company_id: string;
  id: string;
  password_hash: string;
  user_type: string;
  is_disabled: boolean;
  expired: boolean;
  company_status: string;
}

async function memberOf(db: Db, account: string): Promise<Member | undefined> {
  const { rows } = await sql<Member>`
    SELECT m.company_id, m.id, m.password_hash, m.user_type, m.is_disabled, c.status AS company_status,
           (m.expire_date < (now() AT TIME ZONE c.time_zone)::date) IS TRUE AS expired
      FROM identity.member m JOIN identity.company c USING (company_id)
     WHERE m.account = ${account} AND m.deleted_at IS NULL`.execute(db);
  return rows[0];
}

function obstacleOf(member: Member): AppError | undefined {
  if (member.company_status !== 'active') return refused(sessionLost('S0003').message, 'B0103');
  if (member.is_disabled) return refused(sessionLost('S0001').message, 'B0104');
  if (member.expired) return refused(sessionLost('S0002').message, 'B0105');
  return undefined;
}

export interface LoginInput {
  account: string;
  password: string;
  uid?: string | undefined;
}

async function record(ctx: PublicCtx, account: string, member: Member | undefined, ok: boolean, reason: string | null) {
  await inSystem(ctx.runtime, (db) =>
    db
      .insertInto('identity.login_log')
      .values({
        account: account.slice(0, 254),
        company_id: member?.company_id ?? null,
        member_id: member?.id ?? null,
        ok,
        reason,
        ip: ctx.ip,
        user_agent: ctx.userAgent.slice(0, 300),
      })
      .execute(),
  );
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
 * Checks account and password and opens a session. Unknown accounts, wrong passwords and locks look the same from
 * outside and cost the same time.
 */
export async function logIn(ctx: PublicCtx, input: LoginInput): Promise<{ session: string; id: string }> {
  const account = normalised(input.account);
  const member = await inSystem(ctx.runtime, async (db) => {
    await refuseIfLocked(db, account, ctx.ip);
    return memberOf(db, account);
  });
  const { pepper } = ctx.runtime.secrets;
  const fits = member ? await passwordFits(member.password_hash, input.password, pepper) : false;
  if (!member) await pretendToCheck(input.password, pepper);
  if (!member || !fits) {
    await record(ctx, account, member, false, 'password');
    throw refused('账号或密码错误', 'B0102');
  }
  const obstacle = obstacleOf(member);
  if (obstacle) {
    await record(ctx, account, member, false, 'state');
    throw obstacle;
  }
  const token = await inSystem(ctx.runtime, (db) =>
    openSession(db, {
      companyId: member.company_id,
      memberId: member.id,
      userType: member.user_type,
      loginType: 'api',
      uid: input.uid ?? null,
      ip: ctx.ip,
      userAgent: ctx.userAgent,
    }),
  );
  await record(ctx, account, member, true, null);
  return { session: token, id: member.id };
}
