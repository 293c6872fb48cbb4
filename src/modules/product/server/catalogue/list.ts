import { type SelectQueryBuilder, sql } from 'kysely';
import { plainDecimal } from '#kit/contract/decimal.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { tagsOf } from '#modules/system/server/index.ts';
import { type ProductFilter, ProductRow } from '../../contract/material.ts';

/** Products of a filter, as `p`. Spellings of a marketplace are no products. */
export function productsOf(ctx: Ctx, filter: ProductFilter) {
  let query = ctx.db
    .selectFrom('product.local_product as p')
    .where('p.company_id', '=', ctx.companyId)
    .where('p.is_spelling', '=', false);
  if (filter.lifecycle) query = query.where('p.lifecycle', '=', filter.lifecycle);
  if (filter.kind?.length) query = query.where('p.kind', 'in', filter.kind);
  if (filter.structure) query = query.where('p.structure', '=', filter.structure);
  if (filter.skus?.length) {
    const keys = filter.skus.map((sku) => sku.trim().toLowerCase());
    query = query.where('p.sku_key', 'in', keys);
  }
  if (filter.name) query = query.where('p.name', 'ilike', containing(filter.name));
  if (filter.brandId?.length) query = query.where('p.brand_id', 'in', filter.brandId);
  if (filter.ownerId?.length) query = query.where('p.owner_id', 'in', filter.ownerId);
  if (filter.tagId?.length) query = query.where(sql<boolean>`p.tag_ids && ${filter.tagId}::uuid[]`);
  if (filter.categoryId?.length) {
    query = query.where(
      sql<boolean>`p.category_id IN (SELECT c.id FROM product.category AS c WHERE c.company_id = ${ctx.companyId}
        AND (c.id = ANY (${filter.categoryId}::uuid[]) OR c.parent_id = ANY (${filter.categoryId}::uuid[])))`,
    );
  }
  if (filter.supplierId?.length) {
    query = query.where(
      sql<boolean>`EXISTS (SELECT FROM product.supply AS s WHERE s.company_id = p.company_id AND s.product_id = p.id
        AND s.supplier_id = ANY (${filter.supplierId}::uuid[]))`,
    );
  }
  if (filter.missing) query = query.where(MISSING[filter.missing]);
  return query;
}

const MISSING = {
  cost: sql<boolean>`NOT EXISTS (SELECT FROM product.sku_cost AS c WHERE c.company_id = p.company_id AND c.sku = p.sku)`,
  weight: sql<boolean>`NOT EXISTS (SELECT FROM product.dimension AS d WHERE d.company_id = p.company_id
    AND d.product_id = p.id AND d.weight IS NOT NULL)`,
  hs: sql<boolean>`NOT EXISTS (SELECT FROM product.customs AS h WHERE h.company_id = p.company_id
    AND h.product_id = p.id AND h.country = '' AND h.hs_code IS NOT NULL)`,
  image: sql<boolean>`p.image IS NULL`,
};

type Cut = SelectQueryBuilder<never, never, Record<string, unknown>>;

/** The rows of a page with all that they only show. */
function shown(ctx: Ctx, rows: Cut) {
  return ctx.db
    .selectFrom(rows.as('p') as never)
    .select(shownColumns(ctx) as never)
    .$castTo<ShownRow>();
}

/** What a page's rows show beside their own columns, each found by an index. */
function shownColumns(ctx: Ctx) {
  const today = ctx.clock.today();
  const text = (expression: ReturnType<typeof sql<string | null>>, name: string) => expression.as(name);
  return [
    ...OWN.map((column) => sql`${sql.ref(`p.${column}`)}`.as(column)),
    text(
      sql<string | null>`(SELECT CASE WHEN f.name IS NULL THEN c.name ELSE f.name || ' / ' || c.name END
        FROM product.category AS c LEFT JOIN product.category AS f ON f.company_id = c.company_id AND f.id = c.parent_id
       WHERE c.company_id = p.company_id AND c.id = p.category_id)`,
      'category',
    ),
    text(sql`(SELECT b.name FROM product.brand AS b WHERE b.company_id = p.company_id AND b.id = p.brand_id)`, 'brand'),
    text(sql`(SELECT m.spu FROM product.model AS m WHERE m.company_id = p.company_id AND m.id = p.model_id)`, 'model'),
    text(
      sql`(SELECT n.name FROM product.person AS n WHERE n.company_id = p.company_id AND n.user_id = p.owner_id)`,
      'owner',
    ),
    text(
      sql`(SELECT n.name FROM product.person AS n WHERE n.company_id = p.company_id AND n.user_id = p.purchaser_id)`,
      'purchaser',
    ),
    text(
      sql`(SELECT c.unit_cost FROM product.sku_cost AS c WHERE c.company_id = p.company_id AND c.sku = p.sku
            AND c.valid_from <= ${today}::date ORDER BY c.valid_from DESC LIMIT 1)`,
      'unit_cost',
    ),
    text(
      sql`(SELECT h.hs_code FROM product.customs AS h WHERE h.company_id = p.company_id AND h.product_id = p.id AND h.country = '')`,
      'hs_code',
    ),
    sql`(SELECT jsonb_build_object('supplier', v.short_name, 'leadDays', s.lead_days) FROM product.supply AS s
           JOIN supplier.supplier AS v ON v.company_id = s.company_id AND v.id = s.supplier_id
          WHERE s.company_id = p.company_id AND s.product_id = p.id AND s.is_default)`.as('supply'),
    // What is shown of three sizes is the packed one, else the bare one.
    sql`(SELECT jsonb_build_object('weight', d.weight::text, 'length', d.length::text, 'width', d.width::text,
                                   'height', d.height::text) FROM product.dimension AS d
          WHERE d.company_id = p.company_id AND d.product_id = p.id AND d.role IN ('packed', 'net')
          ORDER BY d.role DESC LIMIT 1)`.as('size'),
  ];
}

const OWN = [
  'id',
  'sku',
  'name',
  'image',
  'kind',
  'structure',
  'lifecycle',
  'specification',
  'unit',
  'barcode',
  'effective_date',
  'qc_level',
  'safety_share',
  'tag_ids',
  'version',
  'updated_at',
  'updated_by_name',
] as const;

export interface ShownRow {
  id: string;
  sku: string;
  name: string;
  image: string | null;
  kind: string;
  structure: string;
  lifecycle: string;
  specification: string | null;
  unit: string;
  barcode: string | null;
  effective_date: string | null;
  qc_level: string;
  safety_share: string | null;
  tag_ids: string[];
  version: number;
  updated_at: string;
  updated_by_name: string;
  category: string | null;
  brand: string | null;
  model: string | null;
  owner: string | null;
  purchaser: string | null;
  unit_cost: string | null;
  hs_code: string | null;
  supply: { supplier: string; leadDays: number } | null;
  size: Record<'weight' | 'length' | 'width' | 'height', string | null> | null;
}

/** 「30×20×10」 of measures as text; null unless all are known. */
export function sizeText(...measures: readonly (string | null | undefined)[]): string | null {
  const known = measures.filter((one) => typeof one === 'string');
  return known.length === measures.length ? known.map(plainDecimal).join('×') : null;
}

export function toProductRow(row: ShownRow, tags: ReadonlyMap<string, { name: string }>): ProductRow {
  const { size, supply } = row;
  return {
    id: row.id,
    product: { name: row.name || row.sku, code: row.sku, image: row.image },
    sku: row.sku,
    name: row.name,
    lifecycle: row.lifecycle as ProductRow['lifecycle'],
    structure: row.structure as ProductRow['structure'],
    category: row.category,
    brand: row.brand,
    specification: row.specification,
    weight: size?.weight ?? null,
    size: size && sizeText(size.length, size.width, size.height),
    unitCost: row.unit_cost,
    supplier: supply?.supplier ?? null,
    leadDays: supply?.leadDays ?? null,
    tags: row.tag_ids.flatMap((id) => tags.get(id)?.name ?? []).join('、'),
    owner: row.owner,
    purchaser: row.purchaser,
    effectiveDate: row.effective_date,
    barcode: row.barcode,
    kind: row.kind as ProductRow['kind'],
    model: row.model,
    unit: row.unit,
    qcLevel: row.qc_level as ProductRow['qcLevel'],
    hsCode: row.hs_code,
    updatedBy: row.updated_by_name,
    updatedAt: row.updated_at,
    version: row.version,
  };
}

type Def = ListDef<ShownRow, ProductRow>;

/** How products are found and ordered; `around` shows the rows of a page. */
export function productList(ctx: Ctx, filter: ProductFilter): Omit<ListDef<ShownRow, never>, 'row' | 'map'> {
  return {
    query: productsOf(ctx, filter).selectAll('p') as unknown as Def['query'],
    around: (rows) => shown(ctx, rows as unknown as Cut) as unknown as Def['query'],
    sort: { product: 'p.sku', sku: 'p.sku', effectiveDate: 'p.effective_date', updatedAt: 'p.updated_at' },
    order: [['p.id', 'desc']],
    key: 'p.id',
  };
}

/** Names of the tags in use; tags live in their own module and are few. */
export async function tagNames(ctx: Ctx): Promise<Map<string, { name: string; color: string }>> {
  const { rows } = await sql<{ id: string }>`
    SELECT DISTINCT unnest(tag_ids) AS id FROM product.local_product
     WHERE company_id = ${ctx.companyId} AND tag_ids <> '{}'`.execute(ctx.db);
  return tagsOf(
    ctx,
    rows.map((row) => row.id),
  );
}

/** One page of products, the newest first. */
export async function productPage(ctx: Ctx, request: PageRequest<ProductFilter>): Promise<PageOf<ProductRow>> {
  const names = await tagNames(ctx);
  return page<ShownRow, ProductRow>(ctx, request, {
    ...productList(ctx, request.filter),
    row: ProductRow,
    map: (row) => toProductRow(row, names),
  });
}

/** Numbers of products by state under the other filters. */
export async function productCounts(
  ctx: Ctx,
  { lifecycle: _, ...others }: ProductFilter,
): Promise<Record<string, number>> {
  return {
    ...{ developing: 0, active: 0, clearance: 0, offline: 0 },
    ...(await countsBy(productsOf(ctx, others), 'p.lifecycle')),
  };
}

/** All products of the filter as a file. */
export function productFile(open: OpenCtx, body: ExportRequest<ProductFilter>): Promise<FileReply> {
  return download(open, async (ctx) => {
    const names = await tagNames(ctx);
    const def = { ...productList(ctx, body.filter), row: ProductRow, map: (row: ShownRow) => toProductRow(row, names) };
    return {
      name: '本地产品',
      sheet: '本地产品',
      format: body.format,
      columns: exportColumns(ctx, ProductRow, body.columns),
      rows: streamed<ShownRow, ProductRow>(ctx, body, def),
      audit: { action: '导出本地产品', resource: 'product', filter: body.filter },
    };
  });
}
