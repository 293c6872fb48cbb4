import { sql } from 'kysely';
import type { PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { type ListDef, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { type Attribute, ModelRow } from '../../contract/catalogue.ts';
import { auditChange, requireVersion } from './shared.ts';

const RESOURCE = 'product.model';
const MAX_BUILT = 200;

function textOf(attributes: readonly Attribute[]): string {
  return attributes.map(({ name, values }) => `${name}：${values.join('、')}`).join('；');
}

type DbRow = Omit<ModelRow, 'attributeText'>;

function selected(ctx: Ctx, filter: { spu?: string | undefined }) {
  const query = ctx.db
    .selectFrom('product.model as m')
    .leftJoin('product.brand as b', (join) =>
      join.onRef('b.company_id', '=', 'm.company_id').onRef('b.id', '=', 'm.brand_id'),
    )
    .leftJoin('product.category as c', (join) =>
      join.onRef('c.company_id', '=', 'm.company_id').onRef('c.id', '=', 'm.category_id'),
    )
    .select(['m.id', 'm.spu', 'm.name', 'm.attributes', 'm.brand_id as brandId', 'b.name as brand', 'm.version'])
    .select(['m.category_id as categoryId', 'c.name as category'])
    .select(['m.updated_by_name as updatedBy', 'm.updated_at as updatedAt'])
    .select(
      sql<number>`(SELECT count(*) FROM product.local_product AS p WHERE p.company_id = m.company_id AND p.model_id = m.id)`.as(
        'products',
      ),
    )
    .where('m.company_id', '=', ctx.companyId);
  const like = filter.spu && containing(filter.spu);
  return like ? query.where((eb) => eb.or([eb('m.spu', 'ilike', like), eb('m.name', 'ilike', like)])) : query;
}

/** One page of models by SPU. */
export function modelPage(ctx: Ctx, request: PageRequest<{ spu?: string | undefined }>) {
  return page<DbRow, ModelRow>(ctx, request, {
    row: ModelRow,
    query: selected(ctx, request.filter) as unknown as ListDef<DbRow, ModelRow>['query'],
    sort: { spu: 'm.spu', name: 'm.name', updatedAt: 'm.updated_at' },
    order: [['m.spu', 'asc']],
    key: 'm.id',
    map: (row) => ({ ...row, attributeText: textOf(row.attributes) }),
  });
}

async function locked(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('product.model')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('型号不存在或已删除');
  return row;
}

interface ModelInput {
  id?: string | undefined;
  version?: number | undefined;
  spu: string;
  name?: string | undefined;
  brandId?: string | null | undefined;
  categoryId?: string | null | undefined;
  attributes: Attribute[];
}

function requireDistinct(attributes: readonly Attribute[]): void {
  const names = attributes.map((one) => one.name);
  const doubled = names.find((name, index) => names.indexOf(name) !== index);
  if (doubled) throw refused(`属性「${doubled}」重复`, 'B0708');
  for (const { name, values } of attributes) {
    if (new Set(values).size < values.length) throw refused(`属性「${name}」的值重复`, 'B0708');
  }
}

/** @throws AppError B0708 attributes or values twice, B0709 an SPU that is taken, 409 stale version */
export async function saveModelRow(ctx: Ctx, input: ModelInput): Promise<string> {
  const before = input.id ? await locked(ctx, input.id) : undefined;
  if (before) requireVersion(ctx, input.version, before);
  requireDistinct(input.attributes);
  const same = await ctx.db
    .selectFrom('product.model')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where(sql<string>`lower(spu)`, '=', input.spu.toLowerCase())
    .executeTakeFirst();
  if (same && same.id !== input.id) throw refused(`型号「${input.spu}」已存在`, 'B0709');
  const values = {
    spu: input.spu,
    name: input.name ?? '',
    brand_id: input.brandId ?? null,
    category_id: input.categoryId ?? null,
    attributes: JSON.stringify(input.attributes),
  };
  if (!before) {
    const row = await ctx.db
      .insertInto('product.model')
      .values({ company_id: ctx.companyId, updated_by_name: ctx.userName, ...values })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, { action: '新增型号', resource: RESOURCE, resourceId: row.id, after: values });
    return row.id;
  }
  await ctx.db
    .updateTable('product.model')
    .set({ ...values, version: before.version + 1, updated_at: sql<string>`kit.now()`, updated_by_name: ctx.userName })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', before.id)
    .execute();
  await auditChange(ctx, { action: '修改型号', resource: RESOURCE, resourceId: before.id }, before, values);
  return before.id;
}

/** @throws AppError B0710 while products belong to it */
export async function deleteModelRow(ctx: Ctx, id: string): Promise<void> {
  const { spu } = await locked(ctx, id);
  const used = await ctx.db
    .selectFrom('product.local_product')
    .select('sku')
    .where('company_id', '=', ctx.companyId)
    .where('model_id', '=', id)
    .limit(1)
    .executeTakeFirst();
  if (used) throw refused(`型号「${spu}」下还有产品，不能删除`, 'B0710');
  await ctx.db.deleteFrom('product.model').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
  await audit(ctx, { action: '删除型号', resource: RESOURCE, resourceId: id, before: { spu } });
}

/** Every combination of values, the last attribute changing fastest: the matrix of a model's variants. */
export function combinations(attributes: readonly Attribute[]): Record<string, string>[] {
  return attributes.reduce<Record<string, string>[]>(
    (rows, { name, values }) => rows.flatMap((row) => values.map((value) => ({ ...row, [name]: value }))),
    [{}],
  );
}

/**
 * Makes a product, called SPU-value-value…, of each combination that has none yet.
 * @throws AppError B0711 without attributes, with too many combinations, or where a SKU is taken
 */
export async function buildModelSkus(ctx: Ctx, id: string): Promise<{ created: string[] }> {
  const model = await locked(ctx, id);
  const attributes = model.attributes as unknown as Attribute[];
  if (attributes.length === 0) throw refused('该型号没有变体属性', 'B0711');
  const all = combinations(attributes);
  if (all.length > MAX_BUILT) throw refused(`组合数 ${all.length} 超过 ${MAX_BUILT}，请减少属性值`, 'B0711');
  const rows = all.map((variant) => ({
    sku: [model.spu, ...Object.values(variant)].join('-'),
    name: [model.name || model.spu, ...Object.values(variant)].join(' '),
    variant,
  }));
  const long = rows.find((row) => row.sku.length > 50);
  if (long) throw refused(`SKU「${long.sku}」超过50个字符`, 'B0711');
  const { rows: made } = await sql<{ sku: string }>`
    INSERT INTO product.local_product AS p
      (company_id, sku, name, lifecycle, model_id, variant, brand_id, category_id, updated_by_name)
    SELECT ${ctx.companyId}, r.sku, r.name, 'developing', ${id}, r.variant, ${model.brand_id}, ${model.category_id},
           ${ctx.userName}
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(sku text, name text, variant jsonb)
     WHERE NOT EXISTS (SELECT FROM product.local_product AS e
                        WHERE e.company_id = ${ctx.companyId} AND e.model_id = ${id} AND e.variant = r.variant)
     ORDER BY r.sku
    ON CONFLICT DO NOTHING
    RETURNING p.sku`.execute(ctx.db);
  const created = made.map((row) => row.sku);
  await audit(ctx, { action: '生成型号SKU', resource: RESOURCE, resourceId: id, after: { created } });
  return { created };
}
