import { Decimal, sum } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { moneyOf, reversePosted } from '#modules/finance/server/index.ts';
import { requireMove, takeBackCost } from '#modules/warehouse/server/index.ts';
import { purchaseOrder } from '../contract/order.ts';
import { locked } from './order/load.ts';
import { requireOversea } from './order/oversea.ts';

const TYPE = 'purchase.charge';

/** @throws notFound */
async function chargeOf(ctx: Ctx, id: string) {
  const charge = await ctx.db
    .selectFrom('purchase.landed_charge')
    .select(['order_id as orderId', 'kind', 'amount'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!charge) throw notFound();
  return charge;
}

/** @throws conflict where somebody took it back before, refused B1078 where money is asked for it; the order is locked */
async function requireStanding(ctx: Ctx, id: string): Promise<void> {
  const gone = await ctx.db
    .selectFrom('purchase.charge_reversal')
    .select('by_name as by')
    .where('company_id', '=', ctx.companyId)
    .where('charge_id', '=', id)
    .executeTakeFirst();
  if (gone) throw conflict(`该费用已由${gone.by}冲销`);
  const [money] = await moneyOf(ctx, TYPE, [id]);
  if (!new Decimal(money?.requested ?? 0).isZero()) throw refused('该费用存在未完成的请款，请先撤回', 'B1078');
}

/**
 * Takes a late bill back, once: its payee is owed it no more, and its cost leaves the pieces wherever they are now; the share
 * of those that have left lowers the cost variance.
 * @throws notFound, conflict where it was taken back, refused B1003 for taxes of imports without the right to buy overseas,
 * B1078 where money is asked for it, B0902 where it has been paid, B0805 in a closed month
 */
export async function reverseCharge(ctx: Ctx, { id, reason }: { id: string; reason: string }) {
  const { orderId, kind, amount } = await chargeOf(ctx, id);
  const order = await locked(ctx, orderId);
  requireMove(ctx, order.warehouse);
  if (kind === 'DUTY' || kind === 'IMPORT_VAT') requireOversea(ctx);
  await requireStanding(ctx, id);
  const placed = await takeBackCost(
    ctx,
    { type: TYPE, id, event: 'add' },
    { type: TYPE, id, event: 'reverse', number: order.number },
    reason,
  );
  const capitalised = sum(placed.map((one) => one.toLayers));
  const expensed = sum(placed.map((one) => one.variance));
  await reversePosted(ctx, { type: TYPE, id, event: 'add' }, reason);
  await ctx.db
    .insertInto('purchase.charge_reversal')
    .values({ company_id: ctx.companyId, charge_id: id, capitalised, expensed, reason, by_name: ctx.userName })
    .execute();
  await note(ctx, purchaseOrder.name, order.id, { kind: 'note', title: '冲销后到费用', body: `¥${amount}：${reason}` });
  await audit(ctx, {
    action: '冲销后到费用',
    resource: TYPE,
    resourceId: id,
    after: { order: order.number, amount, reason, capitalised, expensed },
  });
  return { id, capitalised, expensed };
}
