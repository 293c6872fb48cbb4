import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { ScopeGrant } from '../../../contract/roles.ts';
import { dimensionsOf, type Grant, type MemberRights } from '../../data-scope.ts';
import { beyond, NO_RIGHTS, refuseBeyond, rightsOfCaller } from '../limits.ts';
import { rightsOfRoles, roleOf, type StoredRole, weighed } from '../roles.ts';
import { requireGrants } from '../scopes.ts';

/** Roles and personal limits of a member, as stored. */
export interface Assigned {
  roleIds: readonly string[];
  scopes: readonly Grant[];
}

export async function assignedTo(ctx: Ctx, memberId: string): Promise<Assigned> {
  const roles = await ctx.db
    .selectFrom('identity.member_role')
    .select('role_id')
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', memberId)
    .orderBy('role_id')
    .execute();
  const scopes = await ctx.db
    .selectFrom('identity.member_scope')
    .select(['dimension', 'mode', 'ids'])
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', memberId)
    .orderBy('dimension')
    .execute();
  return { roleIds: roles.map((row) => row.role_id), scopes };
}

async function rightsWith(ctx: Ctx, assigned: Assigned): Promise<MemberRights> {
  const roles: StoredRole[] = [];
  for (const id of assigned.roleIds) roles.push(await roleOf(ctx, id));
  const rights = await rightsOfRoles(ctx, roles);
  return { ...rights, own: assigned.scopes.map(weighed), dimensions: await dimensionsOf(ctx) };
}

/**
 * Gives a member these roles and limits in place of those he had. Ids that are not there answer 404; nobody gives what
 * he lacks (403 A0303).
 */
export async function assign(
  ctx: Ctx,
  memberId: string,
  before: Assigned,
  change: { roleIds?: readonly string[] | undefined; scopes?: readonly ScopeGrant[] | undefined },
): Promise<Assigned> {
  if (change.scopes) await requireGrants(ctx, change.scopes, before.scopes);
  const named = new Set(change.scopes?.map((scope) => scope.dimension));
  const after: Assigned = {
    roleIds: change.roleIds ? [...new Set(change.roleIds)].sort() : before.roleIds,
    scopes: [...before.scopes.filter((scope) => !named.has(scope.dimension)), ...(change.scopes ?? [])],
  };
  refuseBeyond(ctx, await rightsOfCaller(ctx), await rightsWith(ctx, before), await rightsWith(ctx, after));
  if (change.roleIds) await writeRoles(ctx, memberId, after.roleIds);
  if (change.scopes) await writeScopes(ctx, memberId, change.scopes);
  return after;
}

async function writeRoles(ctx: Ctx, memberId: string, roleIds: readonly string[]): Promise<void> {
  await ctx.db
    .deleteFrom('identity.member_role')
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', memberId)
    .execute();
  if (roleIds.length === 0) return;
  await ctx.db
    .insertInto('identity.member_role')
    .values(roleIds.map((role_id) => ({ company_id: ctx.companyId, member_id: memberId, role_id })))
    .execute();
}

async function writeScopes(ctx: Ctx, memberId: string, scopes: readonly ScopeGrant[]): Promise<void> {
  for (const { dimension, mode, ids: chosen } of scopes) {
    const ids = mode === 'LIST' ? [...chosen] : [];
    await ctx.db
      .insertInto('identity.member_scope')
      .values({ company_id: ctx.companyId, member_id: memberId, dimension, mode, ids })
      .onConflict((on) => on.columns(['company_id', 'member_id', 'dimension']).doUpdateSet({ mode, ids }))
      .execute();
  }
}

/** Roles of the company with whether the caller has all that each of them holds. */
export async function choices(ctx: Ctx) {
  const mine = await rightsOfCaller(ctx);
  const rows = await ctx.db
    .selectFrom('identity.role')
    .select(['id', 'name', 'description'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('name')
    .execute();
  const found: { id: string; name: string; description: string; grantable: boolean }[] = [];
  for (const row of rows) {
    const rights = await rightsOfRoles(ctx, [await roleOf(ctx, row.id)]);
    found.push({ ...row, grantable: beyond(mine, NO_RIGHTS, rights) === undefined });
  }
  return found;
}

/** @throws AppError 404 where a department is not the caller's company's */
export async function requireDepartment(ctx: Ctx, id: string | null | undefined): Promise<void> {
  if (!id) return;
  const row = await ctx.db
    .selectFrom('identity.department')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound();
}
