import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { amendment } from '../../contract/amend.ts';
import { amountOf } from '../../contract/money.ts';
import { purchaseOrder } from '../../contract/order.ts';

import { locked, type Order } from '../order/load.ts';
import { requireOversea } from '../order/oversea.ts';
import { settingOf } from '../setting.ts';
import { applyChanges, type LineChange } from './apply.ts';
import { handIn } from './decide.ts';
import { lineObstacle } from './still.ts';
import { requireNoChange } from './waiting.ts';

interface Input {
  orderId: string;
  version?: number | undefined;
  reason: string;
  lines: readonly { lineId: string; qty: number; unitPrice: string; expectedOn: string | null }[];
}

/** The lines that become different. @throws refused B1080 for a line of another order, or what cannot change */
function changesOf(order: Order, lines: Input['lines']): LineChange[] {
  return lines.flatMap(({ lineId, ...after }): LineChange[] => {
    const line = order.lines.find((one) => one.id === lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B1080');
    const { qty, unitPrice, expectedOn } = line;
    const same = qty === after.qty && new Decimal(unitPrice).eq(after.unitPrice) && expectedOn === after.expectedOn;
    if (same) return [];
    const why = lineObstacle(line, after);
    if (why) throw refused(why, 'B1080');
    return [{ lineId, lineNo: line.lineNo, productId: line.product, before: { qty, unitPrice, expectedOn }, after }];
  });
}

/** By how much the order gets dearer. */
function differenceOf(order: Order, changes: readonly LineChange[]): string {
  const worth = ({ qty, unitPrice }: LineChange['after']) => amountOf(qty, unitPrice, order.currency);
  return sum(changes.flatMap(({ before, after }) => [worth(after), new Decimal(worth(before)).negated().toFixed()]));
}

async function insert(ctx: Ctx, order: Order, input: Input, changes: readonly LineChange[], state: string) {
  const number = await nextNumber(ctx, amendment.number, ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('purchase.amendment')
    .values({
      company_id: ctx.companyId,
      order_id: order.id,
      number,
      state,
      reason: input.reason,
      changes: JSON.stringify(changes),
      difference: differenceOf(order, changes),
      created_by: ctx.userId,
      created_by_name: ctx.userName,
      ...(state === 'applied' ? { decided_by_name: ctx.userName, decided_at: sql<string>`kit.now()` } : {}),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, number };
}

/**
 * Whether a change needs approval: it makes the order dearer, by more than the tolerance beyond what was approved last. Many
 * small ones add up.
 */
function needsApproval(order: Order, difference: string, tolerance: string): boolean {
  const limit = new Decimal(order.approvedAmount ?? order.amount).times(new Decimal(1).plus(tolerance));
  return new Decimal(difference).gt(0) && new Decimal(order.amount).plus(difference).gt(limit);
}

/**
 * Changes a placed order. It counts at once where the order gets no dearer than the company's tolerance allows beyond what
 * was approved; otherwise it waits for approval, and the order stays as it is until then.
 * @throws refused B1003 for who may not buy overseas, B1080 what cannot change, B1081 another change waits, B1082 nothing
 * changes; conflict for a stale version
 */
export async function amendOrder(ctx: Ctx, input: Input): Promise<Outcome> {
  const order = await locked(ctx, input.orderId);
  requireMove(ctx, order.warehouse);
  if (order.overseas) requireOversea(ctx);
  requireFresh(order, input.version);
  if (order.state !== 'ordered') throw refused('只有已下单的采购单需要变更', 'B1080');
  await requireNoChange(ctx, order.id);
  const changes = changesOf(order, input.lines);
  if (changes.length === 0) throw refused('没有变更内容', 'B1082');
  const difference = differenceOf(order, changes);
  const { changeTolerance } = await settingOf(ctx);
  const waits = needsApproval(order, difference, changeTolerance);
  const made = await insert(ctx, order, input, changes, waits ? 'draft' : 'applied');
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: waits ? '申请变更' : '变更',
    body: `${made.number}：${input.reason}`,
  });
  await audit(ctx, {
    action: waits ? '申请变更采购单' : '变更采购单',
    resource: amendment.name,
    resourceId: made.id,
    before: changes.map((change) => ({ line: change.lineNo, ...change.before })),
    after: { order: order.number, difference, reason: input.reason, lines: changes.map((change) => change.after) },
  });
  if (waits) return handIn(ctx, made.id);
  await applyChanges(ctx, order, changes);
  return outcome({ ...made, state: 'applied', version: 0 }, `${made.number} 已生效`);
}
