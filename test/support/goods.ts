import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Person, World } from './world.ts';

/** A listing with who cares for it and the local product that it stands for. */
export interface Goods {
  accountId: string;
  site: string;
  sku: string;
  asin?: string;
  parent?: string;
  owner?: string;
  /** SKU of a local product, with its brand and category by name. */
  local?: string;
  brand?: string;
  category?: string;
}

async function idOf(ctx: Ctx, table: 'brand' | 'category', name: string): Promise<string> {
  const named = sql.table(`product.${table}`);
  const level = table === 'category' ? [sql`, level`, sql`, 1`] : [sql``, sql``];
  await sql`
    INSERT INTO ${named} (company_id, name, updated_by_name ${level[0]}) SELECT ${ctx.companyId}, ${name}, '测试' ${level[1]}
     WHERE NOT EXISTS (SELECT FROM ${named} WHERE company_id = ${ctx.companyId} AND name = ${name})`.execute(ctx.db);
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM ${named} WHERE company_id = ${ctx.companyId} AND name = ${name}`.execute(ctx.db);
  return rows[0]?.id ?? '';
}

/** Puts listings there, cared for and paired as said. A product of another name than its listing is paired by hand. */
export async function putGoods(world: World, person: Person, goods: readonly Goods[]): Promise<void> {
  await world.as(person, async (ctx) => {
    for (const { accountId, site, sku, asin, parent, owner, local, brand, category } of goods) {
      const { companyId } = ctx;
      await sql`
        INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, asin, parent_asin, title, currency, fulfilled_by, status, source, as_of, first_seen_at)
        VALUES (${companyId}, ${accountId}, ${site}, ${sku}, ${asin ?? null}, ${parent ?? null}, ${`商品 ${sku}`}, 'USD', 'AMAZON', 'ACTIVE', 'api', kit.now(), kit.now())`.execute(
        ctx.db,
      );
      if (owner) {
        await sql`INSERT INTO analysis.listing_care (company_id, account_id, marketplace_id, seller_sku, owner_id, updated_by_name)
          VALUES (${companyId}, ${accountId}, ${site}, ${sku}, ${owner}, '测试')`.execute(ctx.db);
        await sql`INSERT INTO analysis.listing_owner (company_id, account_id, marketplace_id, seller_sku, from_day, owner_id)
          VALUES (${companyId}, ${accountId}, ${site}, ${sku}, '0001-01-01', ${owner})`.execute(ctx.db);
      }
      if (!local) continue;
      const brandId = brand ? await idOf(ctx, 'brand', brand) : null;
      const categoryId = category ? await idOf(ctx, 'category', category) : null;
      await sql`INSERT INTO product.local_product (company_id, sku, name, brand_id, category_id)
        VALUES (${companyId}, ${local}, ${`品名 ${local}`}, ${brandId}, ${categoryId}) ON CONFLICT (company_id, sku) DO NOTHING`.execute(
        ctx.db,
      );
      if (local === sku) continue;
      await sql`
        WITH m AS (INSERT INTO product.sku_match (company_id, account_id, marketplace_id, msku, way, updated_by_name)
                   VALUES (${companyId}, ${accountId}, ${site}, ${sku}, 'manual', '测试') RETURNING id)
        INSERT INTO product.sku_match_line (company_id, match_id, product_id, qty)
        SELECT ${companyId}, m.id, p.id, 1 FROM m, product.local_product AS p WHERE p.company_id = ${companyId} AND p.sku = ${local}`.execute(
        ctx.db,
      );
    }
  });
}
