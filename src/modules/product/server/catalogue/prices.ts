import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { PriceList, Supply, SupplyShown, Tier } from '../../contract/parts.ts';
import { quantityWarnings, quote, tierProblem, tierWarning } from './tiers.ts';

const LISTS = sql`
  SELECT l.id, l.product_id, l.supplier_id, l.currency, l.tax_included AS "taxIncluded", l.valid_from AS "validFrom",
         l.valid_to AS "validTo", l.origin, l.created_by_name AS "by", l.created_at AS at,
         (SELECT jsonb_agg(jsonb_build_object('minQty', t.min_qty, 'unitPrice', t.unit_price::text) ORDER BY t.min_qty)
            FROM product.price_tier AS t WHERE t.company_id = l.company_id AND t.list_id = l.id) AS tiers
    FROM product.price_list AS l`;

type DbList = PriceList & { product_id: string; supplier_id: string };

const clean = ({ product_id: _, supplier_id: __, ...list }: DbList): PriceList => list;

/** Price lists of a product at a supplier, the newest first. */
export async function priceLists(ctx: Ctx, productId: string, supplierId: string): Promise<PriceList[]> {
  const { rows } = await sql<DbList>`
    ${LISTS} WHERE l.company_id = ${ctx.companyId} AND l.product_id = ${productId} AND l.supplier_id = ${supplierId}
     ORDER BY l.id DESC LIMIT 200`.execute(ctx.db);
  return rows.map(clean);
}

/** The lists that count on a day, by product and supplier: the newest of those whose time it is. */
async function listsOn(ctx: Ctx, products: readonly string[], day: string): Promise<Map<string, PriceList>> {
  const { rows } = await sql<DbList>`
    ${LISTS} WHERE l.company_id = ${ctx.companyId} AND l.product_id = ANY (${products}::uuid[])
       AND l.id IN (SELECT DISTINCT ON (product_id, supplier_id) id FROM product.price_list
                     WHERE company_id = ${ctx.companyId} AND product_id = ANY (${products}::uuid[]) AND valid_from <= ${day}::date
                       AND (valid_to IS NULL OR valid_to >= ${day}::date)
                     ORDER BY product_id, supplier_id, id DESC)`.execute(ctx.db);
  return new Map(rows.map((row) => [`${row.product_id} ${row.supplier_id}`, clean(row)]));
}

/** Suppliers of products with the prices of today, by product, the default one first; in two questions for all. */
export async function suppliesOfAll(ctx: Ctx, products: readonly string[]): Promise<Map<string, SupplyShown[]>> {
  const ids = [...new Set(products)];
  const byProduct = new Map<string, SupplyShown[]>(ids.map((id) => [id, []]));
  if (ids.length === 0) return byProduct;
  const lists = await listsOn(ctx, ids, ctx.clock.today());
  const { rows } = await sql<Omit<SupplyShown, 'prices'> & { productId: string }>`
    SELECT s.product_id AS "productId", s.id, s.supplier_id AS "supplierId", v.short_name AS supplier,
           v.code AS "supplierCode", s.is_default AS "isDefault", s.supplier_sku AS "supplierSku", s.offer_id AS "offerId",
           s.spec_id AS "specId", s.url, s.moq, s.order_multiple AS "orderMultiple", s.lead_days AS "leadDays"
      FROM product.supply AS s JOIN supplier.supplier AS v ON v.company_id = s.company_id AND v.id = s.supplier_id
     WHERE s.company_id = ${ctx.companyId} AND s.product_id = ANY (${ids}::uuid[])
     ORDER BY s.is_default DESC, v.short_name`.execute(ctx.db);
  for (const { productId, ...row } of rows) {
    byProduct.get(productId)?.push({ ...row, prices: lists.get(`${productId} ${row.supplierId}`) ?? null });
  }
  return byProduct;
}

/** Suppliers of one product with the prices of today, the default one first. */
export async function suppliesOf(ctx: Ctx, productId: string): Promise<SupplyShown[]> {
  return (await suppliesOfAll(ctx, [productId])).get(productId) ?? [];
}

/**
 * Puts the suppliers of a product; those left out go, their price lists stay.
 * @throws AppError B0740 unless exactly one is the default, B0741 a supplier twice or unknown
 */
export async function putSupplies(ctx: Ctx, productId: string, supplies: readonly Supply[]): Promise<void> {
  if (supplies.length > 0 && supplies.filter((one) => one.isDefault).length !== 1) {
    throw refused('请指定且仅指定一个默认供应商', 'B0740');
  }
  if (new Set(supplies.map((one) => one.supplierId)).size < supplies.length) throw refused('供应商重复', 'B0741');
  const keep = supplies.map((one) => one.supplierId);
  await sql`
    DELETE FROM product.supply
     WHERE company_id = ${ctx.companyId} AND product_id = ${productId} AND supplier_id <> ALL (${keep}::uuid[])`.execute(
    ctx.db,
  );
  // Two defaults for a moment would break the rule of one: first none, then the one.
  await sql`
    UPDATE product.supply SET is_default = false
     WHERE company_id = ${ctx.companyId} AND product_id = ${productId} AND is_default`.execute(ctx.db);
  await sql`
    INSERT INTO product.supply AS s (company_id, product_id, supplier_id, is_default, supplier_sku, offer_id, spec_id, url,
                                     moq, order_multiple, lead_days)
    SELECT ${ctx.companyId}, ${productId}, r."supplierId", r."isDefault", r."supplierSku", r."offerId", r."specId", r.url,
           r.moq, r."orderMultiple", r."leadDays"
      FROM jsonb_to_recordset(${JSON.stringify(supplies)}::jsonb)
        AS r("supplierId" uuid, "isDefault" boolean, "supplierSku" text, "offerId" text, "specId" text, url text, moq int,
             "orderMultiple" int, "leadDays" int)
     ORDER BY r."supplierId"
    ON CONFLICT (company_id, product_id, supplier_id) DO UPDATE
       SET is_default = excluded.is_default, supplier_sku = excluded.supplier_sku, offer_id = excluded.offer_id,
           spec_id = excluded.spec_id, url = excluded.url, moq = excluded.moq, order_multiple = excluded.order_multiple,
           lead_days = excluded.lead_days`.execute(ctx.db);
}

/**
 * Makes a supplier one of those of a product, or changes how he supplies it. He becomes the default one where the
 * product has none, or where it is asked for.
 */
export async function putSupply(
  ctx: Ctx,
  productId: string,
  supply: Pick<Supply, 'supplierId' | 'moq' | 'orderMultiple' | 'leadDays'>,
  asDefault: boolean,
): Promise<void> {
  if (asDefault) {
    await sql`
      UPDATE product.supply SET is_default = false
       WHERE company_id = ${ctx.companyId} AND product_id = ${productId} AND is_default
         AND supplier_id <> ${supply.supplierId}`.execute(ctx.db);
  }
  await sql`
    INSERT INTO product.supply AS s (company_id, product_id, supplier_id, is_default, moq, order_multiple, lead_days)
    SELECT ${ctx.companyId}, ${productId}, ${supply.supplierId}, NOT EXISTS (
             SELECT FROM product.supply WHERE company_id = ${ctx.companyId} AND product_id = ${productId} AND is_default),
           ${supply.moq}, ${supply.orderMultiple}, ${supply.leadDays}
    ON CONFLICT (company_id, product_id, supplier_id) DO UPDATE
       SET is_default = s.is_default OR excluded.is_default, moq = excluded.moq, order_multiple = excluded.order_multiple,
           lead_days = excluded.lead_days`.execute(ctx.db);
}

interface PricesInput {
  productId: string;
  supplierId: string;
  currency: string;
  taxIncluded: boolean;
  validFrom?: string | undefined;
  validTo?: string | null | undefined;
  tiers: readonly Tier[];
  confirmed: boolean;
  origin?: PriceList['origin'] | undefined;
}

/**
 * Adds a price list. A tier dearer than the one before asks for a confirmation first.
 * @throws AppError B0742 tiers that cannot be, B0743 a rise that is not confirmed, B0744 where the supplier does not
 *   supply the product
 */
export async function savePriceList(ctx: Ctx, input: PricesInput): Promise<{ id: string; warning: string | null }> {
  const problem = tierProblem(input.tiers);
  if (problem) throw refused(problem, 'B0742');
  const warning = tierWarning(input.tiers) ?? null;
  if (warning && !input.confirmed) throw refused(warning, 'B0743');
  const { productId, supplierId } = input;
  const supply = await ctx.db
    .selectFrom('product.supply')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', productId)
    .where('supplier_id', '=', supplierId)
    .forUpdate()
    .executeTakeFirst();
  if (!supply) throw refused('该产品没有这家供应商，请先添加', 'B0744');
  const list = await ctx.db
    .insertInto('product.price_list')
    .values({
      company_id: ctx.companyId,
      product_id: productId,
      supplier_id: supplierId,
      currency: input.currency,
      tax_included: input.taxIncluded,
      valid_from: input.validFrom ?? ctx.clock.today(),
      valid_to: input.validTo ?? null,
      origin: input.origin ?? 'manual',
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('product.price_tier')
    .values(
      input.tiers.map((tier) => ({
        company_id: ctx.companyId,
        list_id: list.id,
        min_qty: tier.minQty,
        unit_price: tier.unitPrice,
      })),
    )
    .execute();
  const { currency, tiers } = input;
  await audit(ctx, {
    action: '保存档价',
    resource: 'product.price',
    resourceId: productId,
    after: { supplierId, currency, tiers },
  });
  return { id: list.id, warning };
}

/** Price of a quantity from the list of today. @throws AppError 404 without a list */
export async function priceOf(ctx: Ctx, productId: string, supplierId: string, qty: number) {
  const supply = (await suppliesOf(ctx, productId)).find((one) => one.supplierId === supplierId);
  const prices = supply?.prices;
  const found = prices && quote(prices.tiers, qty, prices.currency);
  if (!supply || !prices || !found) throw notFound('该供应商没有有效报价');
  return { ...found, currency: prices.currency, warnings: quantityWarnings(qty, supply.moq, supply.orderMultiple) };
}
