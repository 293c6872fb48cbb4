import { invalid, refused } from '#kit/server/errors.ts';
import type { PublicCtx } from '#kit/server/http/serve.ts';
import { inSystem, systemPrincipal } from '#kit/server/runtime.ts';
import { normalised } from '../../contract/account.ts';
import { type PasswordReset, resetProblem } from '../../contract/registration.ts';
import { consumeCode, requireVerified, verifyCode } from '../codes/check.ts';
import { changePassword } from '../passwords/change.ts';

async function memberOf(ctx: PublicCtx, account: string) {
  return inSystem(ctx.runtime, (db) =>
    db
      .selectFrom('identity.member')
      .select(['company_id', 'id', 'name'])
      .where('account', '=', account)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  );
}

async function reset(ctx: PublicCtx, form: PasswordReset): Promise<void> {
  const account = normalised(form.account);
  const code = { key: form.key, code: form.code, purpose: 'losepassword', target: account } as const;
  const member = await memberOf(ctx, account);
  // Nobody has the code of an account that does not exist; should somebody guess it, he learns nothing.
  if (!member) throw refused('验证码错误或已失效', 'B0110');
  await changePassword(ctx.runtime, systemPrincipal(member.company_id, member.name), {
    memberId: member.id,
    password: form.password,
    before: (tenant) => consumeCode(tenant.db, code),
  });
}

function refuseBadForm(form: PasswordReset): void {
  const problem = resetProblem(form);
  if (problem) throw invalid([{ ...problem, title: '' }]);
}

/** Sets the password of whoever holds the code sent to his account, and ends all his sessions. */
export async function resetPassword(ctx: PublicCtx, form: PasswordReset): Promise<void> {
  refuseBadForm(form);
  const { key, code, account } = form;
  await verifyCode(ctx.runtime, { key, code, purpose: 'losepassword', target: account });
  await reset(ctx, form);
}

/** The same for a code that was verified in an earlier call; any other is refused before anything is looked at. */
export async function resetVerified(ctx: PublicCtx, form: PasswordReset): Promise<void> {
  refuseBadForm(form);
  const { key, code, account } = form;
  const verified = { key, code, purpose: 'losepassword', target: account } as const;
  await inSystem(ctx.runtime, (db) => requireVerified(db, verified));
  await reset(ctx, form);
}
