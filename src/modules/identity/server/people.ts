import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Db } from '#kit/server/db/database.ts';

/** Ids of the members who hold a permission now: owners, and whoever has a role with it. Departed and disabled do not count. */
export async function membersWith(ctx: Ctx, permission: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT m.id FROM identity.member m
     WHERE m.company_id = ${ctx.companyId} AND m.deleted_at IS NULL AND NOT m.is_disabled
       AND (m.user_type = 'owner' OR EXISTS (
         SELECT FROM identity.member_role mr
           JOIN identity.role_permission rp ON rp.company_id = mr.company_id AND rp.role_id = mr.role_id
          WHERE mr.company_id = m.company_id AND mr.member_id = m.id AND rp.code = ${permission}))
     ORDER BY m.id`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** Those of the ids that are members of the caller's company and still there. */
export async function membersAmong(ctx: Ctx, ids: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM identity.member
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) AND deleted_at IS NULL ORDER BY id`.execute(
    ctx.db,
  );
  return rows.map((row) => row.id);
}

/** Owners of the caller's company. */
export async function ownersOf(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM identity.member
     WHERE company_id = ${ctx.companyId} AND user_type = 'owner' AND deleted_at IS NULL ORDER BY id`.execute(ctx.db);
  return rows.map((row) => row.id);
}

/** What a member is in the company: what announcements are narrowed by. */
export interface Position {
  userType: string;
  roles: readonly string[];
  /** His department and those above it. */
  departments: readonly string[];
  /** ISO instant from which he belongs to the company. */
  since: string;
}

export async function positionOf(ctx: Ctx, memberId: string): Promise<Position | undefined> {
  const { rows } = await sql<Position>`
    WITH RECURSIVE own AS (
      SELECT dept_id AS id FROM identity.member
       WHERE company_id = ${ctx.companyId} AND id = ${memberId} AND dept_id IS NOT NULL
      UNION SELECT d.parent_id FROM identity.department d JOIN own ON own.id = d.id
       WHERE d.company_id = ${ctx.companyId} AND d.parent_id IS NOT NULL)
    SELECT m.user_type AS "userType", m.created_at AS since,
           coalesce((SELECT array_agg(mr.role_id) FROM identity.member_role mr
                      WHERE mr.company_id = m.company_id AND mr.member_id = m.id), '{}')::text[] AS roles,
           coalesce((SELECT array_agg(id) FROM own), '{}')::text[] AS departments
      FROM identity.member m WHERE m.company_id = ${ctx.companyId} AND m.id = ${memberId}`.execute(ctx.db);
  return rows[0];
}

/** Roles of the caller's company by name. */
export async function rolesOf(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  return ctx.db
    .selectFrom('identity.role')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('name')
    .execute();
}

/** Departments of the caller's company by name. */
export async function departmentsOf(ctx: Ctx): Promise<{ id: string; name: string }[]> {
  return ctx.db
    .selectFrom('identity.department')
    .select(['id', 'name'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('name')
    .execute();
}

/** Those of the sessions that still count; needs a transaction of the system. */
export async function liveSessions(db: Db, sessionIds: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    SELECT s.id FROM identity.session s
      JOIN identity.member m ON m.company_id = s.company_id AND m.id = s.member_id
      JOIN identity.company c ON c.company_id = s.company_id
      LEFT JOIN identity.security_policy p ON p.company_id = s.company_id
     WHERE s.id = ANY (${[...sessionIds]}::uuid[]) AND s.revoked_at IS NULL AND s.expires_at > kit.now()
       AND s.last_seen_at > kit.now() - make_interval(mins => coalesce(p.idle_minutes, 180))
       AND NOT m.is_disabled AND m.deleted_at IS NULL AND c.status = 'active'
       AND (m.expire_date < (kit.now() AT TIME ZONE c.time_zone)::date) IS NOT TRUE`.execute(db);
  return new Set(rows.map((row) => row.id));
}
