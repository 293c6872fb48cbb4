import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { RoleRow, type ScopeGrant } from '../../contract/roles.ts';
import { dimensionsOf, type Grant, type MemberRights } from '../data-scope.ts';
import { changes } from './changes.ts';
import { refuseBeyond, rightsOfCaller } from './limits.ts';
import { registered, requireGrants } from './scopes.ts';

export const ROLE = 'identity.role';

export interface StoredRole {
  id: string;
  name: string;
  description: string;
  version: number;
  codes: string[];
  grants: Grant[];
}

function rolesQuery(ctx: Ctx, name?: string) {
  let query = ctx.db.selectFrom('identity.role as r').where('r.company_id', '=', ctx.companyId);
  if (name) query = query.where('r.name', 'ilike', containing(name));
  return query
    .select([
      'r.id',
      'r.name',
      'r.description',
      'r.version',
      'r.updated_at as updatedAt',
      'r.updated_by_name as updatedBy',
    ])
    .select([
      sql<number>`(SELECT count(*) FROM identity.role_permission p
        WHERE p.company_id = r.company_id AND p.role_id = r.id)`.as('codes'),
      sql<number>`(SELECT count(*) FROM identity.member_role mr
        JOIN identity.member m ON m.company_id = mr.company_id AND m.id = mr.member_id AND m.deleted_at IS NULL
        WHERE mr.company_id = r.company_id AND mr.role_id = r.id)`.as('members'),
    ]);
}

/** All roles of the company by name. */
export function roles(ctx: Ctx): Promise<RoleRow[]> {
  return rolesQuery(ctx).orderBy('r.name').orderBy('r.id').execute();
}

export function rolePage(ctx: Ctx, request: PageRequest<{ name?: string | undefined }>): Promise<PageOf<RoleRow>> {
  return page<RoleRow>(ctx, request, {
    row: RoleRow,
    query: listQuery(rolesQuery(ctx, request.filter.name)),
    sort: { name: 'r.name', updatedAt: 'r.updated_at' },
    order: [['r.name', 'asc']],
    key: 'r.id',
  });
}

/** One role with its codes and grants. @throws AppError 404 */
export async function roleOf(ctx: Ctx, id: string, options: { lock?: boolean } = {}): Promise<StoredRole> {
  const role = await ctx.db
    .selectFrom('identity.role')
    .select(['id', 'name', 'description', 'version'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .$if(options.lock === true, (query) => query.forUpdate())
    .executeTakeFirst();
  if (!role) throw notFound();
  const codes = await ctx.db
    .selectFrom('identity.role_permission')
    .select('code')
    .where('company_id', '=', ctx.companyId)
    .where('role_id', '=', id)
    .orderBy('code')
    .execute();
  const grants = await ctx.db
    .selectFrom('identity.role_scope')
    .select(['dimension', 'mode', 'ids'])
    .where('company_id', '=', ctx.companyId)
    .where('role_id', '=', id)
    .execute();
  return { ...role, codes: codes.map((row) => row.code), grants };
}

/**
 * A grant by department reaches other people for everybody who holds it: weighed against what a caller may give, it
 * counts as an id of its own, which only those who reach everybody have.
 */
export function weighed(grant: Grant): Grant {
  return grant.mode === 'DEPT' || grant.mode === 'DEPT_TREE' ? { ...grant, ids: [`@${grant.mode}`] } : grant;
}

/** What a member with these roles alone may do and reach. */
export async function rightsOfRoles(
  ctx: Ctx,
  list: readonly Pick<StoredRole, 'codes' | 'grants'>[],
): Promise<MemberRights> {
  return {
    roles: list.map((role) => ({ codes: new Set(role.codes), grants: role.grants.map(weighed) })),
    own: [],
    dimensions: await dimensionsOf(ctx),
  };
}

export async function refuseTwin(ctx: Ctx, name: string, self?: string): Promise<void> {
  const twin = await ctx.db
    .selectFrom('identity.role')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('name', '=', name)
    .executeTakeFirst();
  if (twin && twin.id !== self) throw refused('角色名称已存在', 'B0151');
}

function requireCodes(ctx: Ctx, codes: readonly string[]): void {
  const unknown = codes.find((code) => !ctx.runtime.codes.has(code));
  if (unknown !== undefined) throw refused(`权限不存在或不能授予：${unknown.slice(0, 80)}`, 'B0152');
}

export async function writeCodes(ctx: Ctx, roleId: string, codes: readonly string[]): Promise<void> {
  await sql`
    DELETE FROM identity.role_permission WHERE company_id = ${ctx.companyId} AND role_id = ${roleId}
       AND NOT code = ANY(${codes}::text[])`.execute(ctx.db);
  await sql`
    INSERT INTO identity.role_permission (company_id, role_id, code)
    SELECT ${ctx.companyId}, ${roleId}, code FROM unnest(${codes}::text[]) AS code ON CONFLICT DO NOTHING`.execute(
    ctx.db,
  );
}

export async function writeGrants(ctx: Ctx, roleId: string, grants: readonly Grant[]): Promise<void> {
  for (const grant of grants) {
    const ids = grant.mode === 'LIST' ? [...grant.ids] : [];
    await ctx.db
      .insertInto('identity.role_scope')
      .values({ company_id: ctx.companyId, role_id: roleId, dimension: grant.dimension, mode: grant.mode, ids })
      .onConflict((on) => on.columns(['company_id', 'role_id', 'dimension']).doUpdateSet({ mode: grant.mode, ids }))
      .execute();
  }
}

export interface RoleChange {
  version: number;
  name?: string | undefined;
  description?: string | undefined;
  codes?: readonly string[] | undefined;
  scopes?: readonly ScopeGrant[] | undefined;
}

/** Merges new grants over the old ones; dimensions that are not named keep theirs. */
function merged(before: readonly Grant[], change: readonly ScopeGrant[]): Grant[] {
  const named = new Set(change.map((grant) => grant.dimension));
  return [...before.filter((grant) => !named.has(grant.dimension)), ...change];
}

function shown(role: Pick<StoredRole, 'name' | 'description' | 'codes' | 'grants'>) {
  const scopes = Object.fromEntries(
    role.grants.map((grant) => [grant.dimension, grant.mode === 'LIST' ? [...grant.ids].sort() : grant.mode]),
  );
  return { name: role.name, description: role.description, scopes: sorted(scopes) };
}

function sorted(values: Record<string, unknown>) {
  return Object.fromEntries(Object.entries(values).sort(([a], [b]) => a.localeCompare(b)));
}

/** What an audit row says of a changed role: codes as those that came and went. */
function diffOf(before: StoredRole, after: StoredRole) {
  const removed = before.codes.filter((code) => !after.codes.includes(code));
  const added = after.codes.filter((code) => !before.codes.includes(code));
  const rest = changes(shown(before), shown(after));
  return {
    before: { ...rest?.before, ...(removed.length > 0 ? { removed } : {}) },
    after: { ...rest?.after, ...(added.length > 0 ? { added } : {}) },
  };
}

/**
 * Changes a role and answers its new version. Nobody gives a role what he lacks himself.
 * @throws AppError 409 where somebody else changed it since `version` was read, 403 A0303
 */
export async function updateRole(ctx: Ctx, id: string, change: RoleChange): Promise<{ version: number }> {
  const before = await roleOf(ctx, id, { lock: true });
  if (before.version !== change.version) throw conflict();
  if (change.name !== undefined) await refuseTwin(ctx, change.name, id);
  if (change.codes) requireCodes(ctx, change.codes);
  if (change.scopes) await requireGrants(ctx, change.scopes, before.grants);
  const after: StoredRole = {
    ...before,
    name: change.name ?? before.name,
    description: change.description ?? before.description,
    codes: change.codes ? [...new Set(change.codes)].sort() : before.codes,
    grants: change.scopes ? merged(before.grants, change.scopes) : before.grants,
    version: before.version + 1,
  };
  const was = await rightsOfRoles(ctx, [before]);
  const will = await rightsOfRoles(ctx, [after]);
  refuseBeyond(ctx, await rightsOfCaller(ctx), was, will);
  await ctx.db
    .updateTable('identity.role')
    .set({
      name: after.name,
      description: after.description,
      version: after.version,
      updated_at: sql`kit.now()`,
      updated_by_name: ctx.userName,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  if (change.codes) await writeCodes(ctx, id, after.codes);
  if (change.scopes) await writeGrants(ctx, id, change.scopes);
  await audit(ctx, { action: '修改角色', resource: ROLE, resourceId: id, ...diffOf(before, after) });
  return { version: after.version };
}

/** Refused while somebody holds it. */
export async function deleteRole(ctx: Ctx, id: string): Promise<void> {
  const role = await roleOf(ctx, id, { lock: true });
  const { rows } = await sql`
    SELECT 1 FROM identity.member_role mr JOIN identity.member m ON m.company_id = mr.company_id AND m.id = mr.member_id
     WHERE mr.company_id = ${ctx.companyId} AND mr.role_id = ${id} AND m.deleted_at IS NULL LIMIT 1`.execute(ctx.db);
  if (rows.length > 0) throw refused('该角色已被用户使用，请先解除', 'B0154');
  await ctx.db
    .deleteFrom('identity.member_role')
    .where('company_id', '=', ctx.companyId)
    .where('role_id', '=', id)
    .execute();
  await ctx.db.deleteFrom('identity.role').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
  await audit(ctx, {
    action: '删除角色',
    resource: ROLE,
    resourceId: id,
    before: { name: role.name, codes: role.codes },
  });
}

/** Switches data rights on and off for the whole company. Off limits nobody, so only an owner may. */
export async function switchDimensions(ctx: Ctx, names: readonly string[]): Promise<void> {
  const caller = await ctx.db
    .selectFrom('identity.member')
    .select('user_type')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', ctx.userId)
    .executeTakeFirst();
  if (ctx.permissions !== undefined && caller?.user_type !== 'owner') {
    throw refused('仅主账号可以启用或停用数据权限', 'B0155');
  }
  const known = registered(ctx).map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw refused(`数据维度不存在：${unknown}`, 'B0156');
  const before = await dimensionsOf(ctx);
  // Dimensions of modules that are not there now keep their state.
  const after = [...before.filter((name) => !known.includes(name)), ...new Set(names)];
  await ctx.db
    .updateTable('identity.company')
    .set({ scope_dimensions: after })
    .where('company_id', '=', ctx.companyId)
    .execute();
  await audit(ctx, {
    action: '启用数据权限维度',
    resource: 'identity.company',
    resourceId: ctx.companyId,
    before: { dimensions: before },
    after: { dimensions: after },
  });
}
