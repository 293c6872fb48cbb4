import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { type Move, requireMove } from '#modules/warehouse/server/index.ts';
import { inCny, rebateOf } from '../../contract/money.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { companyDay } from '../day.ts';
import { answerOf, DONE_BEFORE, outcome, touch } from '../order/act.ts';
import { owedAfter } from '../order/due.ts';
import { type Effect, happen } from '../order/events.ts';
import { locked, type Order, type OrderLine } from '../order/load.ts';
import { type Change, changed, mostOf } from '../order/quantities.ts';
import { settle } from '../order/settle.ts';
import { oweGoods } from '../payable.ts';
import { placeFor } from '../places.ts';
import { rateOn } from '../rates.ts';

interface Arrived {
  lineId: string;
  qty: number;
  inspect: boolean;
}

export interface Arrival {
  id: string;
  clientId?: string | undefined;
  inspectAt?: string | undefined;
  trackingNo: string;
  remark: string;
  lines: readonly Arrived[];
}

type Received = Outcome & { receiptId: string };

async function before(ctx: Ctx, order: Order, clientId: string | undefined): Promise<string | undefined> {
  if (clientId === undefined) return undefined;
  const row = await ctx.db
    .selectFrom('purchase.receipt')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', order.id)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row?.id;
}

/** @throws refused B1031 before placing, B1032 for a line of another order, or more than the tolerance allows */
function requireArrivals(order: Order, lines: readonly Arrived[]): void {
  if (order.state !== 'ordered') throw refused('订单未下单或已作废，不能收货', 'B1031');
  if (new Set(lines.map((line) => line.lineId)).size < lines.length) throw refused('不能重复添加明细', 'B1032');
  for (const arrived of lines) {
    const line = order.lines.find((one) => one.id === arrived.lineId);
    if (!line) throw refused('明细行不存在，请刷新后重试', 'B1032');
    const most = mostOf(line);
    if (arrived.qty > most) throw refused(`超出允收数量，最多还可收${most}`, 'B1032', { line: line.id, most });
  }
}

/** What pieces of a line are worth in stock, CNY: their price less what the state pays back, and their share of the fees. */
function costOf(order: Order, line: OrderLine, owed: string, goods: string, rate: string): string {
  const rebate = rebateOf(goods, line, order.invoiceType);
  return inCny(new Decimal(owed).minus(rebate).toFixed(), [], rate);
}

interface Worth {
  line: OrderLine;
  qty: number;
  amount: string;
  cost: string;
  inspect: boolean;
}

/** Pieces, debt and cost of what came, by line: the cost belongs into the moves, so it is known before they are posted. */
function worthOf(order: Order, lines: readonly Arrived[], rate: string): Worth[] {
  return lines.flatMap((arrived): Worth[] => {
    const line = order.lines.find((one) => one.id === arrived.lineId);
    if (!line) return [];
    const next = changed(line, { received: arrived.qty });
    const { owed, goods } = owedAfter(order, line, next);
    const cost = costOf(order, line, owed, goods, rate);
    return [{ line, qty: arrived.qty, amount: owed, cost, inspect: arrived.inspect }];
  });
}

async function writeReceipt(
  ctx: Ctx,
  order: Order,
  input: Arrival,
  inspectedAt: string | null,
): Promise<{ id: string; number: string }> {
  const number = await nextNumber(ctx, 'DH{yyMMdd}{seq:4}', companyDay());
  const { id } = await ctx.db
    .insertInto('purchase.receipt')
    .values({
      company_id: ctx.companyId,
      number,
      order_id: order.id,
      supplier_id: order.supplier,
      warehouse_id: order.warehouse,
      inspected_at: inspectedAt,
      state: inspectedAt === null ? 'done' : 'inspecting',
      client_id: input.clientId ?? null,
      tracking_no: input.trackingNo,
      remark: input.remark,
      received_on: companyDay(),
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return { id, number };
}

async function writeLines(ctx: Ctx, receiptId: string, worth: readonly Worth[], rate: string): Promise<void> {
  await ctx.db
    .insertInto('purchase.receipt_line')
    .values(
      worth.map((one, index) => ({
        company_id: ctx.companyId,
        receipt_id: receiptId,
        line_no: index + 1,
        order_line_id: one.line.id,
        product_id: one.line.product,
        qty: one.qty,
        awaited: Math.min(one.qty, one.line.open),
        inspecting: one.inspect ? one.qty : 0,
        passed: one.inspect ? 0 : one.qty,
        amount: one.amount,
        rate,
        cost: one.cost,
      })),
    )
    .execute();
}

/**
 * Goods of an order came: they are ours from now on, in the order's warehouse or waiting for inspection, at what they
 * cost; the supplier may ask for them. @throws refused B1031 not placed, B1032 beyond the tolerance over all receipts
 */
export async function receive(ctx: Ctx, input: Arrival): Promise<Received> {
  const order = await locked(ctx, input.id);
  const earlier = await before(ctx, order, input.clientId);
  if (earlier) {
    ctx.audited = true;
    return { ...outcome(order, DONE_BEFORE, true), receiptId: earlier };
  }
  requireMove(ctx, order.warehouse);
  requireArrivals(order, input.lines);
  const inspects = input.lines.some((line) => line.inspect);
  const waiting = inspects ? await placeFor(ctx, 'QC', input.inspectAt) : undefined;
  const rate = await rateOn(ctx, order.currency, companyDay());
  const worth = worthOf(order, input.lines, rate);
  const moves = worth.map(
    (one): Move => ({
      product: one.line.product,
      qty: one.qty,
      from: 'SUPPLIER',
      to:
        one.inspect && waiting
          ? { warehouse: waiting.id, status: 'QUARANTINE' }
          : { warehouse: order.warehouse, status: 'AVAILABLE' },
      cost: { value: one.cost },
    }),
  );
  const changes = new Map(
    worth.map((one): [string, Change] => [one.line.id, { received: one.qty, inspecting: one.inspect ? one.qty : 0 }]),
  );
  const receipt = await writeReceipt(ctx, order, input, waiting?.id ?? null);
  const effect = await happen(ctx, order, { event: 'receive', changes, moves, note: receipt.number });
  await writeLines(ctx, receipt.id, worth, rate);
  await finishReceipt(ctx, effect, receipt, worth);
  return { ...(await answerOf(ctx, order.id, `${receipt.number} 已登记`)), receiptId: receipt.id };
}

async function finishReceipt(
  ctx: Ctx,
  { order, posting }: Effect,
  receipt: { id: string; number: string },
  worth: readonly Worth[],
): Promise<void> {
  await ctx.db
    .updateTable('purchase.receipt')
    .set({ posting_id: posting })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', receipt.id)
    .execute();
  await oweGoods(
    ctx,
    order,
    receipt,
    worth.map((one) => one.amount),
  );
  const pieces = worth.reduce((total, one) => total + one.qty, 0);
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: '到货',
    body: `${receipt.number}，${pieces} 件`,
  });
  await audit(ctx, {
    action: '登记到货',
    resource: 'purchase.receipt',
    resourceId: receipt.id,
    after: { number: receipt.number, order: order.number, pieces },
  });
  await settle(ctx, await touch(ctx, order));
}
