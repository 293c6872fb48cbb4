import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { containing } from '#kit/server/list/words.ts';
import type { CategoryRow } from '../../contract/catalogue.ts';
import { auditChange, requireVersion } from './shared.ts';

const RESOURCE = 'product.category';

/** The tree in order: each first level, then its children. A search keeps the parents of what it finds. */
export async function categoryTree(
  ctx: Ctx,
  filter: { name?: string | undefined; level?: number | undefined },
): Promise<CategoryRow[]> {
  const like = filter.name ? containing(filter.name) : null;
  const { rows } = await sql<CategoryRow>`
    WITH used AS (
      SELECT category_id, count(*) AS n FROM product.local_product
       WHERE company_id = ${ctx.companyId} AND category_id IS NOT NULL GROUP BY category_id)
    SELECT c.id, c.parent_id AS "parentId", c.level, c.name, c.code, c.color, c.safety_days AS "safetyDays",
           c.hs_code AS "hsCode", c.sort, c.version, c.updated_by_name AS "updatedBy", c.updated_at AS "updatedAt",
           coalesce(u.n, 0) + CASE WHEN c.level = 1 THEN coalesce((SELECT sum(k.n) FROM product.category AS s
             JOIN used AS k ON k.category_id = s.id WHERE s.company_id = c.company_id AND s.parent_id = c.id), 0)::bigint
             ELSE 0 END AS products
      FROM product.category AS c
      LEFT JOIN product.category AS f ON f.company_id = c.company_id AND f.id = c.parent_id
      LEFT JOIN used AS u ON u.category_id = c.id
     WHERE c.company_id = ${ctx.companyId} AND c.level <= coalesce(${filter.level ?? null}::int, 2)
       AND (${like}::text IS NULL OR c.name ILIKE ${like} OR c.code ILIKE ${like} OR f.name ILIKE ${like}
            OR EXISTS (SELECT FROM product.category AS s WHERE s.company_id = c.company_id AND s.parent_id = c.id
                                                          AND (s.name ILIKE ${like} OR s.code ILIKE ${like})))
     ORDER BY coalesce(f.sort, c.sort), coalesce(f.name, c.name), coalesce(f.id, c.id), c.level, c.sort, c.name`.execute(
    ctx.db,
  );
  return rows;
}

async function locked(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('product.category')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('品类不存在或已删除');
  return row;
}

/** Two levels only: a parent is of the first one, and what has children stays there. */
async function requireLevels(ctx: Ctx, id: string | undefined, parentId: string | null): Promise<void> {
  if (parentId === null) return;
  const parent = await locked(ctx, parentId);
  if (parent.level !== 1 || parentId === id) throw refused('品类只有两级，请选择一级品类作为上级', 'B0705');
  if (!id) return;
  const child = await ctx.db
    .selectFrom('product.category')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('parent_id', '=', id)
    .executeTakeFirst();
  if (child) throw refused('该品类下有二级品类，不能移到其他品类之下', 'B0705');
}

async function requireFree(
  ctx: Ctx,
  id: string | undefined,
  parentId: string | null,
  name: string,
  code: string | null,
) {
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM product.category
     WHERE company_id = ${ctx.companyId} AND id IS DISTINCT FROM ${id ?? null}::uuid
       AND ((parent_id IS NOT DISTINCT FROM ${parentId}::uuid AND lower(name) = lower(${name})) OR lower(code) = lower(${code}))
     LIMIT 1`.execute(ctx.db);
  const other = rows[0];
  if (!other) return;
  const same = other.name.toLowerCase() === name.toLowerCase();
  throw refused(same ? `品类「${name}」已存在` : `品类编码「${code}」已被「${other.name}」使用`, 'B0706');
}

interface CategoryInput {
  id?: string | undefined;
  version?: number | undefined;
  name: string;
  parentId?: string | null | undefined;
  code?: string | undefined;
  color: string;
  safetyDays?: number | null | undefined;
  hsCode?: string | undefined;
  sort: number;
}

/** @throws AppError B0705 a third level, B0706 a name or code that is taken, 409 stale version */
export async function saveCategoryRow(ctx: Ctx, input: CategoryInput): Promise<string> {
  const before = input.id ? await locked(ctx, input.id) : undefined;
  if (before) requireVersion(ctx, input.version, before);
  const parentId = input.parentId ?? null;
  await requireLevels(ctx, input.id, parentId);
  await requireFree(ctx, input.id, parentId, input.name, input.code || null);
  const values = {
    level: parentId === null ? 1 : 2,
    parent_id: parentId,
    parent_level: parentId === null ? null : 1,
    name: input.name,
    code: input.code || null,
    color: input.color,
    safety_days: input.safetyDays ?? null,
    hs_code: input.hsCode || null,
    sort: input.sort,
  };
  if (!before) {
    const row = await ctx.db
      .insertInto('product.category')
      .values({ company_id: ctx.companyId, updated_by_name: ctx.userName, ...values })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, { action: '新增品类', resource: RESOURCE, resourceId: row.id, after: values });
    return row.id;
  }
  await ctx.db
    .updateTable('product.category')
    .set({ ...values, version: before.version + 1, updated_at: sql<string>`kit.now()`, updated_by_name: ctx.userName })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', before.id)
    .execute();
  await auditChange(ctx, { action: '修改品类', resource: RESOURCE, resourceId: before.id }, before, values);
  return before.id;
}

/** Moves a category under another parent and puts that parent's children into the given order. */
export async function moveCategoryRow(
  ctx: Ctx,
  { id, parentId, order }: { id: string; parentId: string | null; order: readonly string[] },
): Promise<void> {
  const before = await locked(ctx, id);
  await requireLevels(ctx, id, parentId);
  await requireFree(ctx, id, parentId, before.name, null);
  await sql`
    UPDATE product.category SET parent_id = ${parentId}, level = ${parentId === null ? 1 : 2},
           parent_level = ${parentId === null ? null : 1}::int, version = version + 1
     WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
  await sql`
    UPDATE product.category AS c SET sort = o.place
      FROM unnest(${order}::uuid[]) WITH ORDINALITY AS o(id, place)
     WHERE c.company_id = ${ctx.companyId} AND c.id = o.id AND c.parent_id IS NOT DISTINCT FROM ${parentId}::uuid`.execute(
    ctx.db,
  );
  const entry = { action: '移动品类', resource: RESOURCE, resourceId: id };
  await audit(ctx, { ...entry, before: { parentId: before.parent_id }, after: { parentId, order } });
}

async function usesOf(ctx: Ctx, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT (SELECT count(*) FROM product.local_product WHERE company_id = ${ctx.companyId} AND category_id = ${id})
         + (SELECT count(*) FROM product.model WHERE company_id = ${ctx.companyId} AND category_id = ${id})
         + (SELECT count(*) FROM product.category WHERE company_id = ${ctx.companyId} AND parent_id = ${id}) AS n`.execute(
    ctx.db,
  );
  return rows[0]?.n ?? 0;
}

async function drop(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.deleteFrom('product.category').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
}

/** @throws AppError B0707 while it has products, models or children */
export async function deleteCategoryRow(ctx: Ctx, id: string): Promise<void> {
  const { name } = await locked(ctx, id);
  const n = await usesOf(ctx, id);
  if (n > 0) throw refused(`品类「${name}」正被${n}条记录使用，请先合并到其他品类`, 'B0707');
  await drop(ctx, id);
  await audit(ctx, { action: '删除品类', resource: RESOURCE, resourceId: id, before: { name } });
}

/** Gives the products of one category to another and deletes it. @throws AppError B0707 where it has children */
export async function mergeCategoryRows(ctx: Ctx, from: string, to: string): Promise<{ moved: number }> {
  if (from === to) throw refused('不能合并到自身', 'B0704');
  const rows = new Map<string, { name: string }>();
  for (const id of [from, to].sort()) rows.set(id, await locked(ctx, id));
  const { rows: moved } = await sql<{ n: number }>`
    WITH models AS (
      UPDATE product.model SET category_id = ${to} WHERE company_id = ${ctx.companyId} AND category_id = ${from}
    ), products AS (
      UPDATE product.local_product SET category_id = ${to}, version = version + 1
       WHERE company_id = ${ctx.companyId} AND category_id = ${from} RETURNING 1)
    SELECT count(*) AS n FROM products`.execute(ctx.db);
  if ((await usesOf(ctx, from)) > 0) throw refused(`品类「${rows.get(from)?.name}」下还有二级品类，请先移走`, 'B0707');
  await drop(ctx, from);
  const n = moved[0]?.n ?? 0;
  const entry = { action: '合并品类', resource: RESOURCE, resourceId: from };
  await audit(ctx, { ...entry, before: { name: rows.get(from)?.name }, after: { name: rows.get(to)?.name, moved: n } });
  return { moved: n };
}
