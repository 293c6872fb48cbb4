import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { emit } from '#kit/server/events.ts';
import { tagsOf } from '#modules/system/server/index.ts';
import type { batchUpdate } from '../../contract/material.ts';
import { save as saveCost } from '../costs.ts';
import { productMeasured } from '../touched.ts';
import { putConsumables, putDimensions } from './parts.ts';
import { rememberPerson, requirePeople } from './people.ts';
import { usesOf } from './usage.ts';

type Batch = z.output<typeof batchUpdate.body>;
type Changes = Batch['set'];

interface Problem {
  sku: string;
  reason: string;
}

interface Target {
  id: string;
  sku: string;
  lifecycle: string;
}

/** The products of a batch in one order for everybody, locked. */
async function targets(ctx: Ctx, ids: readonly string[]): Promise<Target[]> {
  return ctx.db
    .selectFrom('product.local_product')
    .select(['id', 'sku', 'lifecycle'])
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...ids])
    .where('is_spelling', '=', false)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** The same, all of them. @throws notFound where one is missing: a selection is done whole or not at all */
async function everyTarget(ctx: Ctx, ids: readonly string[]) {
  const found = await targets(ctx, ids);
  if (found.length < new Set(ids).size) throw notFound('部分产品不存在或已删除，请刷新后重试');
  return found;
}

function columnsOf(set: Changes): Record<string, unknown> {
  const all = {
    owner_id: set.ownerId,
    purchaser_id: set.purchaserId,
    brand_id: set.brandId,
    category_id: set.categoryId,
    qc_level: set.qcLevel,
    lifecycle: set.lifecycle,
  };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

async function changeTags(ctx: Ctx, ids: readonly string[], set: Changes): Promise<void> {
  const add = set.addTagIds ?? [];
  const remove = set.removeTagIds ?? [];
  if (add.length + remove.length === 0) return;
  if ((await tagsOf(ctx, add)).size < new Set(add).size) throw refused('标签不存在或已删除', 'B0713');
  await sql`
    UPDATE product.local_product SET tag_ids = ARRAY(
        SELECT DISTINCT t FROM unnest(tag_ids || ${add}::uuid[]) AS t WHERE t <> ALL (${remove}::uuid[]))
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[])`.execute(ctx.db);
}

async function changeLead(ctx: Ctx, ids: readonly string[], days: number): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    UPDATE product.supply SET lead_days = ${days}
     WHERE company_id = ${ctx.companyId} AND product_id = ANY (${[...ids]}::uuid[]) AND is_default
    RETURNING product_id AS id`.execute(ctx.db);
  return new Set(rows.map((row) => row.id));
}

async function changeParts(ctx: Ctx, found: readonly Target[], set: Changes): Promise<Problem[]> {
  const problems: Problem[] = [];
  const ids = found.map((one) => one.id);
  await changeTags(ctx, ids, set);
  if (set.leadDays !== undefined) {
    const done = await changeLead(ctx, ids, set.leadDays);
    const reason = '没有默认供应商，供货周期未修改';
    problems.push(...found.filter((one) => !done.has(one.id)).map(({ sku }) => ({ sku, reason })));
  }
  for (const one of found) {
    if (set.unitCost) await saveCost(ctx, { sku: one.sku, unitCost: set.unitCost });
    if (set.consumables) await putConsumables(ctx, one.id, set.consumables);
    if (set.dimension) await putDimensionKeeping(ctx, one.id, set.dimension);
  }
  if (set.dimension) await emit(ctx, productMeasured, {});
  return problems;
}

async function putDimensionKeeping(ctx: Ctx, id: string, one: NonNullable<Changes['dimension']>): Promise<void> {
  const others = await ctx.db
    .selectFrom('product.dimension')
    .select(['role', 'length', 'width', 'height', 'weight', 'units_per_carton as unitsPerCarton'])
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', id)
    .where('role', '<>', one.role)
    .execute();
  await putDimensions(ctx, id, [...others.map((row) => ({ ...row, role: row.role as typeof one.role })), one]);
}

/** The same change to many products. Those out of use are left alone and named. */
export async function updateMany(ctx: Ctx, { ids, set }: Batch): Promise<{ changed: number; problems: Problem[] }> {
  await rememberPerson(ctx);
  await requirePeople(ctx, [set.ownerId, set.purchaserId]);
  const all = await everyTarget(ctx, ids);
  const found = all.filter((one) => one.lifecycle !== 'offline');
  const problems = all.filter((one) => one.lifecycle === 'offline').map(({ sku }) => ({ sku, reason: '产品已停用' }));
  if (found.length === 0) return { changed: 0, problems };
  problems.push(...(await changeParts(ctx, found, set)));
  await ctx.db
    .updateTable('product.local_product')
    .set({
      ...columnsOf(set),
      version: sql<number>`version + 1`,
      updated_at: sql<string>`kit.now()`,
      updated_by_name: ctx.userName,
    })
    .where('company_id', '=', ctx.companyId)
    .where(
      'id',
      'in',
      found.map((one) => one.id),
    )
    .execute();
  await audit(ctx, { action: '批量修改产品', resource: 'product', after: { skus: found.map((one) => one.sku), set } });
  return { changed: found.length, problems };
}

/** Products that are parts of others in force: taking them out of use would break those. */
async function partsInUse(ctx: Ctx, ids: readonly string[]): Promise<Map<string, string[]>> {
  const { rows } = await sql<{ id: string; skus: string[] }>`
    SELECT l.component_id AS id, array_agg(DISTINCT p.sku) AS skus
      FROM product.bom_line AS l
      JOIN product.bom AS b ON b.company_id = l.company_id AND b.id = l.bom_id
      JOIN product.local_product AS p ON p.company_id = b.company_id AND p.id = b.product_id AND p.lifecycle <> 'offline'
     WHERE l.company_id = ${ctx.companyId} AND l.component_id = ANY (${[...ids]}::uuid[])
       AND b.id = product.bom_in_force(b.company_id, b.product_id, ${ctx.clock.today()}::date)
     GROUP BY l.component_id`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row.skus.map((sku) => `组合「${sku}」`)]));
}

async function setLifecycle(ctx: Ctx, ids: readonly string[], lifecycle: string): Promise<void> {
  if (ids.length === 0) return;
  await ctx.db
    .updateTable('product.local_product')
    .set({
      lifecycle,
      version: sql<number>`version + 1`,
      updated_at: sql<string>`kit.now()`,
      updated_by_name: ctx.userName,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...ids])
    .execute();
}

/** Takes products out of use; those with stock, open documents or a place in a bundle stay and are named. */
export async function takeOffline(ctx: Ctx, ids: readonly string[]): Promise<{ changed: number; problems: Problem[] }> {
  const found = (await everyTarget(ctx, ids)).filter((one) => one.lifecycle !== 'offline');
  const uses = await usesOf(ctx, ids);
  const parts = await partsInUse(ctx, ids);
  const problems = found.flatMap(({ id, sku }) => {
    const list = [...(uses.get(id) ?? []), ...(parts.get(id) ?? [])];
    return list.length === 0 ? [] : [{ sku, reason: `产品仍有库存或未完单据，不能停用：${list.join('、')}` }];
  });
  const free = found.filter((one) => !problems.some((problem) => problem.sku === one.sku));
  await setLifecycle(
    ctx,
    free.map((one) => one.id),
    'offline',
  );
  await audit(ctx, { action: '停用产品', resource: 'product', after: { skus: free.map((one) => one.sku) } });
  return { changed: free.length, problems };
}

/** Puts products back into use. */
export async function restore(ctx: Ctx, ids: readonly string[]): Promise<{ changed: number }> {
  const found = (await everyTarget(ctx, ids)).filter((one) => one.lifecycle === 'offline');
  await setLifecycle(
    ctx,
    found.map((one) => one.id),
    'active',
  );
  await audit(ctx, { action: '恢复产品', resource: 'product', after: { skus: found.map((one) => one.sku) } });
  return { changed: found.length };
}

/** Deletes a consumable or box that nothing refers to. @throws AppError B0718 where something does */
export async function removeUnused(ctx: Ctx, id: string): Promise<void> {
  const [target] = await targets(ctx, [id]);
  if (!target) throw refused('产品不存在或已删除', 'B0718');
  await sql`SAVEPOINT removal`.execute(ctx.db);
  try {
    for (const table of ['dimension', 'box', 'customs', 'consumable_use', 'supply', 'media']) {
      await sql`DELETE FROM ${sql.table(`product.${table}`)} WHERE company_id = ${ctx.companyId} AND product_id = ${id}`.execute(
        ctx.db,
      );
    }
    await ctx.db
      .deleteFrom('product.local_product')
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', id)
      .execute();
  } catch {
    await sql`ROLLBACK TO SAVEPOINT removal`.execute(ctx.db);
    throw refused(`产品「${target.sku}」已被使用，请改为停用`, 'B0718');
  }
  await audit(ctx, { action: '删除产品', resource: 'product', resourceId: id, before: { sku: target.sku } });
}
