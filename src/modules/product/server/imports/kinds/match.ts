import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import type { ListingRef } from '../../../contract/match.ts';
import { ALWAYS } from '../../../contract.ts';
import { costsOfListings } from '../../match/costs.ts';
import { lockMatches } from '../../match/listing-costs.ts';
import { code, day, decimal, type ImportColumn, sku, text } from '../columns.ts';
import type { ImportDef } from '../kind.ts';
import { rowsOf } from '../rows.ts';
import { productJoin, unknownSku } from './shared.ts';

const columns: ImportColumn[] = [
  {
    key: 'msku',
    title: 'MSKU',
    aliases: ['平台sku', 'seller-sku'],
    required: true,
    read: text(100),
    sample: 'KD-CUP-01-FBA',
  },
  { key: 'store', title: '店铺', required: true, read: text(50), sample: '北美店' },
  {
    key: 'country',
    title: '站点',
    aliases: ['国家'],
    required: true,
    read: code(/^[A-Z]{2}$/, '站点为两位国家代码', '例如 US'),
    sample: 'US',
  },
  { key: 'sku', title: '本地SKU', aliases: ['sku'], required: true, read: sku, sample: 'KD-CUP-01' },
  { key: 'qty', title: '数量', required: true, read: decimal(0, { max: 10_000 }), sample: '1' },
  { key: 'valid_from', title: '生效日期', read: day },
];

const SITES = sql`(SELECT * FROM unnest(${MARKETPLACES.map((one) => one.id)}::text[], ${MARKETPLACES.map((one) => one.country)}::text[]) AS m(id, country))`;

/** The listing that a row names: its store's account that sells there. */
const LISTING = (ctx: Ctx) => sql`
  JOIN marketplace.store AS t ON t.company_id = ${ctx.companyId} AND t.name = r.store AND t.deleted_at IS NULL
  JOIN marketplace.seller_account AS a ON a.company_id = t.company_id AND a.store_id = t.id AND a.status <> 'deleted'
  JOIN ${SITES} AS m ON m.country = r.country
  JOIN listing.product AS l ON l.company_id = a.company_id AND l.account_id = a.id AND l.marketplace_id = m.id AND l.seller_sku = r.msku`;

const FROM = sql`coalesce(r.valid_from, ${ALWAYS}::text)::date`;

async function write(ctx: Ctx): Promise<number> {
  await lockMatches(ctx);
  await sql`DROP TABLE IF EXISTS pg_temp.import_match`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE import_match ON COMMIT DROP AS
    SELECT l.account_id, l.marketplace_id, l.seller_sku AS msku, ${FROM} AS valid_from, p.id AS product_id, sum(r.qty::int)::int AS qty
      FROM pg_temp.import_row AS r ${LISTING(ctx)} ${productJoin(ctx, 'sku', 'p')}
     GROUP BY 1, 2, 3, 4, 5`.execute(ctx.db);
  const same = sql`m.company_id = ${ctx.companyId} AND m.account_id = i.account_id AND m.marketplace_id = i.marketplace_id AND m.msku = i.msku`;
  // A match that says the same from the same day on stays as it is.
  await sql`
    DELETE FROM pg_temp.import_match AS i USING product.sku_match AS m
     WHERE ${same} AND m.valid_from = i.valid_from AND m.valid_to IS NULL
       AND (SELECT jsonb_object_agg(n.product_id, n.qty) FROM product.sku_match_line AS n WHERE n.company_id = m.company_id AND n.match_id = m.id)
         = (SELECT jsonb_object_agg(o.product_id, o.qty) FROM pg_temp.import_match AS o
             WHERE o.account_id = i.account_id AND o.marketplace_id = i.marketplace_id AND o.msku = i.msku AND o.valid_from = i.valid_from)`.execute(
    ctx.db,
  );
  await sql`
    DELETE FROM product.sku_match AS m USING (SELECT DISTINCT account_id, marketplace_id, msku, valid_from FROM pg_temp.import_match) AS i
     WHERE ${same} AND m.valid_from >= i.valid_from`.execute(ctx.db);
  await sql`
    UPDATE product.sku_match AS m SET valid_to = i.valid_from - 1, updated_at = kit.now(), updated_by_name = ${ctx.userName}
      FROM (SELECT DISTINCT account_id, marketplace_id, msku, valid_from FROM pg_temp.import_match) AS i
     WHERE ${same} AND m.valid_from < i.valid_from AND (m.valid_to IS NULL OR m.valid_to >= i.valid_from)`.execute(
    ctx.db,
  );
  const { rows } = await sql<ListingRef>`
    WITH made AS (
      INSERT INTO product.sku_match (company_id, account_id, marketplace_id, msku, valid_from, way, updated_by_name)
      SELECT DISTINCT ${ctx.companyId}::uuid, account_id, marketplace_id, msku, valid_from, 'import', ${ctx.userName} FROM pg_temp.import_match
      RETURNING id, account_id, marketplace_id, msku, valid_from
    ), lines AS (
      INSERT INTO product.sku_match_line (company_id, match_id, product_id, qty)
      SELECT ${ctx.companyId}, made.id, i.product_id, i.qty FROM made
        JOIN pg_temp.import_match AS i USING (account_id, marketplace_id, msku, valid_from))
    SELECT account_id AS "accountId", marketplace_id AS "marketplaceId", msku FROM made`.execute(ctx.db);
  await costsOfListings(ctx, rows);
  return rows.length;
}

export const matchImport: ImportDef = {
  title: 'SKU配对',
  columns,
  problems: (ctx) => sql`
    ${unknownSku(ctx, 'sku')}
    UNION ALL SELECT r.line_no, 'msku', CASE WHEN count(l.listing_id) = 0 THEN '没有这个在线商品' ELSE '多个账号有同名商品' END, '请检查店铺、站点与MSKU'
      FROM pg_temp.import_row AS r LEFT JOIN (
        SELECT l.*, t.name AS store, m.country FROM listing.product AS l
          JOIN marketplace.seller_account AS a ON a.company_id = l.company_id AND a.id = l.account_id AND a.status <> 'deleted'
          JOIN marketplace.store AS t ON t.company_id = a.company_id AND t.id = a.store_id
          JOIN ${SITES} AS m ON m.id = l.marketplace_id WHERE l.company_id = ${ctx.companyId}) AS l
        ON l.store = r.store AND l.country = r.country AND l.seller_sku = r.msku
     GROUP BY r.line_no HAVING count(l.listing_id) <> 1
    UNION ALL SELECT line_no, 'sku', '与第 ' || first || ' 行重复', '同一商品的同一本地SKU只保留一行'
      FROM (SELECT line_no, min(line_no) OVER (PARTITION BY msku, store, country, lower(sku), valid_from) AS first FROM pg_temp.import_row) AS n
     WHERE line_no > first
    UNION ALL SELECT line_no, 'valid_from', '同一商品只能有一个生效日期', '请分次导入'
      FROM (SELECT line_no, valid_from, first_value(valid_from) OVER (PARTITION BY msku, store, country ORDER BY line_no) AS first
              FROM pg_temp.import_row) AS n WHERE valid_from IS DISTINCT FROM first`,
  write,
  current: (ctx) =>
    rowsOf(
      ctx,
      sql`SELECT m.msku, t.name AS store, s.country, p.sku, n.qty, m.valid_from
            FROM product.sku_match AS m
            JOIN marketplace.seller_account AS a ON a.company_id = m.company_id AND a.id = m.account_id
            JOIN marketplace.store AS t ON t.company_id = a.company_id AND t.id = a.store_id
            JOIN ${SITES} AS s ON s.id = m.marketplace_id
            JOIN product.sku_match_line AS n ON n.company_id = m.company_id AND n.match_id = m.id
            JOIN product.local_product AS p ON p.company_id = n.company_id AND p.id = n.product_id
           WHERE m.company_id = ${ctx.companyId} AND m.valid_to IS NULL ORDER BY m.msku, t.name, s.country, p.sku`,
    ),
};
