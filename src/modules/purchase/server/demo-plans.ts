import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { findProducts, putSupply, savePriceList, suppliesOfAll } from '#modules/product/server/index.ts';
import { addPlanLines } from './plan/lines.ts';
import { submitPlan } from './plan/submit.ts';

/** Products that have a supplier with a price, so that plans can be made of them. */
const SUPPLIED = 10;
/** Pieces of each product of a plan: the first is dear enough to be decided on, the second becomes an order at once. */
const PLANS: readonly { from: number; qty: readonly number[] }[] = [
  { from: 4, qty: [800, 600, 900] },
  { from: 7, qty: [120] },
];

/** The first products get suppliers and prices by quantity, where they have none. */
async function supply(ctx: Ctx, products: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    SELECT id FROM supplier.supplier WHERE company_id = ${ctx.companyId} AND state = 'active' ORDER BY code`.execute(
    ctx.db,
  );
  const known = await suppliesOfAll(ctx, products);
  for (const [n, productId] of products.entries()) {
    const supplierId = rows[n % rows.length]?.id;
    if (!supplierId || (known.get(productId)?.length ?? 0) > 0) continue;
    await putSupply(ctx, productId, { supplierId, moq: 60, orderMultiple: 20, leadDays: 12 + (n % 4) * 5 }, true);
    const price = (less: number) => (9 + n * 1.25 - less).toFixed(2);
    const tiers = [
      { minQty: 1, unitPrice: price(0) },
      { minQty: 500, unitPrice: price(0.6) },
    ];
    await savePriceList(ctx, { productId, supplierId, currency: 'CNY', taxIncluded: true, tiers, confirmed: true });
  }
}

/**
 * Plans that a buyer of the demo company handed in: one waits for its approval, one became an order. Does nothing
 * where nothing was planned yet.
 */
export async function demoPlans(ctx: Ctx): Promise<void> {
  const places = await ctx.db
    .selectFrom('purchase.plan_line')
    .select('warehouse_id')
    .where('company_id', '=', ctx.companyId)
    .limit(1)
    .executeTakeFirst();
  if (!places) return;
  const products = (await findProducts(ctx, { text: '', kinds: ['goods'], limit: 24 })).map((one) => one.id);
  await supply(ctx, products.slice(0, SUPPLIED));
  for (const { from, qty } of PLANS) {
    const wanted = products.slice(from, from + qty.length).map((productId, n) => ({
      productId,
      warehouseId: places.warehouse_id,
      qty: qty[n] ?? 100,
      needBy: ctx.clock.dayAhead(30 + n * 5),
      remark: '',
    }));
    // A catalogue of few products has none for this plan.
    if (wanted.length === 0) continue;
    await addPlanLines(ctx, wanted);
    const { rows } = await sql<{ id: string }>`
      SELECT id FROM purchase.plan_line
       WHERE company_id = ${ctx.companyId} AND state = 'open'
         AND product_id = ANY (${wanted.map((line) => line.productId)}::uuid[])`.execute(ctx.db);
    await submitPlan(ctx, { ids: rows.map((row) => row.id), rounded: true, review: false });
  }
}
