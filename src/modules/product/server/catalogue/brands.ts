import { sql } from 'kysely';
import type { PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { type ListDef, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { BrandRow } from '../../contract/catalogue.ts';
import { auditChange, requireVersion } from './shared.ts';

const RESOURCE = 'product.brand';

function selected(ctx: Ctx, filter: { name?: string | undefined }) {
  const query = ctx.db
    .selectFrom('product.brand as b')
    .select(['b.id', 'b.name', 'b.trademark_no as trademarkNo', 'b.valid_until as validUntil', 'b.remark', 'b.version'])
    .select(['b.updated_by_name as updatedBy', 'b.updated_at as updatedAt'])
    .select(
      sql<number>`(SELECT count(*) FROM product.local_product AS p WHERE p.company_id = b.company_id AND p.brand_id = b.id)`.as(
        'products',
      ),
    )
    .where('b.company_id', '=', ctx.companyId);
  return filter.name ? query.where('b.name', 'ilike', containing(filter.name)) : query;
}

/** One page of brands by name. */
export function brandPage(ctx: Ctx, request: PageRequest<{ name?: string | undefined }>) {
  return page<BrandRow, BrandRow>(ctx, request, {
    row: BrandRow,
    query: selected(ctx, request.filter) as unknown as ListDef<BrandRow, BrandRow>['query'],
    sort: { name: 'b.name', validUntil: 'b.valid_until', updatedAt: 'b.updated_at' },
    order: [['b.name', 'asc']],
    key: 'b.id',
  });
}

async function locked(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('product.brand')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('品牌不存在或已删除');
  return row;
}

interface BrandInput {
  id?: string | undefined;
  version?: number | undefined;
  name: string;
  trademarkNo?: string | undefined;
  validUntil?: string | null | undefined;
  remark?: string | undefined;
}

/** @throws AppError B0702 a name that another brand has, 409 stale version */
export async function saveBrandRow(ctx: Ctx, input: BrandInput): Promise<string> {
  const before = input.id ? await locked(ctx, input.id) : undefined;
  if (before) requireVersion(ctx, input.version, before);
  const same = await ctx.db
    .selectFrom('product.brand')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where(sql<string>`lower(name)`, '=', input.name.toLowerCase())
    .executeTakeFirst();
  if (same && same.id !== input.id) throw refused(`品牌「${input.name}」已存在`, 'B0702');
  const values = {
    name: input.name,
    trademark_no: input.trademarkNo || null,
    valid_until: input.validUntil ?? null,
    remark: input.remark || null,
  };
  if (!before) {
    const row = await ctx.db
      .insertInto('product.brand')
      .values({ company_id: ctx.companyId, updated_by_name: ctx.userName, ...values })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, { action: '新增品牌', resource: RESOURCE, resourceId: row.id, after: values });
    return row.id;
  }
  await ctx.db
    .updateTable('product.brand')
    .set({ ...values, version: before.version + 1, updated_at: sql<string>`kit.now()`, updated_by_name: ctx.userName })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', before.id)
    .execute();
  await auditChange(ctx, { action: '修改品牌', resource: RESOURCE, resourceId: before.id }, before, values);
  return before.id;
}

async function uses(ctx: Ctx, id: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT (SELECT count(*) FROM product.local_product WHERE company_id = ${ctx.companyId} AND brand_id = ${id})
         + (SELECT count(*) FROM product.model WHERE company_id = ${ctx.companyId} AND brand_id = ${id}) AS n`.execute(
    ctx.db,
  );
  return rows[0]?.n ?? 0;
}

async function drop(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.deleteFrom('product.brand').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
}

/** @throws AppError B0703 while a product or a model has it */
export async function deleteBrandRow(ctx: Ctx, id: string): Promise<void> {
  const { name } = await locked(ctx, id);
  const n = await uses(ctx, id);
  if (n > 0) throw refused(`品牌「${name}」正被${n}条记录使用，请先合并到其他品牌`, 'B0703');
  await drop(ctx, id);
  await audit(ctx, { action: '删除品牌', resource: RESOURCE, resourceId: id, before: { name } });
}

/** Gives everything of one brand to another and deletes it; answers how many products moved. */
export async function mergeBrandRows(ctx: Ctx, from: string, to: string): Promise<{ moved: number }> {
  if (from === to) throw refused('不能合并到自身', 'B0704');
  const rows = new Map<string, { name: string }>();
  // In one order for everybody, so that two merges in opposite directions do not wait for each other.
  for (const id of [from, to].sort()) rows.set(id, await locked(ctx, id));
  const { rows: moved } = await sql<{ n: number }>`
    WITH models AS (
      UPDATE product.model SET brand_id = ${to} WHERE company_id = ${ctx.companyId} AND brand_id = ${from}
    ), products AS (
      UPDATE product.local_product SET brand_id = ${to}, version = version + 1
       WHERE company_id = ${ctx.companyId} AND brand_id = ${from} RETURNING 1)
    SELECT count(*) AS n FROM products`.execute(ctx.db);
  await drop(ctx, from);
  const n = moved[0]?.n ?? 0;
  const before = { name: rows.get(from)?.name };
  await audit(ctx, {
    action: '合并品牌',
    resource: RESOURCE,
    resourceId: from,
    before,
    after: { name: rows.get(to)?.name, moved: n },
  });
  return { moved: n };
}
