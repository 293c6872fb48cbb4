import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { requireNoChange } from '../amend/waiting.ts';
import { requireRequestsFit } from '../payable.ts';
import { answerOf, requireFresh, touch } from './act.ts';
import { happen } from './events.ts';
import { locked } from './load.ts';
import { settle } from './settle.ts';

/**
 * Lines are waited for no longer; what has come stays, and nothing more may come. @throws refused B1035 where nothing is
 * open, B1063 while more is asked for than what came; conflict for a stale version
 */
export async function closeLines(
  ctx: Ctx,
  input: { id: string; version?: number | undefined; lineIds?: readonly string[] | undefined; reason: string },
): Promise<Outcome> {
  const order = await locked(ctx, input.id);
  requireMove(ctx, order.warehouse);
  requireFresh(order, input.version);
  const lines = order.lines.filter((line) => line.open > 0 && (input.lineIds?.includes(line.id) ?? true));
  if (order.state !== 'ordered' || lines.length === 0) throw refused('没有待到货的明细', 'B1035');
  await requireNoChange(ctx, order.id);
  const changes = new Map(
    lines.map((line) => [line.id, { cancelled: line.open, limit: Math.min(0, line.qty - line.limit) }] as const),
  );
  const effect = await happen(ctx, order, { event: 'close', changes, note: input.reason });
  await requireRequestsFit(ctx, order);
  const pieces = lines.reduce((total, line) => total + line.open, 0);
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: '结束收货',
    body: `${pieces} 件：${input.reason}`,
  });
  await audit(ctx, {
    action: '采购单·结束收货',
    resource: purchaseOrder.name,
    resourceId: order.id,
    after: { lines: lines.map((line) => line.lineNo), pieces, reason: input.reason },
  });
  await settle(ctx, await touch(ctx, effect.order));
  return answerOf(ctx, order.id, `采购单${order.number}已结束收货`);
}
