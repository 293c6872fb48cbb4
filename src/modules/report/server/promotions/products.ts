import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { PromotedRow } from '../../contract/promotions.ts';

interface Product {
  asin: string;
  title: string | null;
  views: number | null;
  units: number | null;
  sales: string | null;
  currency: string;
  seller_sku: string | null;
  name: string | null;
  image: string | null;
}

const TABLES = { coupon: 'report.coupon', promotion: 'report.promotion' };
/** Its products as JSON objects, whichever figures they have. */
const PRODUCTS = {
  coupon: "(SELECT jsonb_agg(jsonb_build_object('asin', a)) FROM jsonb_array_elements_text(f.asins) AS a)",
  promotion: 'f.products',
};

/**
 * The products of a coupon or a promotion with our own name and picture, those that sold most first; of one that several
 * offers sell, the first by SKU. @throws notFound for a row that is not there, or that the caller does not see
 */
export async function promotedProducts(
  ctx: Ctx,
  of: keyof typeof TABLES,
  { id, day }: { id: string; day: string },
): Promise<PromotedRow[]> {
  const { rows } = await sql<Product & { known: boolean }>`
    SELECT p.asin IS NOT NULL AS known, p.asin, p.title, p.views, p.units, p.sales::text AS sales, f.currency,
           l.seller_sku, l.name, l.image
      FROM ${sql.table(TABLES[of])} AS f
      LEFT JOIN LATERAL jsonb_to_recordset(${sql.raw(PRODUCTS[of])})
             AS p (asin text, title text, views int, units int, sales numeric) ON true
      LEFT JOIN LATERAL (
             SELECT seller_sku, name, image FROM listing.product
              WHERE company_id = f.company_id AND account_id = f.account_id AND marketplace_id = f.marketplace_id
                AND asin = p.asin ORDER BY seller_sku LIMIT 1) AS l ON true
     WHERE f.company_id = ${ctx.companyId} AND f.day = ${day}::date AND f.row_id::text = ${id}
     ORDER BY p.units DESC NULLS LAST, p.asin`.execute(ctx.db);
  if (rows.length === 0) throw notFound('该活动不存在或已更新，请刷新列表');
  return rows
    .filter(({ known }) => known)
    .map((row) => ({
      id: row.asin,
      product: {
        name: row.name ?? row.title ?? row.asin,
        code: row.seller_sku ?? row.asin,
        image: row.image,
        extra: row.asin,
      },
      views: row.views,
      units: row.units,
      productSales: row.sales,
      currency: row.currency,
    }));
}
