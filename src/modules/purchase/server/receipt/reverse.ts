import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { requireMove, reverse } from '#modules/warehouse/server/index.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { answerOf, touch } from '../order/act.ts';
import { putLines, waitedMore, waitFor } from '../order/events.ts';
import { changed } from '../order/quantities.ts';
import { disownGoods } from '../payable.ts';
import { unkeepSurplus } from '../surplus/keep.ts';
import { lockedReceipt, type Receipt } from './load.ts';

/** Why a receipt cannot be taken back, or nothing. */
function obstacle(receipt: Receipt): string | undefined {
  const { order } = receipt;
  if (receipt.state === 'reversed') return '到货单已撤销';
  if (order.state !== 'ordered') return '采购单已结束，不能撤销到货';
  const closed = receipt.lines.some((line) => {
    if (line.free) return false;
    const mine = order.lines.find((one) => one.id === line.orderLine);
    return (
      mine === undefined ||
      mine.cancelled > 0 ||
      mine.returned + mine.exchanging > mine.received - mine.inspecting - line.qty
    );
  });
  return closed ? '采购单明细已结束收货、已退货或正在换货，不能撤销到货' : undefined;
}

/**
 * Takes a receipt back: the stock as it was, to the last unit, and the debt less what the receipt had added.
 * @throws refused B1034 with the reason, B0807 where the pieces were used
 */
export async function reverseReceipt(ctx: Ctx, input: { id: string; reason: string }): Promise<Outcome> {
  const receipt = await lockedReceipt(ctx, input.id);
  const { order, posting } = receipt;
  requireMove(ctx, order.warehouse);
  const why = obstacle(receipt);
  if (why || posting === null) throw refused(why ?? '到货单没有入库', 'B1034');
  await unscoped(ctx, () => reverse(ctx, posting, input.reason));
  const lines = order.lines.flatMap((line) => {
    const mine = receipt.lines.filter((one) => one.orderLine === line.id);
    if (mine.length === 0) return [];
    const paid = mine.filter((one) => !one.free);
    const [qty, waiting] = [sumOf(paid, 'qty'), sumOf(paid, 'inspecting')];
    const free = sumOf(mine, 'qty') - qty;
    const owed = mine.reduce((total, one) => total.plus(one.amount), new Decimal(0));
    const next = changed(line, { received: -qty, inspecting: -waiting, free: -free });
    return [{ ...next, due: new Decimal(line.due).minus(owed).toFixed(4) }];
  });
  await disownGoods(ctx, receipt.id, input.reason);
  await putLines(ctx, order.id, lines);
  // The ledger waits again for as many pieces as it did before this receipt; receipts since may have left fewer to wait for.
  const corrections = lines.map((line) => {
    const back = sumOf(
      receipt.lines.filter((one) => one.orderLine === line.id),
      'awaited',
    );
    return { product: line.product, by: waitedMore(order, line) - back };
  });
  await waitFor(ctx, order, 'correct', corrections);
  await sql`
    UPDATE purchase.receipt SET state = 'reversed', version = version + 1
     WHERE company_id = ${ctx.companyId} AND id = ${receipt.id}`.execute(ctx.db);
  await unkeepSurplus(ctx, receipt.id);
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: '撤销到货',
    body: `${receipt.number}：${input.reason}`,
  });
  await audit(ctx, {
    action: '撤销到货',
    resource: 'purchase.receipt',
    resourceId: receipt.id,
    before: { state: receipt.state },
    after: { state: 'reversed', reason: input.reason },
  });
  await touch(ctx, order);
  return answerOf(ctx, order.id, `${receipt.number} 已撤销`);
}

function sumOf(lines: Receipt['lines'], key: 'qty' | 'inspecting' | 'awaited'): number {
  return lines.reduce((total, line) => total + line[key], 0);
}
