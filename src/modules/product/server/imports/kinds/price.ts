import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { PRICE_EDIT, PRICE_VIEW } from '../../../contract/fields.ts';
import { code, decimal, type ImportColumn, sku, text, yesNo } from '../columns.ts';
import type { ImportDef } from '../kind.ts';
import { rowsOf } from '../rows.ts';
import { doubled, productJoin, unknownSku } from './shared.ts';

const columns: ImportColumn[] = [
  { key: 'sku', title: 'SKU', aliases: ['本地sku'], required: true, read: sku, sample: 'KD-CUP-01' },
  {
    key: 'supplier',
    title: '供应商',
    aliases: ['供应商简称', '供应商编码'],
    required: true,
    read: text(50),
    sample: 'S00001',
  },
  { key: 'is_default', title: '默认', read: yesNo, sample: '是' },
  { key: 'moq', title: 'MOQ', aliases: ['起订量'], read: decimal(0, { max: 100_000_000 }), sample: '100' },
  { key: 'order_multiple', title: '倍数', aliases: ['订货倍数'], read: decimal(0, { max: 1_000_000 }), sample: '10' },
  {
    key: 'lead_days',
    title: '供货周期',
    aliases: ['供货周期(天)'],
    read: decimal(0, { zero: true, max: 730 }),
    sample: '25',
  },
  {
    key: 'min_qty',
    title: '档位数量',
    aliases: ['档位', '起订数量'],
    required: true,
    read: decimal(0, { max: 100_000_000 }),
    sample: '1',
  },
  { key: 'unit_price', title: '单价', required: true, read: decimal(6), sample: '12.5' },
  { key: 'currency', title: '币种', read: code(/^[A-Z]{3}$/, '币种为三位代码', '例如 CNY'), sample: 'CNY' },
  { key: 'tax_included', title: '含税', read: yesNo, sample: '否' },
];

const SUPPLIER = (ctx: Ctx) => sql`JOIN supplier.supplier AS v ON v.company_id = ${ctx.companyId}
  AND (lower(v.code) = lower(r.supplier) OR lower(v.short_name) = lower(r.supplier))`;

function problems(ctx: Ctx) {
  return sql`
    ${unknownSku(ctx, 'sku')} UNION ALL ${doubled(['sku', 'supplier', 'min_qty'], 'min_qty')}
    UNION ALL SELECT r.line_no, 'supplier', CASE WHEN count(v.id) = 0 THEN '供应商不存在' ELSE '编码与简称指向不同的供应商' END, '填写供应商编码'
      FROM pg_temp.import_row AS r LEFT ${SUPPLIER(ctx)} GROUP BY r.line_no HAVING count(v.id) <> 1
    UNION ALL SELECT r.line_no, 'supplier', '供应商已停用或评级过低，不能下单', '请选择其他供应商'
      FROM pg_temp.import_row AS r ${SUPPLIER(ctx)} WHERE v.state = 'blacklisted'
    UNION ALL SELECT r.line_no, 'currency', '同一报价的币种、含税须一致', '请按 SKU+供应商 统一'
      FROM (SELECT *, first_value(coalesce(currency, 'CNY') || coalesce(tax_included, 'f'))
                        OVER (PARTITION BY lower(sku), lower(supplier) ORDER BY line_no) AS first FROM pg_temp.import_row) AS r
     WHERE coalesce(r.currency, 'CNY') || coalesce(r.tax_included, 'f') <> r.first
    UNION ALL SELECT min(r.line_no), 'is_default', '请指定且仅指定一个默认供应商', '每个 SKU 一家供应商填 是'
      FROM pg_temp.import_row AS r WHERE r.is_default = 't' GROUP BY lower(r.sku) HAVING count(DISTINCT lower(r.supplier)) > 1`;
}

/** What the file says of each pair of product and supplier; the first row of a pair speaks for it. */
async function pairs(ctx: Ctx): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.import_pair`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE import_pair ON COMMIT DROP AS
    SELECT p.id AS product_id, v.id AS supplier_id, bool_or(r.is_default = 't') AS is_default, max(r.moq)::int AS moq,
           max(r.order_multiple)::int AS order_multiple, max(r.lead_days)::int AS lead_days,
           coalesce(max(r.currency), 'CNY') AS currency, coalesce(bool_or(r.tax_included = 't'), false) AS tax_included,
           jsonb_object_agg(r.min_qty, trim_scale(r.unit_price::numeric)::text) AS tiers
      FROM pg_temp.import_row AS r ${productJoin(ctx, 'sku', 'p')} ${SUPPLIER(ctx)}
     GROUP BY p.id, v.id`.execute(ctx.db);
}

async function writeSupplies(ctx: Ctx): Promise<void> {
  await sql`
    UPDATE product.supply AS s SET is_default = false FROM pg_temp.import_pair AS i
     WHERE s.company_id = ${ctx.companyId} AND s.product_id = i.product_id AND i.is_default AND s.is_default
       AND s.supplier_id <> i.supplier_id`.execute(ctx.db);
  await sql`
    INSERT INTO product.supply AS s (company_id, product_id, supplier_id, is_default, moq, order_multiple, lead_days)
    SELECT ${ctx.companyId}, i.product_id, i.supplier_id,
           -- A product without a default supplier takes the first of the file.
           coalesce(i.is_default, false) OR (row_number() OVER (PARTITION BY i.product_id ORDER BY i.is_default DESC NULLS LAST, i.supplier_id) = 1
             AND NOT EXISTS (SELECT FROM product.supply AS o WHERE o.company_id = ${ctx.companyId}
                              AND o.product_id = i.product_id AND o.is_default)),
           coalesce(i.moq, 1), coalesce(i.order_multiple, 1), coalesce(i.lead_days, 0)
      FROM pg_temp.import_pair AS i
    ON CONFLICT (company_id, product_id, supplier_id) DO UPDATE
       SET is_default = excluded.is_default OR s.is_default,
           moq = coalesce((SELECT i.moq FROM pg_temp.import_pair AS i WHERE i.product_id = s.product_id AND i.supplier_id = s.supplier_id), s.moq),
           order_multiple = coalesce((SELECT i.order_multiple FROM pg_temp.import_pair AS i WHERE i.product_id = s.product_id AND i.supplier_id = s.supplier_id), s.order_multiple),
           lead_days = coalesce((SELECT i.lead_days FROM pg_temp.import_pair AS i WHERE i.product_id = s.product_id AND i.supplier_id = s.supplier_id), s.lead_days)`.execute(
    ctx.db,
  );
}

/** A new price list for each pair whose prices are others than those of today. */
async function writeLists(ctx: Ctx): Promise<number> {
  const { rows } = await sql`
    WITH other AS (
      SELECT i.* FROM pg_temp.import_pair AS i
       WHERE (i.currency, i.tax_included, i.tiers) IS DISTINCT FROM (
         SELECT (l.currency, l.tax_included, (SELECT jsonb_object_agg(t.min_qty::text, trim_scale(t.unit_price)::text)
                   FROM product.price_tier AS t WHERE t.company_id = l.company_id AND t.list_id = l.id))
           FROM product.price_list AS l
          WHERE l.company_id = ${ctx.companyId} AND l.product_id = i.product_id AND l.supplier_id = i.supplier_id
            AND l.valid_from <= ${ctx.clock.today()}::date AND (l.valid_to IS NULL OR l.valid_to >= ${ctx.clock.today()}::date)
          ORDER BY l.id DESC LIMIT 1)
    ), made AS (
      INSERT INTO product.price_list (company_id, product_id, supplier_id, currency, tax_included, valid_from, origin, created_by_name)
      SELECT ${ctx.companyId}, product_id, supplier_id, currency, tax_included, ${ctx.clock.today()}::date, 'import', ${ctx.userName} FROM other
      RETURNING id, product_id, supplier_id)
    INSERT INTO product.price_tier (company_id, list_id, min_qty, unit_price)
    SELECT ${ctx.companyId}, m.id, t.key::int, t.value::numeric
      FROM made AS m JOIN other AS o USING (product_id, supplier_id) CROSS JOIN LATERAL jsonb_each_text(o.tiers) AS t
    RETURNING 1`.execute(ctx.db);
  return rows.length;
}

async function write(ctx: Ctx): Promise<number> {
  await pairs(ctx);
  await writeSupplies(ctx);
  return writeLists(ctx);
}

export const priceImport: ImportDef = {
  title: '供应商档价',
  columns,
  problems: problems as ImportDef['problems'],
  write,
  permission: PRICE_EDIT,
  current: (ctx) =>
    rowsOf(
      ctx,
      sql`SELECT p.sku, v.code AS supplier, CASE WHEN s.is_default THEN '是' ELSE '否' END AS is_default, s.moq, s.order_multiple,
                 s.lead_days, t.min_qty, trim_scale(t.unit_price)::text AS unit_price, l.currency,
                 CASE WHEN l.tax_included THEN '是' ELSE '否' END AS tax_included
            FROM product.supply AS s
            JOIN product.local_product AS p ON p.company_id = s.company_id AND p.id = s.product_id
            JOIN supplier.supplier AS v ON v.company_id = s.company_id AND v.id = s.supplier_id
            JOIN LATERAL (SELECT * FROM product.price_list AS l
                           WHERE l.company_id = s.company_id AND l.product_id = s.product_id AND l.supplier_id = s.supplier_id
                             AND l.valid_from <= ${ctx.clock.today()}::date AND (l.valid_to IS NULL OR l.valid_to >= ${ctx.clock.today()}::date)
                           ORDER BY l.id DESC LIMIT 1) AS l ON true
            JOIN product.price_tier AS t ON t.company_id = l.company_id AND t.list_id = l.id
           WHERE s.company_id = ${ctx.companyId} AND ${can(ctx, PRICE_VIEW)} ORDER BY p.sku, v.code, t.min_qty`,
    ),
};
