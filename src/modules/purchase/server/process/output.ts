import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { DONE_BEFORE, outcome } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { raisePayable } from '#modules/finance/server/index.ts';
import { type Move, requireMove, valuesOf } from '#modules/warehouse/server/index.ts';
import { amountOf } from '../../contract/money.ts';
import { processOrder } from '../../contract/process.ts';

import { dueBySupplier } from '../payable.ts';
import { stepProcess } from './act.ts';
import { type Cell, inWork, negative, postEvent } from './events.ts';
import { lockedProcess, type Process } from './load.ts';

interface Output {
  id: string;
  clientId?: string | undefined;
  qty: number;
  scrapped: number;
  remark: string;
}

async function before(ctx: Ctx, order: Process, clientId: string | undefined): Promise<boolean> {
  if (clientId === undefined) return false;
  const row = await ctx.db
    .selectFrom('purchase.process_output')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', order.id)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row !== undefined;
}

/** @throws refused B1071 before the parts are issued, or more than is left of the order */
function requireLeft(order: Process, { qty, scrapped }: Output): void {
  if (order.state !== 'running') throw refused('发料后才能完工入库', 'B1071');
  if (qty + scrapped === 0) throw refused('数量必须为正整数', 'B1071');
  const left = order.qty - order.done - order.scrapped;
  if (qty + scrapped > left) throw refused(`超出加工数，最多还可完工${left}`, 'B1071', { left });
}

/**
 * Cells that so many finished pieces use up. By then ceil(needed · finished / ordered) of each part are used, so that all
 * outputs together use exactly what the order names, whatever their sizes.
 */
export function usedBy(order: Pick<Process, 'qty' | 'parts'>, finished: number, work: readonly Cell[]): Cell[] {
  return order.parts.flatMap((part) => {
    const mine = work.filter((cell) => cell.product === part.product);
    const used = part.qty - mine.reduce((total, cell) => total + cell.qty, 0);
    const by = new Decimal(part.qty).times(finished).div(order.qty).ceil().toNumber();
    let open = Math.max(0, by - used);
    return mine.flatMap((cell) => {
      const qty = Math.min(open, cell.qty);
      open -= qty;
      return qty > 0 ? [{ ...cell, qty }] : [];
    });
  });
}

/** Parts out, product in at what they were worth and the fee; where nothing good came of them they are scrap. */
function movesOf(order: Process, used: readonly Cell[], qty: number, fee: string): Move[] {
  const taken = used.map(
    ({ product, location, lot, qty: pieces }): Move => ({
      product,
      qty: pieces,
      ...(qty > 0 ? { group: 1 } : {}),
      from: { warehouse: order.warehouse, status: 'PROCESSING', location, lot },
      to: qty > 0 ? 'ASSEMBLY' : 'SCRAP',
    }),
  );
  if (qty === 0) return taken;
  const to = { warehouse: order.warehouse, status: 'AVAILABLE' } as const;
  const made = { product: order.product, qty, from: 'ASSEMBLY', to } as const;
  return [
    ...taken,
    used.length > 0 ? { ...made, group: 1, cost: { sum: true, plus: fee } } : { ...made, cost: { value: fee } },
  ];
}

async function write(
  ctx: Ctx,
  order: Process,
  input: Output,
  made: { fee: string; cost: string; posting: string | null },
): Promise<string> {
  const { rows } = await sql<{ id: string }>`
    INSERT INTO purchase.process_output (company_id, order_id, seq, qty, scrapped, fee, cost, posting_id, client_id, remark,
      day, by_name)
    SELECT ${ctx.companyId}, ${order.id}, coalesce(max(seq), 0) + 1, ${input.qty}::int, ${input.scrapped}::int,
           ${made.fee}::numeric, ${made.cost}::numeric, ${made.posting}::uuid, ${input.clientId ?? null}, ${input.remark},
           ${ctx.clock.today()}::date, ${ctx.userName}
      FROM purchase.process_output WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}
    RETURNING id`.execute(ctx.db);
  return rows[0]?.id ?? '';
}

/** Adds an output to the sums of its order, or takes it off again. */
export async function addUp(
  ctx: Ctx,
  orderId: string,
  by: { qty: number; scrapped: number; fee: string; cost: string },
  sign: 1 | -1,
): Promise<void> {
  await sql`
    UPDATE purchase.process_order
       SET done = done + ${sign * by.qty}::int, scrapped = scrapped + ${sign * by.scrapped}::int,
           fee = fee + ${sign}::int * ${by.fee}::numeric, cost = cost + ${sign}::int * ${by.cost}::numeric,
           version = version + 1, updated_by_name = ${ctx.userName}, updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${orderId}`.execute(ctx.db);
}

/** The processor may ask for the fee of the good pieces, CNY. */
async function oweFee(ctx: Ctx, order: Process, outputId: string, fee: string): Promise<void> {
  if (order.supplier === null || new Decimal(fee).isZero()) return;
  await raisePayable(ctx, {
    source: { type: processOrder.name, id: outputId, event: 'output', number: order.number },
    supplierId: order.supplier,
    kind: 'FEE',
    subject: { type: processOrder.name, id: order.id, number: order.number },
    currency: 'CNY',
    amount: fee,
    title: `加工费 ${order.number}`,
    due: await dueBySupplier(ctx, order.supplier, fee),
  });
}

/** What the good pieces of a posting are worth, CNY. */
async function valueIn(ctx: Ctx, posting: string): Promise<string> {
  const values = await unscoped(ctx, () => valuesOf(ctx, posting));
  return values.reduce((total, value) => total.plus(value.in ?? 0), new Decimal(0)).toFixed(4);
}

/**
 * Pieces of an order are finished: parts of the good and the spoilt ones are used up, the good ones come into stock at the
 * value of those parts and the fee (CNY), and the processor is owed the fee. The last output ends the order.
 * @throws refused B1071 not issued, or more than is left
 */
export async function output(ctx: Ctx, input: Output): Promise<Outcome> {
  const order = await lockedProcess(ctx, input.id);
  if (await before(ctx, order, input.clientId)) {
    ctx.audited = true;
    return outcome(order, DONE_BEFORE, true);
  }
  requireMove(ctx, order.warehouse);
  requireLeft(order, input);
  const finished = order.done + order.scrapped + input.qty + input.scrapped;
  const used = usedBy(order, finished, await inWork(ctx, order.id));
  const fee = amountOf(input.qty, order.feePrice, 'CNY');
  const moves = movesOf(order, used, input.qty, fee);
  const posting =
    moves.length === 0 ? null : await postEvent(ctx, order, 'output', moves, negative(used), input.remark);
  const cost = posting === null ? '0' : await valueIn(ctx, posting);
  const outputId = await write(ctx, order, input, { fee, cost, posting });
  await addUp(ctx, order.id, { ...input, fee, cost }, 1);
  await oweFee(ctx, order, outputId, fee);
  const words = `完工 ${input.qty} 件${input.scrapped > 0 ? `，损耗 ${input.scrapped} 件` : ''}`;
  await note(ctx, processOrder.name, order.id, { kind: 'note', title: '完工入库', body: words });
  await audit(ctx, {
    action: '采购加工单·完工入库',
    resource: processOrder.name,
    resourceId: order.id,
    after: { number: order.number, qty: input.qty, scrapped: input.scrapped, fee, cost },
  });
  const now = await lockedProcess(ctx, order.id);
  if (finished < order.qty) return outcome(now, `${order.number} ${words}`);
  return stepProcess({ ...ctx, permissions: undefined }, now, 'finish');
}
