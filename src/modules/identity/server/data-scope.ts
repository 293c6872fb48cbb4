import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { type DataScope, type Reach, type ScopeDimension, scopeDimensions } from '#kit/server/scope.ts';

/** Ids granted on one dimension; null is all of them. */
export type Granted = ReadonlySet<string> | null;

export interface Grant {
  dimension: string;
  mode: string;
  ids: readonly string[];
}

export interface RoleRights {
  codes: ReadonlySet<string>;
  grants: readonly Grant[];
}

/** What decides a member's rights, as stored. */
export interface MemberRights {
  roles: readonly RoleRights[];
  own: readonly Grant[];
  /** Dimensions that the company has switched on. */
  dimensions: readonly string[];
}

/** Whom a member reaches as himself, in his department, and in all that lies below it. */
async function peopleAround(ctx: Ctx, memberId: string): Promise<Record<string, string[]>> {
  // Whoever leads a department reaches it as one of its own.
  const { rows } = await sql<{ near: string[] | null; tree: string[] | null }>`
    WITH RECURSIVE own AS (
      SELECT dept_id AS id FROM identity.member WHERE company_id = ${ctx.companyId} AND id = ${memberId} AND dept_id IS NOT NULL
      UNION SELECT id FROM identity.department WHERE company_id = ${ctx.companyId} AND leader_id = ${memberId}),
    tree AS (
      SELECT id FROM own
      UNION SELECT d.id FROM identity.department d JOIN tree t ON d.parent_id = t.id WHERE d.company_id = ${ctx.companyId})
    SELECT array_agg(m.id) FILTER (WHERE m.dept_id IN (SELECT id FROM own)) AS near, array_agg(m.id) AS tree
      FROM identity.member m WHERE m.company_id = ${ctx.companyId} AND m.dept_id IN (SELECT id FROM tree)`.execute(
    ctx.db,
  );
  const near = rows[0]?.near ?? [];
  const tree = rows[0]?.tree ?? [];
  return { SELF: [memberId], DEPT: [memberId, ...near], DEPT_TREE: [memberId, ...tree] };
}

const BY_PLACE = ['SELF', 'DEPT', 'DEPT_TREE'];

/** Grants by place in the company become the persons that stand there now. */
export async function resolved(ctx: Ctx, memberId: string, rights: MemberRights): Promise<MemberRights> {
  const grants = [...rights.own, ...rights.roles.flatMap((role) => role.grants)];
  if (!grants.some((grant) => BY_PLACE.includes(grant.mode))) return rights;
  const people = await peopleAround(ctx, memberId);
  const named = (list: readonly Grant[]): Grant[] =>
    list.map((grant) => ({ ...grant, ids: people[grant.mode] ?? grant.ids }));
  return {
    ...rights,
    own: named(rights.own),
    roles: rights.roles.map((role) => ({ ...role, grants: named(role.grants) })),
  };
}

/** Rights of somebody whom nothing limits. */
export function unlimited(codes: ReadonlySet<string>): MemberRights {
  return { roles: [{ codes, grants: [] }], own: [], dimensions: [] };
}

/** Dimensions on which the caller's company has switched data rights on. */
export async function dimensionsOf(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ scope_dimensions: string[] }>`
    SELECT scope_dimensions FROM identity.company WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return rows[0]?.scope_dimensions ?? [];
}

/**
 * Reads the roles of a member with their permission codes and grants, and what narrows him personally. Nothing limits
 * an owner; an operator holds the operator's codes, which nobody else holds, and those that modules share with him.
 */
export async function rightsOf(ctx: Ctx, memberId: string): Promise<MemberRights> {
  const { codes, operatorCodes, sharedCodes } = ctx.runtime;
  const member = await ctx.db
    .selectFrom('identity.member')
    .select('user_type')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', memberId)
    .executeTakeFirst();
  if (member?.user_type === 'owner') return unlimited(codes);
  if (member?.user_type === 'operator') return unlimited(new Set([...operatorCodes, ...sharedCodes]));
  const { rows } = await sql<{ codes: string[]; grants: Grant[] }>`
    SELECT coalesce((SELECT array_agg(p.code) FROM identity.role_permission p
                      WHERE p.company_id = mr.company_id AND p.role_id = mr.role_id), '{}') AS codes,
           coalesce((SELECT jsonb_agg(jsonb_build_object('dimension', s.dimension, 'mode', s.mode, 'ids', s.ids))
                       FROM identity.role_scope s
                      WHERE s.company_id = mr.company_id AND s.role_id = mr.role_id), '[]') AS grants
      FROM identity.member_role mr
     WHERE mr.company_id = ${ctx.companyId} AND mr.member_id = ${memberId}`.execute(ctx.db);
  const own = await sql<Grant>`
    SELECT dimension, mode, ids FROM identity.member_scope
     WHERE company_id = ${ctx.companyId} AND member_id = ${memberId}`.execute(ctx.db);
  return resolved(ctx, memberId, {
    roles: rows.map((row) => ({
      codes: new Set(row.codes.filter((code) => !operatorCodes.has(code))),
      grants: row.grants,
    })),
    own: own.rows,
    dimensions: await dimensionsOf(ctx),
  });
}

function grantedBy(grants: readonly Grant[], dimension: string, otherwise: Granted): Granted {
  const grant = grants.find((entry) => entry.dimension === dimension);
  if (!grant) return otherwise;
  return grant.mode === 'ALL' ? null : new Set(grant.ids);
}

function union(a: Granted, b: Granted): Granted {
  return a === null || b === null ? null : new Set([...a, ...b]);
}

function intersection(a: Granted, b: Granted): Granted {
  if (a === null) return b;
  if (b === null) return a;
  return new Set([...a].filter((id) => b.has(id)));
}

const NOTHING: Granted = new Set();

/**
 * S(member, code) on one dimension: what the roles that hold the code reach together, narrowed by what is set for the
 * member himself. `code` "login" counts every role.
 */
export function granted(rights: MemberRights, dimension: string, code: string): Granted {
  if (!rights.dimensions.includes(dimension)) return null;
  const holding = rights.roles.filter((role) => code === 'login' || role.codes.has(code));
  const byRoles = holding.map((role) => grantedBy(role.grants, dimension, NOTHING)).reduce(union, NOTHING);
  return intersection(byRoles, grantedBy(rights.own, dimension, null));
}

/**
 * What members reach by all of their roles together, by the kind of id that tables carry; of a kind null is all, and
 * undefined instead of a reach where nothing limits somebody.
 */
export async function reachOfMembers(ctx: Ctx, members: readonly string[]): Promise<Map<string, Reach | undefined>> {
  const reaches = new Map<string, Reach | undefined>();
  for (const id of members) {
    const scopeWith = await dataScopes(ctx, await rightsOf(ctx, id));
    reaches.set(id, scopeWith?.('login')?.read);
  }
  return reaches;
}

type Tables = Map<string, Map<string, Record<string, readonly string[]>>>;

function reachOf(dimensions: readonly ScopeDimension[], tables: Tables, ids: (dimension: string) => Granted): Reach {
  const reach: Record<string, readonly string[] | null> = {};
  for (const { name, kinds } of dimensions) {
    const set = ids(name);
    for (const kind of kinds) {
      reach[kind] = set === null ? null : [...set].flatMap((id) => tables.get(name)?.get(id)?.[kind] ?? []);
    }
  }
  return reach;
}

function limits(reach: Reach): boolean {
  return Object.values(reach).some((ids) => ids !== null);
}

/**
 * Data scope by permission for one member, or undefined where nothing limits him. A call may see what its own code or
 * the resource's view code reaches, and change what its own code reaches.
 */
export async function dataScopes(
  ctx: Ctx,
  rights: MemberRights,
): Promise<((permission: string) => DataScope | undefined) | undefined> {
  const dimensions = extensionsOf(ctx.runtime.modules, scopeDimensions);
  const free = (code: string) => dimensions.every(({ name }) => granted(rights, name, code) === null);
  const codes = new Set(['login', ...rights.roles.flatMap((role) => [...role.codes])]);
  if ([...codes].every(free)) return undefined;
  const tables: Tables = new Map();
  for (const dimension of dimensions) tables.set(dimension.name, await dimension.reach(ctx));
  const known = new Map<string, DataScope | undefined>();
  return (permission) => {
    if (known.has(permission)) return known.get(permission);
    const view = `${permission.split(':').slice(0, 2).join(':')}:view`;
    const write = reachOf(dimensions, tables, (name) => granted(rights, name, permission));
    const read = reachOf(dimensions, tables, (name) =>
      union(granted(rights, name, permission), granted(rights, name, view)),
    );
    const scope = limits(read) || limits(write) ? { read, write } : undefined;
    known.set(permission, scope);
    return scope;
  };
}
