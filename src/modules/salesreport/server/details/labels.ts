import { type RawBuilder, sql } from 'kysely';
import type { Product, Store } from '#kit/contract/field.ts';
import type { Ctx } from '#kit/server/context.ts';
import { chartOf } from '#modules/identity/server/index.ts';
import { countryOf, marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { Split } from '../facts.ts';

/** What the database says of a row's name. */
export interface NameCells {
  key: string;
  name: string | null;
  code: string | null;
  image: string | null;
}

/** What a row is called where it belongs to nothing. */
const NONE: Partial<Record<Split, string>> = {
  asin: '没有ASIN',
  parent: '没有ASIN',
  local: '未配对本地SKU',
  brand: '未设置品牌',
  category: '未设置品类',
  owner: '未设置负责人',
};

/**
 * SELECT of rows `f` with name, code and image: of a listing, or of one listing of what an ASIN or a family stands for (`f.first`), or of
 * local products. Others are named by `namesOf`.
 */
export function withNames<Row>(ctx: Ctx, by: Split, rows: RawBuilder<unknown>): RawBuilder<Row & NameCells> {
  if (by === 'local') {
    return sql`
      SELECT f.*, l.name, l.code, l.image FROM (${rows}) AS f
        LEFT JOIN LATERAL (
          SELECT string_agg(DISTINCT nullif(x.name, ''), ' + ') AS name, string_agg(x.sku, ' + ' ORDER BY x.sku) AS code, min(x.image) AS image
            FROM product.local_product AS x WHERE x.company_id = ${ctx.companyId}
             AND x.id = ANY (string_to_array(nullif(f.key, ''), '+')::uuid[])) AS l ON true`;
  }
  if (by === 'msku' || by === 'asin' || by === 'parent') {
    const part = (at: number) => sql.raw(`split_part(f.first, '|', ${at})`);
    const code =
      by === 'msku'
        ? sql.raw("substr(f.first, length(split_part(f.first, '|', 1) || split_part(f.first, '|', 2)) + 3)")
        : sql`f.key`;
    const sku = sql.raw("substr(f.first, length(split_part(f.first, '|', 1) || split_part(f.first, '|', 2)) + 3)");
    return sql`
      SELECT f.*, p.name, ${code} AS code, p.image FROM (${rows}) AS f
        LEFT JOIN listing.product AS p ON p.company_id = ${ctx.companyId} AND p.account_id = ${part(1)}::uuid
         AND p.marketplace_id = ${part(2)} AND p.seller_sku = ${sku}`;
  }
  return sql`SELECT f.*, NULL::text AS name, NULL::text AS code, NULL::text AS image FROM (${rows}) AS f`;
}

/** Names by key for splits whose keys are few. */
async function namesOf(ctx: Ctx, by: Split): Promise<ReadonlyMap<string, string>> {
  if (by === 'owner') return new Map([...(await chartOf(ctx)).members].map(([id, { name }]) => [id, name]));
  if (by === 'store') return storeNames(ctx);
  if (by !== 'brand' && by !== 'category') return new Map();
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, name FROM ${sql.table(`product.${by}`)} WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Product and store cell of a row, by its key. */
export async function labels(
  ctx: Ctx,
  by: Split,
): Promise<(row: NameCells) => { product: Product; store: Store | null }> {
  const names = await namesOf(ctx, by);
  const stores = by === 'msku' ? await storeNames(ctx) : new Map<string, string>();
  return ({ key, name, code, image }) => {
    if (by === 'site') {
      const site = marketplaceOf(key);
      const country = countryOf(key);
      return { product: { name: site?.name ?? key, code: country }, store: { name: site?.name ?? key, country } };
    }
    const [account = '', marketplace = ''] = key.split('|');
    const store = by === 'msku' ? { name: stores.get(account) ?? '', country: countryOf(marketplace) } : null;
    if (key === '') return { product: { name: NONE[by] ?? '合计', code: '' }, store };
    return { product: { name: name ?? names.get(key) ?? code ?? key, code: code ?? '', image }, store };
  };
}
