import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { ALWAYS } from '#modules/product/contract.ts';
import { localProducts } from '#modules/product/server/index.ts';
import type { Binding } from '../../contract/bindings.ts';
import { mark } from '../rollup/mark.ts';
import { recountSkus } from './skus.ts';

/**
 * Binds SKUs of shops to a product from a day on; without one for always, in the place of whatever was said of them before. Their
 * sales from that day on are counted for it soon, past ones too.
 * @throws notFound for a product or a shop's SKU that is not there
 */
export async function bind(ctx: Ctx, input: Binding): Promise<{ bound: number }> {
  const { companyId } = ctx;
  const product = (await localProducts(ctx, [input.productId])).get(input.productId);
  if (!product) throw notFound('产品不存在或已删除');
  const from = input.validFrom ?? ALWAYS;
  await sql`DROP TABLE IF EXISTS pg_temp.bound_sku`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE bound_sku ON COMMIT DROP AS
    SELECT DISTINCT s.shop_id, s.platform_sku
      FROM unnest(${input.skus.map(({ shopId }) => shopId)}::uuid[], ${input.skus.map(({ platformSku }) => platformSku)}::text[])
        AS a (shop_id, platform_sku)
      JOIN channel.platform_sku AS s ON s.company_id = ${companyId} AND s.shop_id = a.shop_id AND s.platform_sku = a.platform_sku`.execute(
    ctx.db,
  );
  const { rows } = await sql<{ n: number }>`SELECT count(*)::int AS n FROM pg_temp.bound_sku`.execute(ctx.db);
  const bound = rows[0]?.n ?? 0;
  if (bound < new Set(input.skus.map((one) => JSON.stringify(one))).size) throw notFound('平台SKU不存在或已删除');
  if (input.validFrom === undefined) {
    await sql`
      DELETE FROM channel.sku_binding AS b USING pg_temp.bound_sku AS s
       WHERE b.company_id = ${companyId} AND b.shop_id = s.shop_id AND b.platform_sku = s.platform_sku`.execute(ctx.db);
  }
  await sql`
    INSERT INTO channel.sku_binding (company_id, shop_id, platform_sku, valid_from, product_id, units, way, updated_by_name)
    SELECT ${companyId}::uuid, shop_id, platform_sku, ${from}::date, ${input.productId}::uuid, ${input.units}::int, 'manual', ${ctx.userName}::text
      FROM pg_temp.bound_sku ORDER BY 2, 3
    ON CONFLICT (company_id, shop_id, platform_sku, valid_from) DO UPDATE
       SET product_id = excluded.product_id, units = excluded.units, way = excluded.way, updated_at = kit.now(),
           updated_by_name = excluded.updated_by_name`.execute(ctx.db);
  await recountSkus(ctx, 'bound_sku');
  await mark(ctx, sql`SELECT shop_id, platform_sku, ${from}::date, '9999-12-31'::date FROM pg_temp.bound_sku`);
  await audit(ctx, {
    action: '配对平台SKU',
    resource: 'channel.binding',
    resourceId: product.sku,
    after: { skus: input.skus.map(({ platformSku }) => platformSku), units: input.units, validFrom: from },
  });
  return { bound };
}
