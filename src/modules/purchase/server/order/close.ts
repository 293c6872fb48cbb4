import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { requireNoChange } from '../amend/waiting.ts';
import { requireRequestsFit } from '../payable.ts';
import { answerOf, touch } from './act.ts';
import { happen } from './events.ts';
import { locked, type Order, type OrderLine } from './load.ts';
import type { Change } from './quantities.ts';
import { settle } from './settle.ts';

interface Input {
  id: string;
  version?: number | undefined;
  lineIds?: readonly string[] | undefined;
  lines?: readonly { lineId: string; qty: number }[] | undefined;
  reason: string;
}

interface Given {
  line: OrderLine;
  qty: number;
}

/** The pieces that are given up, by line. @throws refused B1035 for more than is open, or where nothing is */
function givenUp(order: Order, { lines, lineIds }: Input): Given[] {
  if (order.state !== 'ordered') throw refused('没有待到货的明细', 'B1035');
  const whole = order.lines.filter((line) => line.open > 0 && (lineIds?.includes(line.id) ?? true));
  const given = lines ? picked(order, lines) : whole.map((line) => ({ line, qty: line.open }));
  if (given.length === 0) throw refused('没有待到货的明细', 'B1035');
  return given;
}

function picked(order: Order, lines: NonNullable<Input['lines']>): Given[] {
  if (new Set(lines.map((one) => one.lineId)).size < lines.length) throw refused('不能重复添加明细', 'B1035');
  return lines.map(({ lineId, qty }) => {
    const line = order.lines.find((one) => one.id === lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B1035');
    if (qty > line.open) {
      throw refused(`第${line.lineNo}行待到货${line.open}，不能结束${qty}`, 'B1035', {
        line: line.id,
        most: line.open,
      });
    }
    return { line, qty };
  });
}

/**
 * What closing pieces does to a line. What may come on top of the order shrinks with the pieces that are left, and goes
 * with the last of them.
 */
function closing({ line, qty }: Given): Change {
  const room = Math.max(0, line.limit - line.qty);
  const [before, after] = [line.qty - line.cancelled, line.qty - line.cancelled - qty];
  const left = qty === line.open ? 0 : Math.floor((room * after) / before);
  return { cancelled: qty, limit: Math.min(0, line.qty + left - line.limit) };
}

/**
 * Pieces are waited for no longer; what has come stays, and no more than what is still open may come.
 * @throws refused B1035 where nothing or less is open, B1063 while more is asked for than the order comes to then; conflict
 *   for a stale version
 */
export async function closeLines(ctx: Ctx, input: Input): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  requireMove(ctx, order.warehouse);
  requireFresh(order, input.version);
  const given = givenUp(order, input);
  await requireNoChange(ctx, order.id);
  const changes = new Map(given.map((one) => [one.line.id, closing(one)] as const));
  const effect = await happen(ctx, order, { event: 'close', changes, note: input.reason });
  await requireRequestsFit(ctx, order);
  const pieces = given.reduce((total, one) => total + one.qty, 0);
  const left = effect.order.lines.reduce((total, line) => total + line.open, 0);
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: '结束收货',
    body: `${pieces} 件${left > 0 ? `，还有 ${left} 件待到货` : ''}：${input.reason}`,
  });
  await audit(ctx, {
    action: '采购单·结束收货',
    resource: purchaseOrder.name,
    resourceId: order.id,
    after: { lines: given.map(({ line, qty }) => ({ lineNo: line.lineNo, qty })), pieces, reason: input.reason },
  });
  await settle(ctx, await touch(ctx, effect.order));
  const words = left > 0 ? `${pieces}件已结束收货，还有${left}件待到货` : '已结束收货';
  return answerOf(ctx, order.id, `采购单${order.number}${words}`);
}
