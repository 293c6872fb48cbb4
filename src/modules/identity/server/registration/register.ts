import { randomUUID } from 'node:crypto';
import { audit } from '#kit/server/audit.ts';
import { invalid, refused } from '#kit/server/errors.ts';
import { emit, event } from '#kit/server/events.ts';
import type { PublicCtx } from '#kit/server/http/serve.ts';
import { inSystem, inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { normalised } from '../../contract/account.ts';
import { type Registration, registrationProblem } from '../../contract/registration.ts';
import { consumeCode, verifyCode } from '../codes/check.ts';
import { createCompanyWith } from '../companies.ts';
import { insertDefaultRoles } from '../organisation/default-roles.ts';
import { admit, hashPassword } from '../password.ts';
import { passwordObjection } from '../passwords/rules.ts';

/** A company was made, in the transaction that made it: modules add what a new one starts with. */
export const companyCreated = event<{ ownerId: string }>('identity.companyCreated');

const UNIQUE_VIOLATION = '23505';

const exists = () => refused('账号已存在，请直接登录', 'B0113');

async function isTaken(ctx: PublicCtx, account: string): Promise<boolean> {
  const row = await inSystem(ctx.runtime, (db) =>
    db
      .selectFrom('identity.member')
      .select('id')
      .where('account', '=', account)
      .where('deleted_at', 'is', null)
      .executeTakeFirst(),
  );
  return row !== undefined;
}

function refuseBadForm(form: Registration): void {
  const problem = registrationProblem(form);
  if (problem) throw invalid([{ ...problem, title: '' }]);
  const objection = passwordObjection(form.password, { account: form.account, name: form.name, email: form.email });
  if (objection) throw invalid([{ field: 'password', title: '密码', msg: objection }]);
}

/**
 * Makes a company, its owner and its first roles, all or nothing, for whoever holds the code sent to the phone. That an account exists is told only after
 * the code was right. Errors: 400 with the first wrong field, B0110 and B0111 of the code, B0113.
 */
export async function registerCompany(ctx: PublicCtx, form: Registration): Promise<void> {
  refuseBadForm(form);
  const { runtime } = ctx;
  const account = normalised(form.account);
  const code = { key: form.key, code: form.code, purpose: 'register', target: account } as const;
  await verifyCode(runtime, code);
  if (await isTaken(ctx, account)) throw exists();
  const passwordHash = await admit(() => hashPassword(form.password, runtime.secrets.pepper));
  const companyId = randomUUID();
  const made = inTenant(
    runtime,
    systemPrincipal(companyId, form.name.trim()),
    async (tenant) => {
      await consumeCode(tenant.db, code);
      const owner = { account, name: form.name.trim(), email: form.email.trim().toLowerCase(), tel: account };
      const ownerId = await createCompanyWith(tenant.db, companyId, { name: form.company.trim(), owner }, passwordHash);
      await insertDefaultRoles(tenant);
      await emit(tenant, companyCreated, { ownerId });
      await audit(tenant, { action: '注册', resource: 'identity.company', resourceId: companyId, after: { account } });
    },
    { ip: ctx.ip, requestId: ctx.requestId },
  );
  await made.catch((error: unknown) => {
    // Two registrations of one phone at once: the second learns what it would have learnt a moment later.
    const { code: state, constraint } = error as { code?: unknown; constraint?: unknown };
    if (state === UNIQUE_VIOLATION && constraint === 'member_account') throw exists();
    throw error;
  });
}
