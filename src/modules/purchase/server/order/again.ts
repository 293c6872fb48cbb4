import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { changedAfterApproval } from '#kit/server/approval.ts';
import type { Ctx } from '#kit/server/context.ts';
import { outcome } from '#kit/server/document-outcome.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { settingOf } from '../setting.ts';
import { step } from './act.ts';
import { fallBack } from './fall-back.ts';
import { isLinked } from './links.ts';
import { loaded, type Order } from './load.ts';
import { tell } from './tell.ts';

/** Whether an order is another one than what was approved: dearer than tolerated, or bought or sent elsewhere or otherwise. */
function differs(before: Order, now: Order, tolerance: string): boolean {
  const elsewhere = (['supplier', 'warehouse', 'currency', 'incoterm', 'incotermPlace'] as const).some(
    (key) => before[key] !== now[key],
  );
  const limit = new Decimal(before.approvedAmount ?? 0).times(new Decimal(1).plus(tolerance));
  return elsewhere || new Decimal(now.amount).gt(limit);
}

/**
 * An approved order was rewritten. Where a flow had approved it, the flow's tolerance and fixed fields decide; else the
 * company's tolerance for changes does, and whoever approves is told. `before` is the order as it was approved.
 */
export async function afterApproval(ctx: Ctx, before: Order): Promise<Outcome> {
  const again = await changedAfterApproval(ctx, purchaseOrder, before.id);
  const now = await loaded(ctx, before.id);
  const { changeTolerance } = await settingOf(ctx);
  const strays = differs(before, now, changeTolerance);
  // What a flow approved of an order that was split since was more than the order is now: its own amount counts.
  if (again !== true && strays && (await isLinked(ctx, before.id))) {
    const draft = await fallBack(ctx, now);
    return outcome(draft, `采购单${now.number}已保存，修改超出容差，请重新提交审批`);
  }
  if (again === undefined && strays) {
    const done = await step(ctx, now, 'reapprove');
    await tell(ctx, now, 'submit', undefined);
    return { ...done, message: `采购单${now.number}已保存，修改超出容差，等待重新审批` };
  }
  const words = again ? '，修改超出容差，等待重新审批' : '，无须重新审批';
  return outcome(now, `采购单${now.number}已保存${words}`);
}
