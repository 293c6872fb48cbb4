import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { OWNER_DIMENSION } from '../../../contract/roles.ts';
import type { Reason } from '../../../contract/sub-users.ts';
import { granted, type MemberRights, rightsOf } from '../../data-scope.ts';
import { titlesOf } from '../catalogue.ts';
import { registered } from '../scopes.ts';

interface Person {
  name: string;
  user_type: string;
  is_disabled: boolean;
  expired: boolean;
  company_status: string;
}

async function personOf(ctx: Ctx, id: string): Promise<Person> {
  const { rows } = await sql<Person>`
    SELECT m.name, m.user_type, m.is_disabled, c.status AS company_status,
           (m.expire_date < (kit.now() AT TIME ZONE c.time_zone)::date) IS TRUE AS expired
      FROM identity.member m JOIN identity.company c USING (company_id)
     WHERE m.company_id = ${ctx.companyId} AND m.id = ${id} AND m.deleted_at IS NULL`.execute(ctx.db);
  if (!rows[0]) throw notFound();
  return rows[0];
}

/** Names of a person's roles, and of those that hold a code. */
async function rolesOf(ctx: Ctx, id: string, code: string): Promise<{ name: string; holds: boolean }[]> {
  const { rows } = await sql<{ name: string; holds: boolean }>`
    SELECT r.name, EXISTS (SELECT FROM identity.role_permission p
             WHERE p.company_id = r.company_id AND p.role_id = r.id AND p.code = ${code}) AS holds
      FROM identity.member_role mr JOIN identity.role r ON r.company_id = mr.company_id AND r.id = mr.role_id
     WHERE mr.company_id = ${ctx.companyId} AND mr.member_id = ${id} ORDER BY r.name`.execute(ctx.db);
  return rows;
}

function accountReasons(person: Person): Reason[] {
  if (person.company_status !== 'active') return [{ ok: false, text: '公司已停用' }];
  if (person.is_disabled) return [{ ok: false, text: '账号已停用，不能登录' }];
  if (person.expired) return [{ ok: false, text: '账号已过期，不能登录' }];
  return [{ ok: true, text: '账号状态正常' }];
}

const quoted = (names: readonly string[]) => names.map((name) => `「${name}」`).join('、');

async function codeReasons(ctx: Ctx, id: string, code: string, title: string): Promise<Reason[]> {
  const roles = await rolesOf(ctx, id, code);
  if (roles.length === 0) return [{ ok: false, text: '没有任何角色，只能看到首页' }];
  const holding = roles.filter((role) => role.holds).map((role) => role.name);
  if (holding.length > 0) return [{ ok: true, text: `角色${quoted(holding)}包含权限「${title}」` }];
  return [
    {
      ok: false,
      text: `角色${quoted(roles.map((role) => role.name))}${roles.length > 1 ? '都' : ''}不包含权限「${title}」（${code}）`,
    },
  ];
}

interface Asked {
  dimension: string;
  title: string;
  target: string;
  name: string;
}

function dataReasons(rights: MemberRights, code: string, asked: Asked): Reason[] {
  const { dimension, title, target, name } = asked;
  if (!rights.dimensions.includes(dimension)) return [{ ok: true, text: `公司未启用「${title}」，不限制范围` }];
  const byRoles = granted({ ...rights, own: [] }, dimension, code);
  if (byRoles !== null && !byRoles.has(target)) {
    return [{ ok: false, text: `包含该权限的角色，其${title}不包括「${name}」` }];
  }
  const first: Reason = { ok: true, text: `角色的${title}${byRoles === null ? '为全部' : `包括「${name}」`}` };
  const all = granted(rights, dimension, code);
  if (all !== null && !all.has(target)) return [first, { ok: false, text: `该账号本人的${title}不包括「${name}」` }];
  const narrowed = rights.own.some((grant) => grant.dimension === dimension && grant.mode !== 'ALL');
  return narrowed ? [first, { ok: true, text: `该账号本人的${title}包括「${name}」` }] : [first];
}

/**
 * Why a person may or may not use a permission and, where an id is given, reach it with that permission: the chain of
 * account, roles, what the roles reach and what narrows him, up to the first "no". Decided by the code that decides.
 */
export async function explain(
  ctx: Ctx,
  id: string,
  query: { code: string; dimension?: string | undefined; target?: string | undefined },
): Promise<{ allowed: boolean; reasons: Reason[] }> {
  const person = await personOf(ctx, id);
  const { code, target } = query;
  const title = titlesOf(ctx.runtime.modules).get(code);
  const reasons = accountReasons(person);
  const ended = () => reasons.some((reason) => !reason.ok);
  if (!ended() && title === undefined) reasons.push({ ok: false, text: `没有「${code}」这个权限` });
  else if (!ended() && person.user_type === 'owner') reasons.push({ ok: true, text: '主账号拥有全部权限与数据' });
  else if (!ended()) {
    reasons.push(...(await codeReasons(ctx, id, code, title ?? code)));
    const dimension = registered(ctx).find(({ name }) => name === (query.dimension ?? 'store'));
    if (!ended() && target && dimension) {
      const option = (await dimension.options(ctx)).find((each) => each.id === target);
      if (!option) throw notFound();
      const name = option.title;
      const asked = { dimension: dimension.name, title: titleOf(dimension), target, name };
      reasons.push(...dataReasons(await rightsOf(ctx, id), code, asked));
    }
  }
  return { allowed: !ended(), reasons };
}

function titleOf(dimension: { name: string; title: string }): string {
  return dimension.name === OWNER_DIMENSION ? '数据权限（人员）' : dimension.title;
}
