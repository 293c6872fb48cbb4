import type pg from 'pg';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, invalid, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { EMAIL, normalised, PHONE } from '../../../contract/account.ts';
import type { ScopeGrant } from '../../../contract/roles.ts';
import type { SubUserForm } from '../../../contract/sub-users.ts';
import { admit, hashPassword } from '../../password.ts';
import { passwordObjection } from '../../passwords/rules.ts';
import { closeSessionsOf } from '../../sessions.ts';
import { changes } from '../changes.ts';
import { requireRoom } from '../plan.ts';
import { requireMayChange, requireNoMorePower, targetOf } from './guard.ts';
import { oneTimePassword } from './one-time.ts';
import { assign, assignedTo, requireDepartment } from './rights.ts';

export const MEMBER = 'identity.member';

type Form = { [K in keyof SubUserForm]?: SubUserForm[K] | undefined };
interface RightsForm {
  roleIds?: readonly string[] | undefined;
  scopes?: readonly ScopeGrant[] | undefined;
}

/** The account as it is kept. @throws AppError 400 where it is neither a phone nor an e-mail */
export function accountOf(text: string): string {
  const account = normalised(text);
  if (!PHONE.test(account) && !(EMAIL.test(account) && account.length <= 254)) {
    throw invalid([{ field: 'account', title: '登录账号', msg: '登录账号须为手机号或邮箱' }]);
  }
  return account;
}

function emailOf(text: string | undefined): string | null | undefined {
  if (text === undefined) return undefined;
  if (text === '') return null;
  if (!EMAIL.test(text)) throw invalid([{ field: 'email', title: '邮箱', msg: '请输入正确的邮箱' }]);
  return text.toLowerCase();
}

const UNIQUE_VIOLATION = '23505';

/** Accounts are unique across companies, so only the database knows whether one is free. */
function asTaken(error: unknown): unknown {
  const { code, constraint } = error as Partial<pg.DatabaseError>;
  return code === UNIQUE_VIOLATION && constraint === 'member_account' ? refused('该账号已被使用', 'B0161') : error;
}

export interface NewPerson extends SubUserForm, RightsForm {
  passwordHash: string;
  /** Somebody else made the password up: its owner changes it at the first log-in. */
  mustChange?: boolean;
}

/** Adds people in the caller's transaction, all or none; answers their ids in order. */
export async function insertPeople(ctx: Ctx, people: readonly NewPerson[]): Promise<string[]> {
  await requireRoom(ctx, 'users', people.length);
  const ids: string[] = [];
  for (const person of people) ids.push(await insertPerson(ctx, person));
  return ids;
}

async function insertPerson(ctx: Ctx, person: NewPerson): Promise<string> {
  const { passwordHash, mustChange, roleIds, scopes, ...form } = person;
  await requireDepartment(ctx, form.deptId);
  const account = accountOf(form.account);
  const row = await ctx.db
    .insertInto('identity.member')
    .values({
      company_id: ctx.companyId,
      account,
      password_hash: passwordHash,
      must_change_password: mustChange ?? false,
      name: form.name,
      dept_id: form.deptId ?? null,
      email: emailOf(form.email) ?? null,
      tel: form.tel || null,
      expire_date: form.expireDate ?? null,
      remark: form.remark || null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
    .catch((error: unknown) => {
      throw asTaken(error);
    });
  await assign(ctx, row.id, { roleIds: [], scopes: [] }, { roleIds: roleIds ?? [], scopes: scopes ?? [] });
  await audit(ctx, {
    action: '新增子账号',
    resource: MEMBER,
    resourceId: row.id,
    after: { ...form, account, roleIds: roleIds ?? [], scopes: scopes ?? [] },
  });
  return row.id;
}

/** Adds one person. A password that was made up is in the answer and nowhere else. */
export async function addPerson(
  open: OpenCtx,
  { password, ...form }: SubUserForm & RightsForm & { password?: string | undefined },
): Promise<{ id: string; password: string | null }> {
  const given = password || oneTimePassword();
  const objection = password ? passwordObjection(password, { ...form, email: form.email ?? null }) : undefined;
  if (objection) throw invalid([{ field: 'password', title: '初始密码', msg: objection }]);
  accountOf(form.account);
  const passwordHash = await admit(() => hashPassword(given, open.runtime.secrets.pepper));
  const options = { requestId: open.requestId, ip: open.ip };
  const [id] = await inTenant(
    open.runtime,
    open.principal,
    (ctx) => insertPeople(ctx, [{ ...form, passwordHash, mustChange: true }]),
    options,
  );
  return { id: id ?? '', password: password ? null : given };
}

const NAMES = {
  name: 'name',
  deptId: 'dept_id',
  email: 'email',
  tel: 'tel',
  expireDate: 'expire_date',
  remark: 'remark',
  account: 'account',
} as const;

function valuesOf(form: Form): Record<string, string | null> {
  const email = emailOf(form.email);
  const given: Form & { email?: string | null | undefined } = {
    ...form,
    account: form.account === undefined ? undefined : accountOf(form.account),
  };
  const values = Object.entries({ ...given, email }).filter(([, value]) => value !== undefined);
  return Object.fromEntries(
    values.flatMap(([key, value]) => {
      const column = NAMES[key as keyof typeof NAMES];
      return column ? [[column, value === '' ? null : (value as string | null)]] : [];
    }),
  );
}

/**
 * Changes a person and what he may. Nobody changes his own rights.
 * @throws AppError 409 where somebody else changed him since `version` was read
 */
export async function savePerson(
  ctx: Ctx,
  id: string,
  { version, roleIds, scopes, ...form }: Form & RightsForm & { version: number },
): Promise<void> {
  const target = await targetOf(ctx, id);
  await requireMayChange(ctx, target);
  if (target.version !== version) throw conflict();
  await requireDepartment(ctx, form.deptId);
  const values = valuesOf(form);
  if (values.account !== undefined && values.account !== target.account) await requireNoMorePower(ctx, target);
  const stored = await ctx.db
    .selectFrom('identity.member')
    .select(['name', 'account', 'dept_id', 'email', 'tel', 'expire_date', 'remark'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const before = await assignedTo(ctx, id);
  const touches = roleIds !== undefined || scopes !== undefined;
  if (touches && id === ctx.userId) throw refused('不能修改本人的权限', 'B0165');
  if (touches && target.user_type === 'owner') throw refused('主账号拥有全部权限，无需设置', 'B0166');
  const after = touches ? await assign(ctx, id, before, { roleIds, scopes }) : before;
  await ctx.db
    .updateTable('identity.member')
    .set({ ...values, version: version + 1 })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute()
    .catch((error: unknown) => {
      throw asTaken(error);
    });
  if (values.account && values.account !== target.account) {
    await closeSessionsOf(ctx, { companyId: ctx.companyId, memberId: id }, '登录账号已修改，请重新登录');
  }
  const diff = changes({ ...stored, ...before }, { ...stored, ...values, ...after });
  await audit(ctx, { action: '修改子账号', resource: MEMBER, resourceId: id, ...(diff ?? { after: {} }) });
}
