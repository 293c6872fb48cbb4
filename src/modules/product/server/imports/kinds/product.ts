import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import { emit } from '#kit/server/events.ts';
import { COST } from '../../../contract/fields.ts';
import { rememberPerson } from '../../catalogue/people.ts';
import { productMeasured, touchCosts } from '../../touched.ts';
import { code, day, decimal, type ImportColumn, oneOf, sku, text } from '../columns.ts';
import type { ImportDef, Refused } from '../kind.ts';
import { PICTURE, PICTURES, productPictures } from '../pictures/attach.ts';
import { pictureId } from '../pictures/workbook.ts';
import { rowsOf } from '../rows.ts';

const KINDS = { goods: '商品', consumable: '辅料', package: '包材箱', service: '服务' };
const STATES = { developing: '开发中', active: '在售', clearance: '清仓' };
const QC = { none: '免检', sample: '抽检', full: '全检' };
const ROLES = { net: '净品', packed: '包装', carton: '单箱' } as const;

const size: ImportColumn[] = Object.entries(ROLES).flatMap(([role, title]) => [
  { key: `${role}_length`, title: `${title}长(cm)`, read: decimal(2, { max: 99_999 }) },
  { key: `${role}_width`, title: `${title}宽(cm)`, read: decimal(2, { max: 99_999 }) },
  { key: `${role}_height`, title: `${title}高(cm)`, read: decimal(2, { max: 99_999 }) },
  { key: `${role}_weight`, title: `${title}重(kg)`, read: decimal(3, { max: 99_999 }) },
]);

/** Columns of the sheet of products, in the import and in its exports. */
export const productColumns: ImportColumn[] = [
  { key: 'sku', title: 'SKU', aliases: ['本地sku', '商品编码'], required: true, read: sku, sample: 'KD-CUP-01' },
  {
    key: 'name',
    title: '名称',
    aliases: ['品名', '产品名称'],
    required: true,
    read: text(500),
    sample: '保温杯 500ml',
  },
  { key: 'kind', title: '类型', read: oneOf(KINDS), sample: '商品' },
  { key: 'lifecycle', title: '状态', read: oneOf(STATES), sample: '在售' },
  { key: 'brand', title: '品牌', read: text(100) },
  { key: 'category', title: '品类', aliases: ['分类'], read: text(200), sample: '家居 / 水杯' },
  { key: 'specification', title: '规格', read: text(200) },
  { key: 'unit', title: '单位', read: text(10), sample: '件' },
  { key: 'barcode', title: '条码', read: text(50) },
  { key: 'unit_cost', title: '采购成本(CNY)', aliases: ['采购成本', '成本'], read: decimal(4), sample: '12.50' },
  ...size,
  { key: 'units_per_carton', title: '单箱数量', read: decimal(0, { max: 1_000_000 }), sample: '24' },
  { key: 'owner', title: '负责人', read: text(50) },
  { key: 'purchaser', title: '采购员', read: text(50) },
  { key: 'effective_date', title: '生效日期', read: day, sample: '2026-01-31' },
  { key: 'qc_level', title: '质检', read: oneOf(QC) },
  { key: 'hs_code', title: '海关编码', read: code(/^\d{10}$/, '海关编码为10位数字', '例如 3924100000') },
  { key: 'remark', title: '备注', read: text(1000) },
  // Pictures lie over their row or, made with WPS, in this cell; whatever else is written here says nothing.
  { key: PICTURE, title: PICTURES, read: (cell) => ({ value: pictureId(cell) }) },
];

/** Names of categories as rows say them: 「家居 / 水杯」, or the name alone where it is the only one. */
const CATEGORIES = (companyId: string) => sql`
  SELECT key, min(id::text)::uuid AS id, count(*) AS n FROM (
    SELECT c.id, regexp_replace(lower(CASE WHEN f.id IS NULL THEN c.name ELSE f.name || '/' || c.name END), '[[:space:]]*/[[:space:]]*', '/', 'g') AS key
      FROM product.category AS c LEFT JOIN product.category AS f ON f.company_id = c.company_id AND f.id = c.parent_id
     WHERE c.company_id = ${companyId}
    UNION SELECT c.id, lower(c.name) FROM product.category AS c WHERE c.company_id = ${companyId}) AS named
   GROUP BY key`;

const CATEGORY_KEY = sql`regexp_replace(lower(r.category), '[[:space:]]*/[[:space:]]*', '/', 'g')`;
const PEOPLE = (companyId: string) => sql`
  SELECT name, min(user_id::text)::uuid AS id, count(*) AS n FROM product.person WHERE company_id = ${companyId} GROUP BY name`;

function problems(ctx: Ctx) {
  const { companyId } = ctx;
  return sql<Refused>`
    WITH categories AS (${CATEGORIES(companyId)}), people AS (${PEOPLE(companyId)}),
    doubled AS (
      SELECT line_no, first FROM (
        SELECT line_no, min(line_no) OVER (PARTITION BY lower(sku)) AS first FROM pg_temp.import_row) AS n WHERE line_no > first
    ), barcodes AS (
      SELECT line_no, first FROM (
        SELECT line_no, min(line_no) OVER (PARTITION BY barcode) AS first FROM pg_temp.import_row WHERE barcode IS NOT NULL) AS n
       WHERE line_no > first)
    SELECT line_no AS line, 'sku' AS field, '与第 ' || first || ' 行重复' AS reason, '同一SKU只保留一行' AS suggestion FROM doubled
    UNION ALL
    SELECT line_no, 'barcode', '条码与第 ' || first || ' 行重复', '条码须唯一' FROM barcodes
    UNION ALL
    SELECT r.line_no, 'sku', '该SKU已归档，请先恢复', '恢复后再导入' FROM pg_temp.import_row AS r
      JOIN product.local_product AS p ON p.company_id = ${companyId} AND p.sku_key = lower(r.sku) AND NOT p.is_spelling
     WHERE p.lifecycle = 'offline'
    UNION ALL
    SELECT r.line_no, 'barcode', '条码已被产品「' || p.sku || '」使用', '请检查条码' FROM pg_temp.import_row AS r
      JOIN product.local_product AS p ON p.company_id = ${companyId} AND p.barcode = r.barcode AND p.sku_key <> lower(r.sku)
    UNION ALL
    SELECT r.line_no, 'unit_cost', '无权修改成本', '请清空采购成本列' FROM pg_temp.import_row AS r
     WHERE r.unit_cost IS NOT NULL AND NOT ${can(ctx, COST)}
    UNION ALL
    SELECT r.line_no, 'brand', '品牌不存在', '请先新增品牌' FROM pg_temp.import_row AS r
     WHERE r.brand IS NOT NULL AND NOT EXISTS (
       SELECT FROM product.brand AS b WHERE b.company_id = ${companyId} AND lower(b.name) = lower(r.brand))
    UNION ALL
    SELECT r.line_no, 'category', CASE WHEN c.n > 1 THEN '有多个同名品类' ELSE '品类不存在' END,
           CASE WHEN c.n > 1 THEN '写成「一级 / 二级」' ELSE '请先新增品类' END
      FROM pg_temp.import_row AS r LEFT JOIN categories AS c ON c.key = ${CATEGORY_KEY}
     WHERE r.category IS NOT NULL AND c.n IS DISTINCT FROM 1
    UNION ALL
    SELECT r.line_no, f.field, CASE WHEN o.n > 1 THEN '有多个同名的人' ELSE '没有这个人' END, '填写在产品中出现过的姓名，或留空'
      FROM pg_temp.import_row AS r CROSS JOIN LATERAL (VALUES ('owner', r.owner), ('purchaser', r.purchaser)) AS f(field, name)
      LEFT JOIN people AS o ON o.name = f.name
     WHERE f.name IS NOT NULL AND o.n IS DISTINCT FROM 1`;
}

const FACTS = [
  'name',
  'kind',
  'lifecycle',
  'brand_id',
  'category_id',
  'specification',
  'unit',
  'barcode',
  'owner_id',
  'purchaser_id',
  'effective_date',
  'qc_level',
  'remark',
];
const KEPT = sql.raw(FACTS.map((name) => `p.${name}`).join(', '));
// An empty cell leaves what stands there; a new product takes what the table gives by itself.
const NEW = sql.raw(FACTS.map((name) => `coalesce(r.${name}, p.${name})`).join(', '));
const SET = sql.raw(FACTS.map((name) => `${name} = coalesce(r.${name}, p.${name})`).join(', '));

async function resolve(ctx: Ctx): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.import_fact`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE import_fact ON COMMIT DROP AS
    WITH categories AS (${CATEGORIES(ctx.companyId)}), people AS (${PEOPLE(ctx.companyId)})
    SELECT r.line_no, r.sku, lower(r.sku) AS sku_key, r.name, r.kind, r.lifecycle, b.id AS brand_id, c.id AS category_id,
           r.specification, r.unit, r.barcode, o.id AS owner_id, u.id AS purchaser_id, r.effective_date::date,
           r.qc_level, r.remark
      FROM pg_temp.import_row AS r
      LEFT JOIN product.brand AS b ON b.company_id = ${ctx.companyId} AND lower(b.name) = lower(r.brand)
      LEFT JOIN categories AS c ON c.key = ${CATEGORY_KEY}
      LEFT JOIN people AS o ON o.name = r.owner
      LEFT JOIN people AS u ON u.name = r.purchaser`.execute(ctx.db);
  await sql`ANALYZE pg_temp.import_fact`.execute(ctx.db);
}

async function writeProducts(ctx: Ctx): Promise<number> {
  const changed = await sql`
    UPDATE product.local_product AS p
       SET ${SET}, version = p.version + 1, updated_at = kit.now(), updated_by_name = ${ctx.userName}
      FROM pg_temp.import_fact AS r
     WHERE p.company_id = ${ctx.companyId} AND p.sku_key = r.sku_key AND NOT p.is_spelling
       AND (${KEPT}) IS DISTINCT FROM (${NEW})`.execute(ctx.db);
  const added = await sql`
    INSERT INTO product.local_product
      (company_id, sku, name, kind, lifecycle, brand_id, category_id, specification, unit, barcode, owner_id, purchaser_id,
       effective_date, qc_level, remark, updated_by_name)
    SELECT ${ctx.companyId}, r.sku, r.name, coalesce(r.kind, 'goods'), coalesce(r.lifecycle, 'active'), r.brand_id,
           r.category_id, r.specification, coalesce(r.unit, '件'), r.barcode, r.owner_id, r.purchaser_id, r.effective_date,
           coalesce(r.qc_level, 'none'), r.remark, ${ctx.userName}
      FROM pg_temp.import_fact AS r
     WHERE NOT EXISTS (SELECT FROM product.local_product AS p WHERE p.company_id = ${ctx.companyId}
                          AND p.sku_key = r.sku_key AND NOT p.is_spelling)
     ORDER BY r.line_no
    ON CONFLICT (company_id, sku) DO UPDATE SET is_spelling = false, name = excluded.name`.execute(ctx.db);
  return Number(changed.numAffectedRows ?? 0n) + Number(added.numAffectedRows ?? 0n);
}

/** Ids of the rows' products, for the tables beside. */
async function identify(ctx: Ctx): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.import_id`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE import_id ON COMMIT DROP AS
    SELECT p.id, p.sku AS own_sku, r.* FROM pg_temp.import_row AS r
      JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.sku_key = lower(r.sku) AND NOT p.is_spelling`.execute(
    ctx.db,
  );
  await sql`ANALYZE pg_temp.import_id`.execute(ctx.db);
}

async function writeSizes(ctx: Ctx): Promise<void> {
  const roles = sql.join(
    Object.keys(ROLES).map(
      (role) => sql`(${role}, ${sql.ref(`r.${role}_length`)}::numeric, ${sql.ref(`r.${role}_width`)}::numeric,
        ${sql.ref(`r.${role}_height`)}::numeric, ${sql.ref(`r.${role}_weight`)}::numeric,
        ${role === 'carton' ? sql`r.units_per_carton::int` : sql`NULL::int`})`,
    ),
  );
  await sql`
    INSERT INTO product.dimension AS d (company_id, product_id, role, length, width, height, weight, units_per_carton, source)
    SELECT ${ctx.companyId}, r.id, s.role, s.length, s.width, s.height, s.weight, s.units, 'import'
      FROM pg_temp.import_id AS r CROSS JOIN LATERAL (VALUES ${roles}) AS s(role, length, width, height, weight, units)
     WHERE num_nonnulls(s.length, s.width, s.height, s.weight, s.units) > 0
    ON CONFLICT (company_id, product_id, role) DO UPDATE
       SET length = coalesce(excluded.length, d.length), width = coalesce(excluded.width, d.width),
           height = coalesce(excluded.height, d.height), weight = coalesce(excluded.weight, d.weight),
           units_per_carton = coalesce(excluded.units_per_carton, d.units_per_carton), source = 'import'
     WHERE (d.length, d.width, d.height, d.weight, d.units_per_carton) IS DISTINCT FROM
           (coalesce(excluded.length, d.length), coalesce(excluded.width, d.width), coalesce(excluded.height, d.height),
            coalesce(excluded.weight, d.weight), coalesce(excluded.units_per_carton, d.units_per_carton))`.execute(
    ctx.db,
  );
}

/** A cost in a table corrects the one of today, or is the first one and holds from always. */
async function writeCosts(ctx: Ctx): Promise<void> {
  const { rows } = await sql<{ sku: string; validFrom: string }>`
    INSERT INTO product.sku_cost AS c (company_id, sku, valid_from, unit_cost, updated_by_name)
    SELECT ${ctx.companyId}, r.own_sku, coalesce((SELECT max(o.valid_from) FROM product.sku_cost AS o
             WHERE o.company_id = ${ctx.companyId} AND o.sku = r.own_sku AND o.valid_from <= ${ctx.clock.today()}::date), '2000-01-01'),
           r.unit_cost::numeric, ${ctx.userName}
      FROM pg_temp.import_id AS r WHERE r.unit_cost IS NOT NULL
    ON CONFLICT (company_id, sku, valid_from) DO UPDATE
       SET unit_cost = excluded.unit_cost, import_id = NULL, updated_by_name = excluded.updated_by_name, updated_at = kit.now()
     WHERE c.unit_cost <> excluded.unit_cost
    RETURNING c.sku, c.valid_from AS "validFrom"`.execute(ctx.db);
  await touchCosts(ctx, rows);
}

async function writeHsCodes(ctx: Ctx): Promise<void> {
  await sql`
    INSERT INTO product.customs AS c (company_id, product_id, country, hs_code)
    SELECT ${ctx.companyId}, r.id, '', r.hs_code FROM pg_temp.import_id AS r WHERE r.hs_code IS NOT NULL
    ON CONFLICT (company_id, product_id, country) DO UPDATE SET hs_code = excluded.hs_code
     WHERE c.hs_code IS DISTINCT FROM excluded.hs_code`.execute(ctx.db);
}

async function write(ctx: Ctx): Promise<number> {
  await rememberPerson(ctx);
  await resolve(ctx);
  const changed = await writeProducts(ctx);
  await identify(ctx);
  await writeSizes(ctx);
  await emit(ctx, productMeasured, {});
  await writeCosts(ctx);
  await writeHsCodes(ctx);
  return changed;
}

const named = (choices: Record<string, string>, expression: string) =>
  sql.raw(
    `CASE ${expression} ${Object.entries(choices)
      .map(([key, title]) => `WHEN '${key}' THEN '${title}'`)
      .join(' ')} END`,
  );

const SIZES = sql.raw(
  Object.keys(ROLES)
    .flatMap((role) => ['length', 'width', 'height', 'weight'].map((key) => `d_${role}.${key}::text AS ${role}_${key}`))
    .join(', '),
);
const SIZE_JOINS = sql.raw(
  Object.keys(ROLES)
    .map(
      (role) =>
        `LEFT JOIN product.dimension AS d_${role} ON d_${role}.company_id = p.company_id AND d_${role}.product_id = p.id AND d_${role}.role = '${role}'`,
    )
    .join('\n'),
);

/** Products in the columns of the import, by SKU; all that are in use, or those of `ids`. */
export function currentProducts(ctx: Ctx, ids?: readonly string[]): AsyncGenerator<object> {
  const wanted = ids ? sql`p.id = ANY (${[...ids]}::uuid[])` : sql`p.lifecycle <> 'offline'`;
  return rowsOf(
    ctx,
    sql`
    SELECT p.id, p.sku, p.name, ${named(KINDS, 'p.kind')} AS kind, ${named(STATES, 'p.lifecycle')} AS lifecycle, b.name AS brand,
           CASE WHEN f.id IS NULL THEN c.name ELSE f.name || ' / ' || c.name END AS category, p.specification, p.unit, p.barcode,
           (SELECT k.unit_cost::text FROM product.sku_cost AS k WHERE ${can(ctx, COST)} AND k.company_id = p.company_id AND k.sku = p.sku
               AND k.valid_from <= ${ctx.clock.today()}::date ORDER BY k.valid_from DESC LIMIT 1) AS unit_cost,
           ${SIZES}, d_carton.units_per_carton, o.name AS owner, u.name AS purchaser, p.effective_date,
           ${named(QC, 'p.qc_level')} AS qc_level, h.hs_code, p.remark
      FROM product.local_product AS p
      LEFT JOIN product.brand AS b ON b.company_id = p.company_id AND b.id = p.brand_id
      LEFT JOIN product.category AS c ON c.company_id = p.company_id AND c.id = p.category_id
      LEFT JOIN product.category AS f ON f.company_id = c.company_id AND f.id = c.parent_id
      LEFT JOIN product.person AS o ON o.company_id = p.company_id AND o.user_id = p.owner_id
      LEFT JOIN product.person AS u ON u.company_id = p.company_id AND u.user_id = p.purchaser_id
      LEFT JOIN product.customs AS h ON h.company_id = p.company_id AND h.product_id = p.id AND h.country = ''
      ${SIZE_JOINS}
     WHERE p.company_id = ${ctx.companyId} AND NOT p.is_spelling AND ${wanted}
     ORDER BY p.sku`,
  );
}

export const productImport: ImportDef = {
  title: '产品',
  columns: productColumns,
  problems,
  write,
  attachments: productPictures,
  current: (ctx) => currentProducts(ctx),
};
