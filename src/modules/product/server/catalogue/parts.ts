import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { Box, ConsumableUse, Customs, Dimension } from '../../contract/parts.ts';

function requireDistinct(keys: readonly string[], message: string): void {
  if (new Set(keys).size < keys.length) throw refused(message, 'B0715');
}

const isEmpty = (one: Dimension) =>
  [one.length, one.width, one.height, one.weight, one.unitsPerCarton].every((value) => value === null);

/** Puts the sizes of a product; empty ones go. */
export async function putDimensions(ctx: Ctx, productId: string, dimensions: readonly Dimension[]): Promise<void> {
  requireDistinct(
    dimensions.map((one) => one.role),
    '尺寸重复',
  );
  await ctx.db
    .deleteFrom('product.dimension')
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', productId)
    .execute();
  const rows = dimensions.filter((one) => !isEmpty(one));
  if (rows.length === 0) return;
  await ctx.db
    .insertInto('product.dimension')
    .values(
      rows.map(({ unitsPerCarton, ...one }) => ({
        company_id: ctx.companyId,
        product_id: productId,
        ...one,
        units_per_carton: one.role === 'carton' ? unitsPerCarton : null,
      })),
    )
    .execute();
}

const orNull = (text: string | null | undefined) => text || null;

/** Puts the export declaration (country '') and the imports of a product. */
export async function putCustoms(ctx: Ctx, productId: string, rows: readonly Customs[]): Promise<void> {
  requireDistinct(
    rows.map((one) => one.country),
    '报关国家重复',
  );
  for (const row of rows) {
    if (row.country === '' && row.hsCode && row.hsCode.length !== 10) throw refused('出口海关编码为10位数字', 'B0716');
    if (Boolean(row.declaredValue) !== Boolean(row.declaredCurrency)) throw refused('申报价与币种须同时填写', 'B0716');
  }
  await ctx.db
    .deleteFrom('product.customs')
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', productId)
    .execute();
  if (rows.length === 0) return;
  await ctx.db
    .insertInto('product.customs')
    .values(
      rows.map((row) => ({
        company_id: ctx.companyId,
        product_id: productId,
        country: row.country,
        hs_code: orNull(row.hsCode),
        name_cn: orNull(row.nameCn),
        name_en: orNull(row.nameEn),
        elements: orNull(row.elements),
        unit_1: orNull(row.unit1),
        unit_2: orNull(row.unit2),
        unit_ratio: orNull(row.unitRatio),
        refund_rate: orNull(row.refundRate),
        declared_value: orNull(row.declaredValue),
        declared_currency: orNull(row.declaredCurrency),
        duty_rate: orNull(row.dutyRate),
        vat_rate: orNull(row.vatRate),
        material: orNull(row.material),
        purpose: orNull(row.purpose),
        link: orNull(row.link),
      })),
    )
    .execute();
}

/** Puts what one piece takes of consumables and packaging. @throws AppError B0717 for anything that is neither */
export async function putConsumables(ctx: Ctx, productId: string, uses: readonly ConsumableUse[]): Promise<void> {
  const ids = uses.map((one) => one.consumableId);
  requireDistinct(ids, '辅料重复');
  if (ids.length > 0) {
    const known = await ctx.db
      .selectFrom('product.local_product')
      .select('id')
      .where('company_id', '=', ctx.companyId)
      .where('id', 'in', ids)
      .where('kind', 'in', ['consumable', 'package'])
      .execute();
    if (known.length < ids.length || ids.includes(productId)) throw refused('只能选择辅料或包材', 'B0717');
  }
  await ctx.db
    .deleteFrom('product.consumable_use')
    .where('company_id', '=', ctx.companyId)
    .where('product_id', '=', productId)
    .execute();
  if (uses.length === 0) return;
  await ctx.db
    .insertInto('product.consumable_use')
    .values(
      uses.map((one) => ({
        company_id: ctx.companyId,
        product_id: productId,
        consumable_id: one.consumableId,
        qty_per: one.qtyPer,
      })),
    )
    .execute();
}

/** Puts what a box can hold; null takes it away. */
export async function putBox(ctx: Ctx, productId: string, box: Box | null): Promise<void> {
  if (box === null) {
    await ctx.db
      .deleteFrom('product.box')
      .where('company_id', '=', ctx.companyId)
      .where('product_id', '=', productId)
      .execute();
    return;
  }
  await sql`
    INSERT INTO product.box (company_id, product_id, inner_length, inner_width, inner_height, load_weight)
    VALUES (${ctx.companyId}, ${productId}, ${box.innerLength}, ${box.innerWidth}, ${box.innerHeight}, ${box.loadWeight})
    ON CONFLICT (company_id, product_id) DO UPDATE
       SET inner_length = excluded.inner_length, inner_width = excluded.inner_width,
           inner_height = excluded.inner_height, load_weight = excluded.load_weight`.execute(ctx.db);
}
