import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { forbidden, notFound, refused } from '#kit/server/errors.ts';
import { emit } from '#kit/server/events.ts';
import { tagsOf } from '#modules/system/server/index.ts';
import { ARCHIVE } from '../../contract/fields.ts';
import type { ProductInput } from '../../contract/material.ts';
import { save as saveCost } from '../costs.ts';
import { keepImpliedMatches } from '../match/implied.ts';
import { productMeasured } from '../touched.ts';
import { putBox, putConsumables, putCustoms, putDimensions } from './parts.ts';
import { rememberPerson, requirePeople } from './people.ts';

import { putSupplies, suppliesOf } from './prices.ts';
import { difference, requireVersion } from './shared.ts';

const RESOURCE = 'product';

/** Contract field to column, of what a product says of itself. */
const COLUMNS = {
  sku: 'sku',
  name: 'name',
  kind: 'kind',
  lifecycle: 'lifecycle',
  brandId: 'brand_id',
  categoryId: 'category_id',
  modelId: 'model_id',
  barcode: 'barcode',
  specification: 'specification',
  unit: 'unit',
  ownerId: 'owner_id',
  purchaserId: 'purchaser_id',
  effectiveDate: 'effective_date',
  hazards: 'hazards',
  qcLevel: 'qc_level',
  safetyShare: 'safety_share',
  tagIds: 'tag_ids',
  remark: 'remark',
} as const;

const TEXTS: readonly string[] = ['barcode', 'specification', 'remark'];

function columnsOf(input: Partial<ProductInput>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(COLUMNS).flatMap(([key, column]) => {
      const value = input[key as keyof typeof COLUMNS];
      if (value === undefined) return [];
      return [[column, TEXTS.includes(key) && value === '' ? null : value]];
    }),
  );
}

async function lockedProduct(ctx: Ctx, id: string) {
  const row = await ctx.db
    .selectFrom('product.local_product')
    .selectAll()
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('is_spelling', '=', false)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound('产品不存在或已删除');
  return row;
}

/** @throws AppError B0700 where another product has the SKU, whatever its case, B0712 for a barcode that is taken */
async function requireFree(ctx: Ctx, id: string | undefined, sku: string, barcode: unknown): Promise<void> {
  const { rows } = await sql<{ id: string; sku: string; lifecycle: string; same: boolean }>`
    SELECT id, sku, lifecycle, sku_key = lower(btrim(${sku})) AS same FROM product.local_product
     WHERE company_id = ${ctx.companyId} AND id IS DISTINCT FROM ${id ?? null}::uuid AND NOT is_spelling
       AND (sku_key = lower(btrim(${sku})) OR barcode = ${barcode ?? null}::text)
     ORDER BY same DESC LIMIT 1`.execute(ctx.db);
  const other = rows[0];
  if (!other) return;
  if (!other.same) throw refused(`条码已被产品「${other.sku}」使用`, 'B0712');
  throw refused(other.lifecycle === 'offline' ? '该SKU已归档，请先恢复' : `SKU「${other.sku}」已存在`, 'B0700');
}

async function requireReferences(ctx: Ctx, input: Partial<ProductInput>): Promise<void> {
  await requirePeople(ctx, [input.ownerId, input.purchaserId]);
  if (input.tagIds?.length) {
    const known = await tagsOf(ctx, input.tagIds);
    if (known.size < new Set(input.tagIds).size) throw refused('标签不存在或已删除', 'B0713');
  }
}

/** Costs and tags of the old spelling stay with the product; so do the listings that were called like it. */
async function rename(ctx: Ctx, id: string, from: string, to: string): Promise<void> {
  if (from === to) return;
  await sql`
    DELETE FROM product.local_product AS p
     WHERE p.company_id = ${ctx.companyId} AND p.sku = ${to} AND p.is_spelling
       AND NOT EXISTS (SELECT FROM product.sku_cost AS c WHERE c.company_id = p.company_id AND c.sku = p.sku)`.execute(
    ctx.db,
  );
  await keepImpliedMatches(ctx, id, from);
}

async function insert(ctx: Ctx, input: ProductInput): Promise<string> {
  await requireFree(ctx, undefined, input.sku, input.barcode);
  const row = await ctx.db
    .insertInto('product.local_product')
    .values({ ...columnsOf(input), company_id: ctx.companyId, sku: input.sku, updated_by_name: ctx.userName })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: '新增产品', resource: RESOURCE, resourceId: row.id, after: input });
  return row.id;
}

async function update(ctx: Ctx, id: string, input: ProductInput): Promise<void> {
  const before = await lockedProduct(ctx, id);
  requireVersion(ctx, input.version, before);
  await requireFree(ctx, id, input.sku, input.barcode);
  if ((input.lifecycle === 'offline') !== (before.lifecycle === 'offline') && input.lifecycle && !can(ctx, ARCHIVE)) {
    throw forbidden(ARCHIVE);
  }
  if (input.lifecycle === 'offline' && before.lifecycle !== 'offline') throw refused('请使用「停用」', 'B0714');
  await rename(ctx, id, before.sku, input.sku);
  const values = columnsOf(input);
  await ctx.db
    .updateTable('product.local_product')
    .set({ ...values, version: before.version + 1, updated_at: sql<string>`kit.now()`, updated_by_name: ctx.userName })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  const changed = difference(before, values);
  const parts = Object.fromEntries(PARTS.flatMap((key) => (input[key] === undefined ? [] : [[key, input[key]]])));
  const old = input.supplies ? { supplies: (await suppliesOf(ctx, id)).map(({ prices: _, ...one }) => one) } : {};
  await audit(ctx, {
    action: '修改产品',
    resource: RESOURCE,
    resourceId: id,
    before: { ...changed.before, ...old },
    after: { ...changed.after, ...parts },
  });
}

const PARTS = ['dimensions', 'customs', 'consumables', 'supplies', 'box'] as const;

async function putParts(ctx: Ctx, id: string, input: ProductInput): Promise<void> {
  if (input.dimensions) {
    await putDimensions(ctx, id, input.dimensions);
    await emit(ctx, productMeasured, {});
  }
  if (input.customs) await putCustoms(ctx, id, input.customs);
  if (input.consumables) await putConsumables(ctx, id, input.consumables);
  if (input.supplies) await putSupplies(ctx, id, input.supplies);
  if (input.box !== undefined) await putBox(ctx, id, input.box);
  if (input.unitCost) await saveCost(ctx, { sku: input.sku, unitCost: input.unitCost });
}

/**
 * Enters or changes a product; parts that are left out stay as they are.
 * @throws AppError B0700 SKU taken, B0701 unknown person, B0712 barcode taken, B0740 no single default supplier, 409
 *   somebody saved since
 */
export async function saveProductRow(ctx: Ctx, input: ProductInput): Promise<{ id: string; version: number }> {
  await rememberPerson(ctx);
  await requireReferences(ctx, input);
  const id = input.id ?? (await insert(ctx, input));
  if (input.id) await update(ctx, input.id, input);
  await putParts(ctx, id, input);
  const row = await ctx.db
    .selectFrom('product.local_product')
    .select('version')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { id, version: row.version };
}
