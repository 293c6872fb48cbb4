import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { code, decimal, type ImportColumn, share, sku, text } from '../columns.ts';
import type { ImportDef } from '../kind.ts';
import { rowsOf } from '../rows.ts';
import { doubled, productJoin, unknownSku } from './shared.ts';

/** 出口 is the export declaration, anything else the two letters of the country of import. */
function country(cell: string) {
  const bare = cell.trim().toUpperCase();
  if (bare === '' || bare === '出口') return { value: '出口' };
  if (/^[A-Z]{2}$/.test(bare)) return { value: bare };
  return { reason: '国家为两位代码', suggestion: '填写 出口、US、DE 等' };
}

const columns: ImportColumn[] = [
  { key: 'sku', title: 'SKU', aliases: ['本地sku'], required: true, read: sku, sample: 'KD-CUP-01' },
  { key: 'country', title: '国家', required: true, read: country, sample: '出口' },
  { key: 'name_cn', title: '中文名', read: text(100), sample: '不锈钢保温杯' },
  { key: 'name_en', title: '英文名', read: text(100), sample: 'Vacuum cup' },
  { key: 'material', title: '材质', read: text(100) },
  { key: 'purpose', title: '用途', read: text(100) },
  { key: 'declared_value', title: '申报价', read: decimal(4) },
  {
    key: 'declared_currency',
    title: '申报币种',
    read: code(/^[A-Z]{3}$/, '币种为三位代码', '例如 USD'),
    sample: 'USD',
  },
  {
    key: 'hs_code',
    title: '海关编码',
    aliases: ['编码', 'hs编码'],
    read: code(/^\d{4,10}$/, '海关编码为4到10位数字', '出口为10位'),
  },
  { key: 'refund_rate', title: '退税率', read: share() },
  { key: 'duty_rate', title: '关税率', read: share(10) },
  { key: 'vat_rate', title: '增值税率', read: share() },
  { key: 'elements', title: '申报要素', read: text(500) },
  { key: 'unit_1', title: '法定单位1', read: text(20) },
  { key: 'unit_2', title: '法定单位2', read: text(20) },
  { key: 'unit_ratio', title: '换算比例', read: decimal(6) },
];

const VALUES = columns.slice(2).map((column) => column.key);
const NUMBERS = ['declared_value', 'refund_rate', 'duty_rate', 'vat_rate', 'unit_ratio'];
const list = (of: (name: string) => string) => sql.raw(VALUES.map(of).join(', '));

/** An empty cell leaves what stands there. */
async function write(ctx: Ctx): Promise<number> {
  const done = await sql`
    INSERT INTO product.customs AS c (company_id, product_id, country, ${list((name) => name)})
    SELECT ${ctx.companyId}, p.id, CASE r.country WHEN '出口' THEN '' ELSE r.country END,
           ${list((name) => `r.${name}${NUMBERS.includes(name) ? '::numeric' : ''}`)}
      FROM pg_temp.import_row AS r ${productJoin(ctx, 'sku', 'p')}
    ON CONFLICT (company_id, product_id, country) DO UPDATE
       SET ${list((name) => `${name} = coalesce(excluded.${name}, c.${name})`)}
     WHERE (${list((name) => `c.${name}`)}) IS DISTINCT FROM (${list((name) => `coalesce(excluded.${name}, c.${name})`)})`.execute(
    ctx.db,
  );
  return Number(done.numAffectedRows ?? 0n);
}

export const customsImport: ImportDef = {
  title: '报关资料',
  columns,
  problems: (ctx) => sql`
    ${unknownSku(ctx, 'sku')} UNION ALL ${doubled(['sku', 'country'], 'country')}
    UNION ALL SELECT line_no, 'hs_code', '出口海关编码为10位数字', '例如 7323930000' FROM pg_temp.import_row
               WHERE country = '出口' AND length(hs_code) <> 10
    UNION ALL SELECT line_no, 'declared_currency', '申报价与币种须同时填写', '例如 3.50 与 USD' FROM pg_temp.import_row
               WHERE (declared_value IS NULL) <> (declared_currency IS NULL)`,
  write,
  current: (ctx) =>
    rowsOf(
      ctx,
      sql`SELECT p.sku, CASE c.country WHEN '' THEN '出口' ELSE c.country END AS country,
                 ${list((name) => (NUMBERS.includes(name) ? `trim_scale(c.${name})::text AS ${name}` : `c.${name}`))}
            FROM product.customs AS c JOIN product.local_product AS p ON p.company_id = c.company_id AND p.id = c.product_id
           WHERE c.company_id = ${ctx.companyId} ORDER BY p.sku, c.country`,
    ),
};
