import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { Department, DepartmentForm, DepartmentNode } from '../../contract/departments.ts';
import { changes } from './changes.ts';

const RESOURCE = 'identity.department';
const MAX_DEPTH = 10;

/** All departments of the company with their heads counted; parents come before their children. */
export async function departments(ctx: Ctx): Promise<Department[]> {
  const { rows } = await sql<Omit<Department, 'membersBelow'>>`
    SELECT d.id, d.parent_id AS "parentId", d.name, d.leader_id AS "leaderId", l.name AS leader, d.status, d.sort,
           d.version, (SELECT count(*) FROM identity.member m
                        WHERE m.company_id = d.company_id AND m.dept_id = d.id AND m.deleted_at IS NULL) AS members
      FROM identity.department d
      LEFT JOIN identity.member l ON l.company_id = d.company_id AND l.id = d.leader_id AND l.deleted_at IS NULL
     WHERE d.company_id = ${ctx.companyId} ORDER BY d.sort, d.name, d.id`.execute(ctx.db);
  return flat(treeOf(rows.map((row) => ({ ...row, membersBelow: row.members }))));
}

/** Departments hung under their parents, heads summed up on the way. */
export function treeOf(rows: readonly Department[]): DepartmentNode[] {
  const byParent = Map.groupBy(rows, (row) => row.parentId);
  const below = (parent: string | null): DepartmentNode[] =>
    (byParent.get(parent) ?? []).map((row) => {
      const children = below(row.id);
      return {
        ...row,
        children,
        membersBelow: row.members + children.reduce((sum, child) => sum + child.membersBelow, 0),
      };
    });
  return below(null);
}

function flat(nodes: readonly DepartmentNode[]): Department[] {
  return nodes.flatMap(({ children, ...row }) => [row, ...flat(children)]);
}

export async function departmentChoices(ctx: Ctx) {
  const all = await departments(ctx);
  const names = new Map(all.map((row) => [row.id, row]));
  const pathOf = (row: Department): string => {
    const parent = row.parentId === null ? undefined : names.get(row.parentId);
    return parent ? `${pathOf(parent)} / ${row.name}` : row.name;
  };
  return all
    .filter((row) => row.status === 'active')
    .map((row) => ({ id: row.id, parentId: row.parentId, name: row.name, path: pathOf(row) }));
}

async function requireLeader(ctx: Ctx, id: string): Promise<void> {
  const row = await ctx.db
    .selectFrom('identity.member')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!row) throw notFound();
}

/** Ids from a department up to the top; refuses one that is not there. */
async function lineOf(ctx: Ctx, id: string): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    WITH RECURSIVE up AS (
      SELECT id, parent_id, 1 AS depth FROM identity.department WHERE company_id = ${ctx.companyId} AND id = ${id}
      UNION ALL SELECT d.id, d.parent_id, up.depth + 1 FROM identity.department d JOIN up ON d.id = up.parent_id
       WHERE d.company_id = ${ctx.companyId} AND up.depth < 100)
    SELECT id FROM up`.execute(ctx.db);
  if (rows.length === 0) throw notFound();
  return rows.map((row) => row.id);
}

async function requirePlace(ctx: Ctx, parentId: string | null, self?: string): Promise<void> {
  if (parentId === null) return;
  const line = await lineOf(ctx, parentId);
  if (self && line.includes(self)) throw refused('上级部门不能是本部门或其下级部门', 'B0141');
  if (line.length >= MAX_DEPTH) throw refused(`部门层级不能超过${MAX_DEPTH}级`, 'B0142');
}

async function refuseTwin(ctx: Ctx, parentId: string | null, name: string, self?: string): Promise<void> {
  const { rows } = await sql`
    SELECT 1 FROM identity.department WHERE company_id = ${ctx.companyId} AND name = ${name}
       AND parent_id IS NOT DISTINCT FROM ${parentId}::uuid AND id IS DISTINCT FROM ${self ?? null}::uuid`.execute(
    ctx.db,
  );
  if (rows.length > 0) throw refused('同一上级下已有同名部门', 'B0143');
}

/** Two people who move departments at once must not make a circle together. */
async function oneAtATime(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('department:' || ${ctx.companyId}, 0))`.execute(ctx.db);
}

export async function insertDepartment(ctx: Ctx, form: DepartmentForm): Promise<string> {
  await oneAtATime(ctx);
  const parentId = form.parentId ?? null;
  await requirePlace(ctx, parentId);
  if (form.leaderId) await requireLeader(ctx, form.leaderId);
  await refuseTwin(ctx, parentId, form.name);
  const row = await ctx.db
    .insertInto('identity.department')
    .values({
      company_id: ctx.companyId,
      parent_id: parentId,
      name: form.name,
      leader_id: form.leaderId ?? null,
      sort: form.sort,
      status: form.status,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: '新增部门', resource: RESOURCE, resourceId: row.id, after: form });
  return row.id;
}

/** @throws AppError 409 where somebody else changed it since `version` was read */
export async function updateDepartment(
  ctx: Ctx,
  id: string,
  { version, ...form }: { [K in keyof DepartmentForm]?: DepartmentForm[K] | undefined } & { version: number },
): Promise<void> {
  await oneAtATime(ctx);
  const row = await ctx.db
    .selectFrom('identity.department')
    .select(['name', 'parent_id as parentId', 'leader_id as leaderId', 'sort', 'status', 'version'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  if (row.version !== version) throw conflict();
  const { version: _version, ...before } = row;
  const given = Object.fromEntries(Object.entries(form).filter(([, value]) => value !== undefined));
  const after = { ...before, ...given } as typeof before;
  const diff = changes(before, after);
  if (after.parentId !== before.parentId) await requirePlace(ctx, after.parentId, id);
  if (after.leaderId && after.leaderId !== before.leaderId) await requireLeader(ctx, after.leaderId);
  await refuseTwin(ctx, after.parentId, after.name, id);
  await ctx.db
    .updateTable('identity.department')
    .set({
      name: after.name,
      parent_id: after.parentId,
      leader_id: after.leaderId,
      sort: after.sort,
      status: after.status,
      version: version + 1,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, { action: '修改部门', resource: RESOURCE, resourceId: id, ...(diff ?? { after: {} }) });
}

/** Refused while people or departments belong to it. */
export async function deleteDepartment(ctx: Ctx, id: string): Promise<void> {
  await oneAtATime(ctx);
  const { rows } = await sql<{ name: string; used: boolean }>`
    SELECT d.name,
           EXISTS (SELECT FROM identity.department c WHERE c.company_id = d.company_id AND c.parent_id = d.id)
        OR EXISTS (SELECT FROM identity.member m
                    WHERE m.company_id = d.company_id AND m.dept_id = d.id AND m.deleted_at IS NULL) AS used
      FROM identity.department d WHERE d.company_id = ${ctx.companyId} AND d.id = ${id}`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw notFound();
  if (row.used) throw refused('该部门下存在用户或子部门', 'B0144');
  // People who left still point at the department that they left.
  await ctx.db
    .updateTable('identity.member')
    .set({ dept_id: null })
    .where('company_id', '=', ctx.companyId)
    .where('dept_id', '=', id)
    .execute();
  await ctx.db.deleteFrom('identity.department').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
  await audit(ctx, { action: '删除部门', resource: RESOURCE, resourceId: id, before: { name: row.name } });
}
