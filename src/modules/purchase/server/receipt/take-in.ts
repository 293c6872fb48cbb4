import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { prepaidOf } from '#modules/finance/server/index.ts';
import type { Move } from '#modules/warehouse/server/index.ts';
import { inCny, type Prepaid, prepaidAfter, rebateOf } from '../../contract/money.ts';
import { purchaseOrder } from '../../contract/order.ts';
import { type Owed, owedAfter } from '../order/due.ts';
import { happen } from '../order/events.ts';
import type { Order, OrderLine } from '../order/load.ts';
import { type Change, changed } from '../order/quantities.ts';
import { oweGoods } from '../payable.ts';
import { placeFor } from '../places.ts';
import { rateOn } from '../rates.ts';

/** Pieces of a line that are taken in. */
export interface Taken {
  lineId: string;
  qty: number;
  /** Of them: beyond what may come, taken over at the order's price. */
  over: number;
  /** They cost nothing; the ordered pieces know nothing of them. */
  free: boolean;
  inspect: boolean;
}

/** What the papers of an arrival say. */
export interface Papers {
  clientId?: string | undefined;
  inspectAt?: string | undefined;
  trackingNo: string;
  remark: string;
}

/**
 * What pieces of a line are worth in stock, CNY: their price less what the state pays back, and their share of the fees.
 * What was paid ahead counts as it was paid, handbook of purchasing 5.7; the state pays in CNY by the rate of the day.
 */
function costOf(
  order: Order,
  line: OrderLine,
  { owed, goods }: Owed,
  prepaid: readonly Prepaid[],
  rate: string,
): string {
  const rebate = new Decimal(rebateOf(goods, line, order.invoiceType)).times(rate);
  return new Decimal(inCny(owed, prepaid, rate)).minus(rebate).toFixed(4);
}

interface Worth extends Taken {
  line: OrderLine;
  amount: string;
  cost: string;
}

/** Pieces, debt and cost of what came, by line: the cost belongs into the moves, so it is known before they are posted. */
function worthOf(order: Order, pieces: readonly Taken[], paidAhead: readonly Prepaid[], rate: string): Worth[] {
  let prepaid = paidAhead;
  return pieces.flatMap((taken): Worth[] => {
    const line = order.lines.find((one) => one.id === taken.lineId);
    if (!line) return [];
    if (taken.free) return [{ ...taken, line, amount: '0', cost: '0' }];
    const owed = owedAfter(order, line, changed(line, { received: taken.qty, over: taken.over }));
    const cost = costOf(order, line, owed, prepaid, rate);
    prepaid = prepaidAfter(owed.owed, prepaid);
    return [{ ...taken, line, amount: owed.owed, cost }];
  });
}

/** What becomes of the lines: what came free counts apart. */
function changesOf(worth: readonly Worth[]): Map<string, Change> {
  const changes = new Map<string, Change>();
  for (const { lineId, qty, over, free, inspect } of worth) {
    const change = free ? { free: qty } : { received: qty, over, inspecting: inspect ? qty : 0 };
    changes.set(lineId, { ...changes.get(lineId), ...change });
  }
  return changes;
}

function movesOf(order: Order, worth: readonly Worth[], waiting: string | undefined): Move[] {
  return worth.map(
    (one): Move => ({
      product: one.line.product,
      qty: one.qty,
      from: 'SUPPLIER',
      to:
        one.inspect && waiting
          ? { warehouse: waiting, status: 'QUARANTINE' }
          : { warehouse: order.warehouse, status: 'AVAILABLE' },
      cost: { value: one.cost },
    }),
  );
}

/** The receipt itself; what it moved is posted before, so that the row is written once. */
async function writeReceipt(
  ctx: Ctx,
  order: Order,
  input: Papers,
  { number, inspectedAt, posting }: { number: string; inspectedAt: string | null; posting: string | null },
): Promise<string> {
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
      received_on: ctx.clock.today(),
      posting_id: posting,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

async function writeLines(ctx: Ctx, receiptId: string, worth: readonly Worth[], rate: string): Promise<void> {
  const rows = worth.map((one, index) => ({
    n: index + 1,
    line: one.line.id,
    product: one.line.product,
    qty: one.qty,
    awaited: one.free ? 0 : Math.min(one.qty, one.line.open),
    free: one.free,
    inspecting: one.inspect ? one.qty : 0,
    passed: one.inspect ? 0 : one.qty,
    amount: one.amount,
    cost: one.cost,
  }));
  await sql`
    INSERT INTO purchase.receipt_line (company_id, receipt_id, line_no, order_line_id, product_id, qty, awaited, inspecting,
                                       passed, free, amount, rate, cost)
    SELECT ${ctx.companyId}, ${receiptId}, r.n, r.line, r.product, r.qty, r.awaited, r.inspecting, r.passed, r.free, r.amount,
           ${rate}::numeric, r.cost
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS r(n int, line uuid, product uuid, qty int, awaited int,
        inspecting int, passed int, free boolean, amount numeric, cost numeric)`.execute(ctx.db);
}

/**
 * Pieces of an order are ours from now on, in the order's warehouse or waiting for inspection, at what they cost; the
 * supplier may ask for them. One receipt, one posting. The order's row is locked; its lines are answered as they are then.
 */
export async function takeIn(
  ctx: Ctx,
  order: Order,
  pieces: readonly Taken[],
  papers: Papers,
): Promise<{ id: string; number: string; order: Order }> {
  const inspects = pieces.some((line) => line.inspect);
  const waiting = inspects ? await placeFor(ctx, 'QC', papers.inspectAt) : undefined;
  const rate = await rateOn(ctx, order.currency, ctx.clock.today());
  const ref = { type: purchaseOrder.name, id: order.id };
  const prepaid = order.currency === 'CNY' ? [] : await prepaidOf(ctx, ref, order.currency);
  const worth = worthOf(order, pieces, prepaid, rate);
  const number = await nextNumber(ctx, 'DH{yyMMdd}{seq:4}', ctx.clock.today());
  const effect = await happen(ctx, order, {
    event: 'receive',
    changes: changesOf(worth),
    moves: movesOf(order, worth, waiting?.id),
    note: number,
    touch: true,
    unvalued: true,
  });
  const inspectedAt = waiting?.id ?? null;
  const id = await writeReceipt(ctx, order, papers, { number, inspectedAt, posting: effect.posting });
  await writeLines(ctx, id, worth, rate);
  await finishReceipt(ctx, effect.order, { id, number }, worth);
  return { id, number, order: effect.order };
}

async function finishReceipt(
  ctx: Ctx,
  order: Order,
  receipt: { id: string; number: string },
  worth: readonly Worth[],
): Promise<void> {
  await oweGoods(
    ctx,
    order,
    receipt,
    worth.map((one) => one.amount),
  );
  const pieces = worth.reduce((total, one) => total + one.qty, 0);
  const body = `${receipt.number}，${pieces} 件`;
  await note(ctx, purchaseOrder.name, order.id, { kind: 'note', title: '到货', body });
  await audit(ctx, {
    action: '登记到货',
    resource: 'purchase.receipt',
    resourceId: receipt.id,
    after: { number: receipt.number, order: order.number, pieces },
  });
}
