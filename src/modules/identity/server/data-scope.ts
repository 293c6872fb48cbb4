import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { type DataScope, type Reach, type ScopeDimension, scopeDimensions } from '#kit/server/scope.ts';

/** Ids granted on one dimension; null is all of them. */
type Granted = ReadonlySet<string> | null;

interface Grant {
  dimension: string;
  mode: 'ALL' | 'LIST';
  ids: string[];
}

interface RoleRights {
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

/** Reads the roles of a member with their permission codes and grants, and what narrows him personally. */
export async function rightsOf(ctx: Ctx, memberId: string): Promise<MemberRights> {
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
  const company = await sql<{ scope_dimensions: string[] }>`
    SELECT scope_dimensions FROM identity.company WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return {
    roles: rows.map((row) => ({ codes: new Set(row.codes), grants: row.grants })),
    own: own.rows,
    dimensions: company.rows[0]?.scope_dimensions ?? [],
  };
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
