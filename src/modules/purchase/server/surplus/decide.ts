import { sql } from 'kysely';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome } from '#kit/server/document-outcome.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { DECISIONS, type SurplusDecision } from '../../contract/surplus.ts';
import { touch } from '../order/act.ts';
import { locked, type Order } from '../order/load.ts';
import { mostOf } from '../order/quantities.ts';
import { settle } from '../order/settle.ts';
import { takeIn } from '../receipt/take-in.ts';

interface Held {
  id: string;
  number: string;
  state: string;
  version: number;
  lineId: string;
  qty: number;
}

export interface Decision {
  id: string;
  version?: number | undefined;
  decision: SurplusDecision;
  inspect: boolean;
  inspectAt?: string | undefined;
  trackingNo: string;
  reason: string;
}

const ENDS: Record<SurplusDecision, string> = { payable: 'payable', free: 'free', return: 'returned' };

/** The document and its order, both locked: the order first, as everything does. @throws notFound */
async function lockedSurplus(ctx: Ctx, id: string): Promise<{ order: Order; held: Held }> {
  const found = await ctx.db
    .selectFrom('purchase.surplus')
    .select('order_id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!found) throw notFound();
  const order = await locked(ctx, found.order_id);
  const { rows } = await sql<Held>`
    SELECT id, number, state, version, order_line_id AS "lineId", qty
      FROM purchase.surplus WHERE company_id = ${ctx.companyId} AND id = ${id} FOR UPDATE`.execute(ctx.db);
  const [held] = rows;
  if (!held) throw notFound();
  return { order, held };
}

/** Takes the pieces over with a receipt of their own; what the line still waits for is no surplus any more. */
async function accept(ctx: Ctx, order: Order, held: Held, input: Decision): Promise<string> {
  if (order.state !== 'ordered') throw refused('采购单已结束，超收只能退回供应商', 'B1036');
  const line = order.lines.find((one) => one.id === held.lineId);
  if (!line) throw notFound();
  const free = input.decision === 'free';
  const over = free ? 0 : Math.max(0, held.qty - mostOf(line));
  const pieces = [{ lineId: line.id, qty: held.qty, over, free, inspect: input.inspect }];
  const papers = { inspectAt: input.inspectAt, trackingNo: '', remark: `超收单 ${held.number}` };
  return (await takeIn(ctx, order, pieces, papers)).id;
}

async function write(ctx: Ctx, held: Held, input: Decision, receiptId: string | null): Promise<void> {
  await ctx.db
    .updateTable('purchase.surplus')
    .set({
      state: ENDS[input.decision],
      version: held.version + 1,
      receipt_id: receiptId,
      reason: input.reason,
      tracking_no: receiptId === null ? input.trackingNo : '',
      decided_by_name: ctx.userName,
      decided_at: sql`kit.now()`,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', held.id)
    .execute();
}

/**
 * Decides about pieces that are held: payable or free they come into stock with a receipt of their own, else they went
 * back, which moves neither stock nor money as they never were ours. Answers 「该操作已完成」 where it was decided so before.
 * @throws conflict for a stale version or another decision, refused B1036 where the order is over
 */
export async function decide(ctx: Ctx, input: Decision): Promise<Outcome> {
  const { order, held } = await lockedSurplus(ctx, input.id);
  const end = ENDS[input.decision];
  if (held.state === end) {
    ctx.audited = true;
    return outcome(held, DONE_BEFORE, true);
  }
  const stale = input.version !== undefined && input.version !== held.version;
  if (held.state !== 'held' || stale) throw conflict('超收单已被他人处理，请刷新后重试');
  requireMove(ctx, order.warehouse);
  const receiptId = input.decision === 'return' ? null : await accept(ctx, order, held, input);
  await write(ctx, held, input, receiptId);
  const title = DECISIONS[input.decision];
  const body = `${held.number}，${held.qty} 件，${title}：${input.reason}`;
  await note(ctx, purchaseOrder.name, order.id, { kind: 'note', title: '处理超收', body });
  await audit(ctx, {
    action: `超收·${title}`,
    resource: 'purchase.surplus',
    resourceId: held.id,
    before: { state: held.state },
    after: { number: held.number, order: order.number, pieces: held.qty, state: end, reason: input.reason },
  });
  if (receiptId === null) await touch(ctx, order);
  await settle(ctx, await locked(ctx, order.id));
  return outcome({ ...held, state: end, version: held.version + 1 }, `超收单${held.number}：${title}`);
}
