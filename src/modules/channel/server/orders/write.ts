import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { mark } from '../rollup/mark.ts';
import type { OrderLine } from './read.ts';
import { recountSkus } from './skus.ts';

/** What an import came to, in lines; `unbound` counts SKUs that stand for no product. */
export interface Written {
  added: number;
  changed: number;
  unchanged: number;
  unbound: number;
}

/** The lines of the sheet as pg_temp.sheet_line, with the ids of their shops, which come into being here. */
async function stage(ctx: Ctx, lines: readonly OrderLine[]): Promise<void> {
  await sql`
    INSERT INTO channel.shop (company_id, platform, name)
    SELECT DISTINCT ${ctx.companyId}::uuid, x.platform, x.shop
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS x (platform text, shop text)
     ORDER BY 2, 3
    ON CONFLICT (company_id, platform, name) DO NOTHING`.execute(ctx.db);
  await sql`DROP TABLE IF EXISTS pg_temp.sheet_line, pg_temp.sheet_touched`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE sheet_line ON COMMIT DROP AS
    SELECT h.id AS shop_id, x."orderNo" AS order_no, x."lineNo" AS line_no, x.day, x.country, x.warehouse, x.sku AS platform_sku, x.qty,
           x.currency, x.sales, x."shipFee" AS ship_fee, x.commission
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS x (platform text, shop text, "orderNo" text, "lineNo" int, day date,
             country text, warehouse text, sku text, qty int, currency text, sales numeric(18, 4), "shipFee" numeric(18, 4),
             commission numeric(18, 4))
      JOIN channel.shop AS h ON h.company_id = ${ctx.companyId} AND h.platform = x.platform AND h.name = x.shop`.execute(
    ctx.db,
  );
  await sql`ANALYZE pg_temp.sheet_line`.execute(ctx.db);
}

const OF_ORDER = sql.raw('o.shop_id = s.shop_id AND o.order_no = s.order_no');
const VALUES = ['platform_sku', 'qty', 'currency', 'sales', 'ship_fee', 'commission'];
const values = (of: (name: string) => string) => sql.raw(VALUES.map(of).join(', '));

/** SKUs and days of the sheet's orders, as they stand now. */
const touched = (ctx: Ctx) => sql`
  SELECT l.shop_id, l.platform_sku, o.day
    FROM (SELECT DISTINCT shop_id, order_no FROM pg_temp.sheet_line) AS s
    JOIN channel.platform_order AS o ON o.company_id = ${ctx.companyId} AND ${OF_ORDER}
    JOIN channel.platform_line AS l ON l.company_id = ${ctx.companyId} AND l.shop_id = o.shop_id AND l.order_no = o.order_no`;

async function merge(ctx: Ctx): Promise<{ orders: number; added: number; changed: number }> {
  const { companyId } = ctx;
  const orders = await sql`
    INSERT INTO channel.platform_order AS o (company_id, shop_id, order_no, day, country, warehouse, updated_by_name)
    SELECT DISTINCT ${companyId}::uuid, shop_id, order_no, day, country, warehouse, ${ctx.userName}::text FROM pg_temp.sheet_line
     ORDER BY 2, 3
    ON CONFLICT (company_id, shop_id, order_no) DO UPDATE
       SET day = excluded.day, country = excluded.country, warehouse = excluded.warehouse, updated_at = kit.now(),
           updated_by_name = excluded.updated_by_name
     WHERE (o.day, o.country, o.warehouse) IS DISTINCT FROM (excluded.day, excluded.country, excluded.warehouse)`.execute(
    ctx.db,
  );
  const { rows } = await sql<{ known: number }>`
    SELECT count(*)::int AS known FROM pg_temp.sheet_line AS s
      JOIN channel.platform_line AS l ON l.company_id = ${companyId} AND l.shop_id = s.shop_id AND l.order_no = s.order_no
       AND l.line_no = s.line_no`.execute(ctx.db);
  const written = await sql`
    INSERT INTO channel.platform_line AS l (company_id, shop_id, order_no, line_no, ${values((name) => name)})
    SELECT ${companyId}::uuid, shop_id, order_no, line_no, ${values((name) => name)} FROM pg_temp.sheet_line
     ORDER BY 2, 3, 4
    ON CONFLICT (company_id, shop_id, order_no, line_no) DO UPDATE SET ${values((name) => `${name} = excluded.${name}`)}
     WHERE (${values((name) => `l.${name}`)}) IS DISTINCT FROM (${values((name) => `excluded.${name}`)})`.execute(
    ctx.db,
  );
  const { rows: sheet } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_temp.sheet_line`.execute(ctx.db);
  const added = (sheet[0]?.n ?? 0) - (rows[0]?.known ?? 0);
  return { orders: Number(orders.numAffectedRows ?? 0), added, changed: Number(written.numAffectedRows ?? 0) - added };
}

/** SKUs that are called like a product stand for it, unless somebody said otherwise. */
async function bindSame(ctx: Ctx): Promise<void> {
  const { companyId } = ctx;
  await sql`
    INSERT INTO channel.sku_binding (company_id, shop_id, platform_sku, product_id, units, way, updated_by_name)
    SELECT DISTINCT ${companyId}::uuid, t.shop_id, t.platform_sku, p.id, 1, 'same', ${ctx.userName}::text
      FROM pg_temp.sheet_touched AS t
      JOIN product.local_product AS p ON p.company_id = ${companyId} AND p.sku_key = lower(btrim(t.platform_sku)) AND NOT p.is_spelling
     WHERE NOT EXISTS (SELECT FROM channel.sku_binding AS b
                        WHERE b.company_id = ${companyId} AND b.shop_id = t.shop_id AND b.platform_sku = t.platform_sku)
    ON CONFLICT DO NOTHING`.execute(ctx.db);
}

/**
 * Writes lines of orders, each known by platform, shop, order and number; lines that are as they were are left alone, and lines of
 * which the sheet says nothing stay. Their SKUs and days, old and new, are marked for the sums.
 */
export async function writeLines(ctx: Ctx, lines: readonly OrderLine[]): Promise<Written> {
  await stage(ctx, lines);
  await sql`CREATE TEMP TABLE sheet_touched ON COMMIT DROP AS ${touched(ctx)}`.execute(ctx.db);
  const { orders, added, changed } = await merge(ctx);
  await sql`INSERT INTO pg_temp.sheet_touched ${touched(ctx)}`.execute(ctx.db);
  await bindSame(ctx);
  if (orders + added + changed > 0) {
    await recountSkus(ctx, 'sheet_touched');
    await mark(
      ctx,
      sql`SELECT shop_id, platform_sku, min(day), max(day) FROM pg_temp.sheet_touched GROUP BY shop_id, platform_sku`,
    );
  }
  const { rows } = await sql<{ n: number }>`
    SELECT count(*)::int AS n FROM channel.platform_sku AS s
     WHERE s.company_id = ${ctx.companyId} AND s.open_lines > 0
       AND (s.shop_id, s.platform_sku) IN (SELECT shop_id, platform_sku FROM pg_temp.sheet_touched)`.execute(ctx.db);
  return { added, changed, unchanged: lines.length - added - changed, unbound: rows[0]?.n ?? 0 };
}
