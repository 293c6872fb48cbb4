import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { RoleForm } from '../../contract/roles.ts';
import type { Grant, MemberRights } from '../data-scope.ts';
import { NO_RIGHTS, refuseBeyond, rightsOfCaller } from './limits.ts';
import { ROLE, refuseTwin, rightsOfRoles, roleOf, type StoredRole, writeCodes, writeGrants } from './roles.ts';
import { registered } from './scopes.ts';
import { templates } from './templates.ts';

/** Dimensions of modules that may join the product later: a new role is not blind to them. */
const KNOWN_DIMENSIONS = ['store', 'warehouse', 'owner'];

/** What a new role begins with: copied, from a template, or nothing to do everywhere. */
async function beginnings(ctx: Ctx, form: RoleForm): Promise<Pick<StoredRole, 'codes' | 'grants'>> {
  const everywhere = [...new Set([...KNOWN_DIMENSIONS, ...registered(ctx).map(({ name }) => name)])];
  const grants = everywhere.map((dimension) => ({ dimension, mode: 'ALL', ids: [] }));
  if (form.copyFrom) {
    const source = await roleOf(ctx, form.copyFrom);
    return { codes: source.codes.filter((code) => ctx.runtime.codes.has(code)), grants: source.grants };
  }
  if (!form.template) return { codes: [], grants };
  const template = templates(ctx.runtime.codes).find((each) => each.key === form.template);
  if (!template) throw refused('角色模板不存在', 'B0153');
  // Of a template everybody gives what he has.
  const held = ctx.permissions ?? ctx.runtime.codes;
  return { codes: template.codes.filter((code) => held.has(code)), grants };
}

/** Adds a role and answers its id. @throws AppError 403 A0303 where the caller would give more than he has */
export async function insertRole(ctx: Ctx, form: RoleForm): Promise<string> {
  await refuseTwin(ctx, form.name);
  const first = await beginnings(ctx, form);
  const mine = await rightsOfCaller(ctx);
  // Who is limited himself begins with what he reaches, not with everything.
  const grants = form.copyFrom ? first.grants : first.grants.map((grant) => narrowed(grant, mine));
  refuseBeyond(ctx, mine, NO_RIGHTS, await rightsOfRoles(ctx, [{ ...first, grants }]));
  const row = await ctx.db
    .insertInto('identity.role')
    .values({
      company_id: ctx.companyId,
      name: form.name,
      description: form.description ?? '',
      template: form.template ?? null,
      updated_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await writeCodes(ctx, row.id, first.codes);
  await writeGrants(ctx, row.id, grants);
  const after = { name: form.name, description: form.description ?? '', codes: first.codes, scopes: grants };
  await audit(ctx, { action: form.copyFrom ? '复制角色' : '新增角色', resource: ROLE, resourceId: row.id, after });
  return row.id;
}

function narrowed(grant: Grant, mine: MemberRights): Grant {
  const limited = mine.dimensions.includes(grant.dimension) && !reachesAll(mine, grant.dimension);
  return limited ? { ...grant, mode: 'LIST', ids: [] } : grant;
}

function reachesAll(mine: MemberRights, dimension: string): boolean {
  const narrow = mine.own.some((grant) => grant.dimension === dimension && grant.mode !== 'ALL');
  const wide = mine.roles.every((role) => role.grants.some((g) => g.dimension === dimension && g.mode === 'ALL'));
  return wide && !narrow;
}
