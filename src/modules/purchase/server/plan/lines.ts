import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { requireMove, warehouses } from '#modules/warehouse/server/index.ts';
import { supplierOf } from '../order/suppliers.ts';

interface Added {
  productId: string;
  warehouseId: string;
  qty: number;
  needBy: string | null;
  remark: string;
}

/** One line for each product and warehouse: pieces add up, the earliest need counts. */
function merged(lines: readonly Added[]): Added[] {
  const all = new Map<string, Added>();
  for (const line of lines) {
    const key = `${line.productId} ${line.warehouseId}`;
    const old = all.get(key);
    const needBy = [old?.needBy, line.needBy].filter((day) => typeof day === 'string').sort()[0] ?? null;
    all.set(key, old ? { ...old, qty: old.qty + line.qty, needBy } : line);
  }
  return [...all.values()];
}

/** @throws refused B1004 product, B1002 a warehouse that orders cannot come to */
async function requireKnown(ctx: Ctx, lines: readonly Added[]): Promise<void> {
  const products = await localProducts(
    ctx,
    lines.map((line) => line.productId),
  );
  if (lines.some((line) => !products.has(line.productId))) throw refused('商品不存在或已删除', 'B1004');
  const places = await warehouses(ctx);
  for (const id of new Set(lines.map((line) => line.warehouseId))) {
    const place = places.get(id);
    if (!place || place.disabled || place.quality !== 'GOOD') throw refused('入库仓须为在用的正品仓', 'B1002');
    requireMove(ctx, id);
  }
}

/** Puts needs into the plan; what is planned already for the same warehouse gets the pieces on top. */
export async function addPlanLines(ctx: Ctx, lines: readonly Added[]): Promise<{ added: number; raised: number }> {
  const wanted = merged(lines);
  await requireKnown(ctx, wanted);
  const { rows } = await sql<{ fresh: boolean }>`
    INSERT INTO purchase.plan_line AS p (company_id, product_id, warehouse_id, qty, need_by, remark, created_by_name)
    SELECT ${ctx.companyId}, r."productId", r."warehouseId", r.qty, r."needBy", r.remark, ${ctx.userName}
      FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb)
        AS r("productId" uuid, "warehouseId" uuid, qty int, "needBy" date, remark text)
     ORDER BY 2, 3
    ON CONFLICT (company_id, product_id, warehouse_id) WHERE state = 'open' DO UPDATE
       SET qty = p.qty + excluded.qty, need_by = least(p.need_by, excluded.need_by), version = p.version + 1,
           remark = CASE WHEN p.remark = '' THEN excluded.remark ELSE p.remark END
    RETURNING p.version = 0 AS fresh`.execute(ctx.db);
  const added = rows.filter((row) => row.fresh).length;
  await audit(ctx, { action: '加入采购规划', resource: 'purchase.plan', after: { lines: wanted } });
  return { added, raised: rows.length - added };
}

interface Change {
  id: string;
  version?: number | undefined;
  qty: number;
  needBy: string | null;
  supplierId: string | null;
  remark: string;
}

/** Changes a need that is still open. @throws conflict for a stale version or one that was handed in */
export async function savePlanLine(ctx: Ctx, { id, version, ...input }: Change): Promise<void> {
  const before = await ctx.db
    .selectFrom('purchase.plan_line')
    .select(['state', 'version', 'qty', 'warehouse_id'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (!before) throw notFound();
  requireMove(ctx, before.warehouse_id);
  if (before.state !== 'open') throw conflict('规划已提交，不能修改');
  if (version !== undefined && version !== before.version) throw conflict();
  if (input.supplierId !== null) await supplierOf(ctx, input.supplierId);
  await ctx.db
    .updateTable('purchase.plan_line')
    .set({
      qty: input.qty,
      need_by: input.needBy,
      supplier_id: input.supplierId,
      remark: input.remark,
      version: before.version + 1,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, {
    action: '修改采购规划',
    resource: 'purchase.plan',
    resourceId: id,
    before: { qty: before.qty },
    after: input,
  });
}

/** Takes open needs out of the plan; those of which an order was made stay. @throws notFound where none is open */
export async function removePlanLines(ctx: Ctx, ids: readonly string[]): Promise<{ removed: number }> {
  const rows = await ctx.db
    .deleteFrom('purchase.plan_line')
    .where('company_id', '=', ctx.companyId)
    .where('state', '=', 'open')
    .where('id', 'in', [...ids])
    .returning('id')
    .execute();
  if (rows.length === 0) throw notFound();
  await audit(ctx, { action: '移出采购规划', resource: 'purchase.plan', after: { ids: rows.map((row) => row.id) } });
  return { removed: rows.length };
}
