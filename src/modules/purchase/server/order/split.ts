import { sql } from 'kysely';
import { allocate, sum } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome, requireFresh } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { requireMove } from '#modules/warehouse/server/index.ts';
import { type OrderLineInput, purchaseOrder } from '../../contract/order.ts';
import type { OrderPart, SplitInput } from '../../contract/parts.ts';
import { type Holds, splitPlan } from '../plan/follow.ts';

import { amountsOf, type Fees, weightsOf } from './amounts.ts';
import { fallBack } from './fall-back.ts';
import { link } from './links.ts';
import { locked, type Order } from './load.ts';
import { requireOversea, withoutTaxes } from './oversea.ts';
import { feesOf, placesFor, repriced, requireUnplaced, rewrite, withinApproval, written } from './rewrite.ts';
import { putLines, requirePlace } from './save.ts';

type Part = SplitInput['parts'][number];

/** Pieces that make one order: the first lot is what stays. */
interface Lot {
  part: Part | undefined;
  lines: OrderLineInput[];
  fees: Fees;
  /** Order currency, fees included. */
  total: string;
}

/** @throws refused B1013 for lines of another order, or more pieces than there are; or where nothing would stay */
function piecesOf(order: Order, parts: readonly Part[]): OrderLineInput[][] {
  const left = new Map(order.lines.map((line) => [line.id, line.qty]));
  const gone = parts.map((part) => {
    if (new Set(part.lines.map((line) => line.lineId)).size < part.lines.length)
      throw refused('不能重复添加明细', 'B1013');
    return part.lines.map(({ lineId, qty }) => {
      const line = order.lines.find((one) => one.id === lineId);
      if (!line) throw refused('明细行不存在，请刷新后重试', 'B1013');
      const rest = (left.get(lineId) ?? 0) - qty;
      if (rest < 0) throw refused(`第${line.lineNo}行拆出的数量超过订购数量${line.qty}`, 'B1013', { line: lineId });
      left.set(lineId, rest);
      const given = part.expectedOn;
      const mine = written(line, order.currency, qty, line.qty - rest - qty);
      return given === undefined || mine.expectedOn === null ? mine : { ...mine, expectedOn: given };
    });
  });
  const stays = order.lines.flatMap((line) => {
    const qty = left.get(line.id) ?? 0;
    return qty > 0 ? [written(line, order.currency, qty, line.qty - qty)] : [];
  });
  if (stays.length === 0) throw refused('原采购单至少保留一件商品', 'B1013');
  return [stays, ...gone];
}

/** Parts of an amount by weight, without losing a unit; by pieces where nothing weighs. */
function shared(amount: string, weights: readonly string[], pieces: readonly number[], places: number): string[] {
  const keyed = (values: readonly (string | number)[]) =>
    new Map(values.map((value, index) => [String(index).padStart(4, '0'), String(value)]));
  const parts = allocate(amount, keyed(weights), places) ?? allocate(amount, keyed(pieces), places);
  return [...(parts?.values() ?? [])];
}

/** Fees go with the pieces as the order shares them among its lines; a discount goes by the amounts. */
async function lotsOf(ctx: Ctx, order: Order, parts: readonly Part[], reprice: boolean): Promise<Lot[]> {
  const whole = feesOf(order);
  const written = piecesOf(order, parts);
  const lots = reprice ? await Promise.all(written.map((lines) => repriced(ctx, order, lines))) : written;
  const bare = { ...whole, freight: '0', otherFee: '0', discount: '0' };
  const goods: string[][] = [];
  const weights: string[] = [];
  for (const lines of lots) {
    const amounts = (await amountsOf(ctx, bare, lines)).lines.map((line) => line.amount);
    goods.push(amounts);
    weights.push(sum(await weightsOf(ctx, whole.feeSplit, lines, amounts)));
  }
  const pieces = lots.map((lines) => lines.reduce((total, line) => total + line.qty, 0));
  const part = (amount: string, by: readonly string[]) => shared(amount, by, pieces, placesFor(amount, order.currency));
  const freight = part(whole.freight, weights);
  const otherFee = part(whole.otherFee, weights);
  const discount = part(whole.discount, goods.map(sum));
  const result: Lot[] = [];
  for (const [index, lines] of lots.entries()) {
    const fees = {
      ...whole,
      freight: freight[index] ?? '0',
      otherFee: otherFee[index] ?? '0',
      discount: discount[index] ?? '0',
    };
    const { total } = await amountsOf(ctx, fees, lines);
    result.push({ part: index === 0 ? undefined : parts[index - 1], lines, fees, total });
  }
  return result;
}

interface Born {
  warehouse: string;
  overseas: boolean;
  /** Null: it has to be handed in. */
  approvedAmount: string | null;
}

/** A new order with pieces of another one: of the same buyer and supplier, on the same terms. */
async function create(ctx: Ctx, order: Order, lot: Lot, born: Born): Promise<OrderPart> {
  const { part, fees } = lot;
  const number = await nextNumber(ctx, purchaseOrder.number, ctx.clock.today());
  const approved = born.approvedAmount !== null;
  const state = approved ? 'approved' : 'draft';
  const expectedOn = part?.expectedOn === undefined ? order.expectedOn : part.expectedOn;
  const { rows } = await sql<{ id: string }>`
    INSERT INTO purchase.purchase_order (company_id, number, type, state, supplier_id, warehouse_id, overseas, currency, terms,
      invoice_type, freight, other_fee, discount, fee_split, expected_on, remark, created_by, created_by_name, updated_by_name,
      approved_by_name, approved_at, approved_amount, clauses, clause_template_id, clause_template, clause_penalty,
      incoterm, incoterm_place)
    SELECT company_id, ${number}, type, ${state}, supplier_id, ${born.warehouse}::uuid, ${born.overseas}, currency, terms,
           invoice_type, ${fees.freight}::numeric, ${fees.otherFee}::numeric, ${fees.discount}::numeric, fee_split,
           ${expectedOn}::date, coalesce(nullif(${part?.remark ?? ''}, ''), remark), created_by, created_by_name,
           ${ctx.userName}, CASE WHEN ${approved} THEN approved_by_name END, CASE WHEN ${approved} THEN approved_at END,
           ${born.approvedAmount}::numeric, clauses, clause_template_id, clause_template, clause_penalty,
           CASE WHEN ${born.overseas} THEN incoterm END, CASE WHEN ${born.overseas} THEN incoterm_place ELSE '' END
      FROM purchase.purchase_order WHERE company_id = ${ctx.companyId} AND id = ${order.id}
    RETURNING id`.execute(ctx.db);
  const id = rows[0]?.id ?? '';
  await putLines(ctx, { id }, { ...fees, lines: born.overseas ? lot.lines : lot.lines.map(withoutTaxes) });
  await link(ctx, order, 'SPLIT_INTO', { id, number });
  await note(ctx, purchaseOrder.name, id, {
    kind: 'note',
    title: '创建',
    body: `拆分自 ${order.number}${approved ? '，沿用其审核' : ''}`,
    to: state,
  });
  await audit(ctx, {
    action: '采购单·拆出',
    resource: purchaseOrder.name,
    resourceId: id,
    after: { number, from: order.number, state, amount: lot.total, lines: lot.lines },
  });
  return { id, number, state };
}

/** Pieces of each product, gifts left out; of products that the first order held, 0 where nothing is left. */
function holdsOf(order: string, lines: readonly OrderLineInput[], all: readonly string[] = []): Holds {
  const pieces = new Map(all.map((product) => [product, 0]));
  for (const { productId, qty, gift } of lines) if (!gift) pieces.set(productId, (pieces.get(productId) ?? 0) + qty);
  return { order, pieces };
}

/** What of the approved amount each lot has, by what it comes to; order currency, four decimals. */
function approvedShares(order: Order, lots: readonly Lot[]): string[] {
  const pieces = lots.map((lot) => lot.lines.reduce((total, line) => total + line.qty, 0));
  return shared(
    order.approvedAmount ?? order.amount,
    lots.map((lot) => lot.total),
    pieces,
    4,
  );
}

/**
 * Pieces of an order that is not placed go to new orders: nothing is added and nothing is lost, of pieces, gifts, fees and
 * the plan behind them. An approved order passes its approval on as long as all of them together come to no more than was
 * approved; a part that goes to another warehouse has to be handed in, as always when an order is sent elsewhere.
 * @throws refused B1013 for pieces that are not there or money that hangs on it, B1002 and B1003 as saveOrder; conflict
 *   for a stale version or an order that is handed in or placed
 */
export async function splitOrder(ctx: Ctx, input: SplitInput) {
  const order = await locked(ctx, input.id);
  requireMove(ctx, order.warehouse);
  // Parts may go to a warehouse at home, and so away from what overseas orders ask for.
  if (order.overseas) requireOversea(ctx);
  requireFresh(order, input.version);
  await requireUnplaced(ctx, order, '拆分', 'B1013');
  const wasApproved = order.state === 'approved';
  if (input.reprice && wasApproved) throw refused('已审核的采购单不能重新取价', 'B1013');
  const lots = await lotsOf(ctx, order, input.parts, input.reprice);
  const shares = approvedShares(order, lots);
  const kept =
    wasApproved &&
    (await withinApproval(
      ctx,
      lots.map((lot) => lot.total),
      order.approvedAmount ?? order.amount,
    ));
  const [stays, ...leave] = lots;
  if (!stays) throw refused('原采购单至少保留一件商品', 'B1013');
  const made: OrderPart[] = [];
  for (const [index, lot] of leave.entries()) {
    const warehouse = lot.part?.warehouseId ?? order.warehouse;
    const overseas = await requirePlace(ctx, { warehouseId: warehouse, currency: order.currency as 'CNY' });
    const approvedAmount = kept && warehouse === order.warehouse ? (shares[index + 1] ?? null) : null;
    made.push(await create(ctx, order, lot, { warehouse, overseas, approvedAmount }));
  }
  const products = order.lines.map((line) => line.product);
  await splitPlan(ctx, [
    holdsOf(order.id, stays.lines, products),
    ...leave.map((lot, index) => holdsOf(made[index]?.id ?? '', lot.lines)),
  ]);
  const { expectedOn } = order;
  const { rows } = await sql<{ remark: string }>`
    SELECT remark FROM purchase.purchase_order WHERE company_id = ${ctx.companyId} AND id = ${order.id}`.execute(
    ctx.db,
  );
  const rest = await rewrite(ctx, order, {
    fees: stays.fees,
    lines: stays.lines,
    expectedOn,
    remark: rows[0]?.remark ?? '',
    approvedAmount: wasApproved ? (shares[0] ?? null) : null,
  });
  const words = made.map((one, index) => `${one.number}（${piecesIn(leave[index])} 件）`).join('、');
  await note(ctx, purchaseOrder.name, order.id, { kind: 'note', title: '拆分', body: `拆出 ${words}` });
  await audit(ctx, {
    action: '采购单·拆分',
    resource: purchaseOrder.name,
    resourceId: order.id,
    before: { amount: order.amount, lines: order.lines.map(({ lineNo, qty }) => ({ lineNo, qty })) },
    after: { amount: rest.amount, made: made.map((one) => one.number), lines: stays.lines },
  });
  const now = wasApproved && !kept ? await fallBack(ctx, rest) : rest;
  const waiting = made.filter((one) => one.state === 'draft').length;
  const said = wasApproved && waiting > 0 ? `，其中${waiting}张须重新提交审批` : '';
  return { ...outcome(now, `采购单${order.number}已拆出${made.length}张${said}`), made };
}

const piecesIn = (lot: Lot | undefined) => lot?.lines.reduce((total, line) => total + line.qty, 0) ?? 0;
