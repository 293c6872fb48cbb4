import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { tagsOf } from '#modules/system/server/index.ts';
import type { ProductDetail } from '../../contract/material.ts';
import type { Box, Customs, Dimension } from '../../contract/parts.ts';
import { listingsOfProduct } from '../match/of-product.ts';
import { bomOf } from './bom.ts';
import { mediaOf } from './media.ts';
import { suppliesOf } from './prices.ts';

/** The product's own row. @throws notFound */
export async function factsOf(ctx: Ctx, id: string) {
  const { rows } = await sql<Record<string, never> & DbFacts>`
    SELECT p.*, b.name AS brand, m.spu AS model, o.name AS owner, u.name AS purchaser,
           CASE WHEN f.name IS NULL THEN c.name ELSE f.name || ' / ' || c.name END AS category
      FROM product.local_product AS p
      LEFT JOIN product.brand AS b ON b.company_id = p.company_id AND b.id = p.brand_id
      LEFT JOIN product.category AS c ON c.company_id = p.company_id AND c.id = p.category_id
      LEFT JOIN product.category AS f ON f.company_id = c.company_id AND f.id = c.parent_id
      LEFT JOIN product.model AS m ON m.company_id = p.company_id AND m.id = p.model_id
      LEFT JOIN product.person AS o ON o.company_id = p.company_id AND o.user_id = p.owner_id
      LEFT JOIN product.person AS u ON u.company_id = p.company_id AND u.user_id = p.purchaser_id
     WHERE p.company_id = ${ctx.companyId} AND p.id = ${id} AND NOT p.is_spelling`.execute(ctx.db);
  const row = rows[0];
  if (!row) throw notFound('产品不存在或已删除');
  return row;
}

interface DbFacts {
  id: string;
  sku: string;
  name: string;
  image: string | null;
  kind: string;
  structure: string;
  lifecycle: string;
  brand_id: string | null;
  category_id: string | null;
  model_id: string | null;
  barcode: string | null;
  specification: string | null;
  unit: string;
  owner_id: string | null;
  purchaser_id: string | null;
  effective_date: string | null;
  hazards: string[];
  qc_level: string;
  safety_share: string | null;
  tag_ids: string[];
  remark: string | null;
  version: number;
  updated_at: string;
  updated_by_name: string;
  brand: string | null;
  category: string | null;
  model: string | null;
  owner: string | null;
  purchaser: string | null;
}

async function dimensionsOf(ctx: Ctx, id: string): Promise<Dimension[]> {
  const rows = await ctx.db
    .selectFrom('product.dimension')
    .select(['role', 'length', 'width', 'height', 'weight', 'units_per_carton as unitsPerCarton'])
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', id)
    .orderBy('role', 'desc')
    .execute();
  return rows.map((row) => ({ ...row, role: row.role as Dimension['role'] }));
}

async function customsOf(ctx: Ctx, id: string): Promise<Customs[]> {
  return ctx.db
    .selectFrom('product.customs')
    .select(['country', 'hs_code as hsCode', 'name_cn as nameCn', 'name_en as nameEn', 'elements', 'unit_1 as unit1'])
    .select([
      'unit_2 as unit2',
      'unit_ratio as unitRatio',
      'refund_rate as refundRate',
      'declared_value as declaredValue',
    ])
    .select(['declared_currency as declaredCurrency', 'duty_rate as dutyRate', 'vat_rate as vatRate'])
    .select(['material', 'purpose', 'link'])
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', id)
    .orderBy('country')
    .execute();
}

async function consumablesOf(ctx: Ctx, id: string) {
  return ctx.db
    .selectFrom('product.consumable_use as u')
    .innerJoin('product.local_product as c', (join) =>
      join.onRef('c.company_id', '=', 'u.company_id').onRef('c.id', '=', 'u.consumable_id'),
    )
    .select(['u.consumable_id as consumableId', 'u.qty_per as qtyPer', 'c.sku', 'c.name'])
    .where('u.company_id', '=', ctx.companyId)
    .where('u.product_id', '=', id)
    .orderBy('c.sku')
    .execute();
}

async function boxOf(ctx: Ctx, id: string): Promise<Box | null> {
  const row = await ctx.db
    .selectFrom('product.box')
    .select(['inner_length as innerLength', 'inner_width as innerWidth', 'inner_height as innerHeight'])
    .select('load_weight as loadWeight')
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', id)
    .executeTakeFirst();
  return row ?? null;
}

async function costsOf(ctx: Ctx, sku: string) {
  const rows = await ctx.db
    .selectFrom('product.sku_cost')
    .select(['valid_from as day', 'unit_cost as unitCost'])
    .where('company_id', '=', ctx.companyId)
    .where('sku', '=', sku)
    .orderBy('valid_from')
    .execute();
  const now = rows.findLast((row) => row.day <= ctx.clock.today());
  return { costs: rows, unitCost: now?.unitCost ?? null };
}

async function versionsOf(ctx: Ctx, id: string): Promise<ProductDetail['bomVersions']> {
  const { rows } = await sql<ProductDetail['bomVersions'][number]>`
    SELECT b.version_no AS "versionNo", b.effective_from AS "effectiveFrom", b.created_by_name AS "by", b.created_at AS at,
           (SELECT count(*) FROM product.bom_line AS l WHERE l.company_id = b.company_id AND l.bom_id = b.id) AS lines
      FROM product.bom AS b WHERE b.company_id = ${ctx.companyId} AND b.product_id = ${id}
     ORDER BY b.version_no DESC LIMIT 50`.execute(ctx.db);
  return rows;
}

/** Everything about a product. @throws AppError 404 */
export async function productDetailOf(ctx: Ctx, id: string): Promise<ProductDetail> {
  const row = await factsOf(ctx, id);
  const tags = await tagsOf(ctx, row.tag_ids);
  return {
    id,
    sku: row.sku,
    name: row.name,
    kind: row.kind as ProductDetail['kind'],
    structure: row.structure as ProductDetail['structure'],
    lifecycle: row.lifecycle as ProductDetail['lifecycle'],
    image: row.image,
    brandId: row.brand_id,
    brand: row.brand,
    categoryId: row.category_id,
    category: row.category,
    modelId: row.model_id,
    model: row.model,
    barcode: row.barcode,
    specification: row.specification,
    unit: row.unit,
    ownerId: row.owner_id,
    owner: row.owner,
    purchaserId: row.purchaser_id,
    purchaser: row.purchaser,
    effectiveDate: row.effective_date,
    hazards: row.hazards as ProductDetail['hazards'],
    qcLevel: row.qc_level as ProductDetail['qcLevel'],
    safetyShare: row.safety_share,
    tagIds: row.tag_ids,
    tags: row.tag_ids
      .flatMap((tagId) => tags.get(tagId) ?? [])
      .map(({ id: tagId, name, color }) => ({ id: tagId, name, color })),
    remark: row.remark,
    version: row.version,
    updatedBy: row.updated_by_name,
    updatedAt: row.updated_at,
    dimensions: await dimensionsOf(ctx, id),
    customs: await customsOf(ctx, id),
    consumables: await consumablesOf(ctx, id),
    supplies: await suppliesOf(ctx, id),
    box: await boxOf(ctx, id),
    media: await mediaOf(ctx, id),
    bom: await bomOf(ctx, id),
    bomVersions: await versionsOf(ctx, id),
    ...(await costsOf(ctx, row.sku)),
    listings: await listingsOfProduct(ctx, id, row.sku),
  };
}
