import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** cm³ of one piece of product `x` as it is packed, its own where the packaging was not measured; NULL where a side is missing. */
const packed = (ctx: Ctx, product: RawBuilder<unknown>) => ({
  join: sql`LEFT JOIN product.dimension AS k ON k.company_id = ${ctx.companyId} AND k.product_id = ${product} AND k.role = 'packed'
      LEFT JOIN product.dimension AS d ON d.company_id = ${ctx.companyId} AND d.product_id = ${product} AND d.role = 'net'`,
  cm3: sql`coalesce(k.length * k.width * k.height, d.length * d.width * d.height)`,
});

interface VolumeRow {
  account_id: string;
  marketplace_id: string;
  msku: string;
  volume: string | null;
}

/**
 * A SELECT over the company's listings that are matched today, of (account_id uuid, marketplace_id text, msku text, volume
 * numeric): cm³ of all that one piece is made of, with one decimal; NULL where something of it was not measured.
 */
export function matchedVolumesSelect(ctx: Ctx): RawBuilder<VolumeRow> {
  const { join, cm3 } = packed(ctx, sql`n.product_id`);
  return sql<VolumeRow>`
    SELECT m.account_id, m.marketplace_id, m.msku,
           CASE WHEN bool_and(${cm3} IS NOT NULL) THEN round(sum(${cm3} * n.qty), 1) END AS volume
      FROM product.sku_match AS m
      JOIN product.sku_match_line AS n ON n.company_id = m.company_id AND n.match_id = m.id
      ${join}
     WHERE m.company_id = ${ctx.companyId} AND m.period @> ${ctx.clock.today()}::date
     GROUP BY m.account_id, m.marketplace_id, m.msku`;
}

/** A SELECT of (sku_key text, volume numeric): the same of each product by its SKU in lower case. */
export function namedVolumesSelect(ctx: Ctx): RawBuilder<{ sku_key: string; volume: string | null }> {
  const { join, cm3 } = packed(ctx, sql`p.id`);
  return sql`
    SELECT p.sku_key, round(${cm3}, 1) AS volume FROM product.local_product AS p ${join}
     WHERE p.company_id = ${ctx.companyId} AND NOT p.is_spelling`;
}
