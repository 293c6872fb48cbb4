import type { Ctx } from '#kit/server/context.ts';
import { award, moveInquiryRow } from './inquiry/award.ts';
import { putOfferRow, saveInquiryRow } from './inquiry/save.ts';

/** How far each inquiry of the demo has come, and how many suppliers have answered. */
const STORIES = [
  { end: 'open', offers: 3, qty: 1000 },
  { end: 'open', offers: 1, qty: 500 },
  { end: 'open', offers: 0, qty: 300 },
  { end: 'awarded', offers: 2, qty: 800 },
  { end: 'closed', offers: 2, qty: 200 },
] as const;

/** One supplier's answer: the second is cheaper in large numbers, the third asks no minimum. */
async function offer(ctx: Ctx, id: string, supplierId: string, n: number): Promise<void> {
  const first = 14.8 + n * 0.6;
  await putOfferRow(ctx, {
    id,
    supplierId,
    currency: 'CNY',
    taxIncluded: n !== 2,
    tiers: [
      { minQty: 1, unitPrice: first.toFixed(2) },
      { minQty: 500, unitPrice: (first - 1 - n * 0.9).toFixed(2) },
    ],
    moq: [200, 500, 1][n] ?? 1,
    orderMultiple: [50, 100, 1][n] ?? 1,
    leadDays: [18, 25, 12][n] ?? 15,
    validTo: ctx.clock.dayAhead(45),
    remark: ['含外箱，不含运费', '月结 30 天', ''][n],
    confirmed: true,
  });
}

/**
 * Inquiries in every state for the demo company, once it has suppliers.
 * The caller may do everything.
 */
export async function demoInquiries(ctx: Ctx): Promise<void> {
  const suppliers = await ctx.db
    .selectFrom('supplier.supplier')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('state', '=', 'active')
    .orderBy('code')
    .limit(3)
    .execute();
  const products = await ctx.db
    .selectFrom('product.local_product')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('kind', '=', 'goods')
    .where('is_spelling', '=', false)
    .where('lifecycle', '<>', 'offline')
    .where('name', '<>', '')
    .orderBy('sku')
    .limit(STORIES.length)
    .execute();
  if (suppliers.length < 3 || products.length < STORIES.length) return;
  for (const [n, { end, offers, qty }] of STORIES.entries()) {
    const productId = products[n]?.id ?? '';
    const { id } = await saveInquiryRow(ctx, {
      productId,
      qty,
      dueOn: ctx.clock.dayAhead(7 + n),
      remark: '按现有包装报价',
    });
    for (const [place, supplier] of suppliers.slice(0, offers).entries()) await offer(ctx, id, supplier.id, place);
    const first = suppliers[0]?.id ?? '';
    if (end === 'awarded') await award(ctx, { id, supplierId: first, asDefault: false });
    if (end === 'closed') await moveInquiryRow(ctx, { id, action: 'close', reason: '改款，不再询价' });
  }
}
