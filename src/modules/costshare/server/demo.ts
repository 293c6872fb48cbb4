import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { act } from './act.ts';
import { saveItem } from './item.ts';
import { save } from './save.ts';

/** Gives a company with stores a cost of this month that all of them bear, and one that waits to be posted. */
export async function demoCosts(ctx: Ctx): Promise<void> {
  const { rows: stores } = await sql<{ key: string }>`
    SELECT marketplace_id || '-' || account_id AS key FROM marketplace.seller_marketplace
     WHERE company_id = ${ctx.companyId} ORDER BY account_id, marketplace_id LIMIT 2`.execute(ctx.db);
  const [first] = stores;
  if (!first) return;
  const today = ctx.clock.today();
  const period = { from: `${today.slice(0, 7)}-01`, to: today };
  const [many, one] = [stores.length * 600, 380];
  const { id } = await save(ctx, {
    feeType: '摄影',
    currency: 'CNY',
    amount: String(many),
    ...period,
    remark: '秋冬新品主图与场景图',
    rows: stores.map(({ key }) => ({ store: key, sku: '', amount: '600' })),
  });
  await act(ctx, 'post', { id });
  await save(ctx, {
    feeType: '检测认证',
    currency: 'CNY',
    amount: String(one),
    from: today,
    to: today,
    remark: '',
    rows: [{ store: first.key, sku: '', amount: String(one) }],
  });
  const { rows: skus } = await sql<{ store: string; sku: string }>`
    SELECT marketplace_id || '-' || account_id AS store, seller_sku AS sku FROM listing.product
     WHERE company_id = ${ctx.companyId} ORDER BY seller_sku, 1 LIMIT 2`.execute(ctx.db);
  for (const [index, { store, sku }] of skus.entries()) {
    const [feeType, amount] = index === 0 ? ['样品', '128.5'] : ['测评', '260'];
    await saveItem(ctx, { store, sku, day: today, feeType, currency: 'CNY', amount, remark: '' });
  }
}
