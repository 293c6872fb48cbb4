import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/** What one customs row says of a product; null where nobody filled it in. */
export interface Declared {
  hsCode: string | null;
  nameCn: string | null;
  nameEn: string | null;
  elements: string | null;
  material: string | null;
  purpose: string | null;
  unit: string | null;
  /** Of one piece, with its currency. */
  value: string | null;
  currency: string | null;
}

/** A product as customs papers name it. */
export interface CustomsFacts {
  id: string;
  sku: string;
  name: string;
  brand: string | null;
  model: string | null;
  /** Unit in which it is counted, e.g. 件. */
  unit: string;
  /** kg of one piece without its packaging. */
  netWeight: string | null;
  /** The export declaration. */
  leaving: Declared | null;
  /** The import into the country that was asked for. */
  entering: Declared | null;
}

const declared = (row: string) => sql`
  CASE WHEN ${sql.ref(`${row}.product_id`)} IS NOT NULL THEN jsonb_build_object(
    'hsCode', ${sql.ref(`${row}.hs_code`)}, 'nameCn', ${sql.ref(`${row}.name_cn`)}, 'nameEn', ${sql.ref(`${row}.name_en`)},
    'elements', ${sql.ref(`${row}.elements`)}, 'material', ${sql.ref(`${row}.material`)},
    'purpose', ${sql.ref(`${row}.purpose`)}, 'unit', ${sql.ref(`${row}.unit_1`)},
    'value', trim_scale(${sql.ref(`${row}.declared_value`)})::text, 'currency', ${sql.ref(`${row}.declared_currency`)}) END`;

/** What customs want to know of products that leave for a country (two letters), in one query; an unknown id is absent. */
export async function customsOf(ctx: Ctx, ids: readonly string[], country: string): Promise<Map<string, CustomsFacts>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<CustomsFacts>`
    SELECT p.id, p.sku, p.name, b.name AS brand, m.spu AS model, p.unit,
           (SELECT d.weight::text FROM product.dimension AS d
             WHERE d.company_id = p.company_id AND d.product_id = p.id AND d.role = 'net') AS "netWeight",
           ${declared('o')} AS leaving, ${declared('i')} AS entering
      FROM product.local_product AS p
      LEFT JOIN product.brand AS b ON b.company_id = p.company_id AND b.id = p.brand_id
      LEFT JOIN product.model AS m ON m.company_id = p.company_id AND m.id = p.model_id
      LEFT JOIN product.customs AS o ON o.company_id = p.company_id AND o.product_id = p.id AND o.country = ''
      LEFT JOIN product.customs AS i ON i.company_id = p.company_id AND i.product_id = p.id AND i.country = ${country}
     WHERE p.company_id = ${ctx.companyId} AND p.id = ANY (${[...new Set(ids)]}::uuid[])`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row]));
}
