import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** Who is who in a company: what approvals find the people by. */
export interface Chart {
  /** Members by id, those who left as well; `active`: may work now. */
  members: ReadonlyMap<string, { name: string; active: boolean; owner: boolean; department: string | null }>;
  /** Members by role, active or not. */
  roles: ReadonlyMap<string, readonly string[]>;
  departments: ReadonlyMap<string, { name: string; parent: string | null; leader: string | null }>;
}

interface Rows {
  members: { id: string; name: string; active: boolean; owner: boolean; department: string | null }[] | null;
  roles: { role: string; members: string[] }[] | null;
  departments: { id: string; name: string; parent: string | null; leader: string | null }[] | null;
}

/** The chart of the caller's company, whatever part of it he may see. */
export async function chartOf(ctx: Ctx): Promise<Chart> {
  const { rows } = await sql<Rows>`
    SELECT (SELECT jsonb_agg(jsonb_build_object('id', m.id, 'name', m.name, 'department', m.dept_id,
                     'owner', m.user_type = 'owner',
                     'active', m.deleted_at IS NULL AND NOT m.is_disabled AND (m.expire_date < kit.today()) IS NOT TRUE)
                     ORDER BY m.id)
              FROM identity.member AS m WHERE m.company_id = ${ctx.companyId}) AS members,
           (SELECT jsonb_agg(jsonb_build_object('role', r.role_id, 'members', r.members))
              FROM (SELECT role_id, jsonb_agg(member_id ORDER BY member_id) AS members FROM identity.member_role
                     WHERE company_id = ${ctx.companyId} GROUP BY role_id) AS r) AS roles,
           (SELECT jsonb_agg(jsonb_build_object('id', d.id, 'name', d.name, 'parent', d.parent_id, 'leader', d.leader_id))
              FROM identity.department AS d WHERE d.company_id = ${ctx.companyId}) AS departments`.execute(ctx.db);
  const { members, roles, departments } = rows[0] ?? { members: null, roles: null, departments: null };
  return {
    members: new Map(members?.map(({ id, ...member }) => [id, member])),
    roles: new Map(roles?.map(({ role, members: held }) => [role, held])),
    departments: new Map(departments?.map(({ id, ...department }) => [id, department])),
  };
}
