import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { allocate, Decimal, sum } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import { raisePayable } from '#modules/finance/server/index.ts';
import { packedSizes } from '#modules/product/server/index.ts';
import { addCost, type CostComponents, type CostPlaced, requireMove } from '#modules/warehouse/server/index.ts';
import type { ChargeKind, ChargeRow } from '../contract/charge.ts';
import type { FeeSplit } from '../contract/fields.ts';
import { purchaseOrder } from '../contract/order.ts';
import { isMeasured, measureOf, unmeasuredWords } from './measured.ts';
import { locked, type Order } from './order/load.ts';
import { supplierOf } from './order/suppliers.ts';
import { dueBySupplier } from './payable.ts';

interface Input {
  orderId: string;
  kind: ChargeKind;
  payeeId: string | null;
  amount: string;
  split: FeeSplit;
  remark: string;
}

interface Came {
  posting: string;
  /** Place of the move in the posting, from 0. */
  move: number;
  product: string;
  qty: number;
  cost: string;
}

const COMPONENT: Record<ChargeKind, keyof CostComponents> = { FREIGHT: 'localFreight', DUTY: 'duty', OTHER: 'other' };

/** Pieces of an order that came and were not taken back, as the postings brought them: goods move first, line by line. */
async function cameOf(ctx: Ctx, orderId: string): Promise<Came[]> {
  const { rows } = await sql<Came>`
    SELECT r.posting_id AS posting, l.line_no - 1 AS move, l.product_id AS product, l.qty, l.cost
      FROM purchase.receipt AS r
      JOIN purchase.receipt_line AS l ON l.company_id = r.company_id AND l.receipt_id = r.id
     WHERE r.company_id = ${ctx.companyId} AND r.order_id = ${orderId} AND r.state <> 'reversed' AND r.posting_id IS NOT NULL
     ORDER BY r.id, l.line_no`.execute(ctx.db);
  return rows;
}

/** Key of a share: ordered as the goods came. */
const keyOf = (index: number) => String(index).padStart(6, '0');

async function weightsOf(ctx: Ctx, split: FeeSplit, came: readonly Came[]): Promise<Map<string, string>> {
  const sizes = await packedSizes(
    ctx,
    came.map((one) => one.product),
  );
  const weight = (one: Came) => {
    if (split === 'AMOUNT') return one.cost;
    if (split === 'QTY') return String(one.qty);
    return measureOf(split, sizes.get(one.product)).times(one.qty).toFixed();
  };
  return new Map(came.map((one, index) => [keyOf(index), weight(one)]));
}

/**
 * Shares of a bill by what came, to the cent. @throws refused B1075 where products have no weight or size to share by: they
 * would bear nothing (handbook of finance 5.8)
 */
async function sharesOf(ctx: Ctx, input: Input, came: readonly Came[]): Promise<string[]> {
  const weights = await weightsOf(ctx, input.split, came);
  const isEmpty = (index: number) => new Decimal(weights.get(keyOf(index)) ?? 0).isZero();
  const without = isMeasured(input.split) ? came.filter((_, index) => isEmpty(index)) : [];
  if (without.length > 0) {
    const products = without.map((one) => one.product);
    throw refused(await unmeasuredWords(ctx, products, input.split), 'B1075');
  }
  const parts = allocate(input.amount, weights, 2) ?? allocate(input.amount, await weightsOf(ctx, 'QTY', came), 2);
  return [...(parts?.values() ?? [])];
}

/** Puts the shares into the layers, one receipt after the other. */
async function place(ctx: Ctx, order: Order, id: string, input: Input, came: readonly Came[]): Promise<CostPlaced[]> {
  const shares = await sharesOf(ctx, input, came);
  const placed: CostPlaced[] = [];
  const postings = [...new Set(came.map((one) => one.posting))];
  for (const [seq, posting] of postings.entries()) {
    const values = came.flatMap((one, index) => {
      const amount = shares[index] ?? '0';
      return one.posting === posting && !new Decimal(amount).isZero() ? [{ move: one.move, amount }] : [];
    });
    if (values.length === 0) continue;
    const { moves } = await addCost(ctx, {
      source: { type: 'purchase.charge', id, event: 'add', seq, number: order.number },
      posting,
      component: COMPONENT[input.kind],
      values,
      note: input.remark,
    });
    placed.push(...moves);
  }
  return placed;
}

/**
 * A bill that came after the goods: shared over all that came of the order, it raises the cost of what is still in stock;
 * the share of what has left is a variance. The payee is owed it in CNY. @throws refused B1070 before anything came
 */
export async function addCharge(ctx: Ctx, input: Input) {
  const order = await locked(ctx, input.orderId);
  requireMove(ctx, order.warehouse);
  const came = await cameOf(ctx, order.id);
  if (came.length === 0) throw refused('还没有到货，费用请写在采购单上', 'B1070');
  const payee = await supplierOf(ctx, input.payeeId ?? order.supplier);
  const id = randomUUID();
  const placed = await place(ctx, order, id, input, came);
  const capitalised = sum(placed.map((one) => one.toLayers));
  const expensed = sum(placed.map((one) => one.variance));
  await ctx.db
    .insertInto('purchase.landed_charge')
    .values({
      company_id: ctx.companyId,
      id,
      order_id: order.id,
      kind: input.kind,
      payee_id: payee.id,
      amount: input.amount,
      capitalised,
      expensed,
      split: input.split,
      remark: input.remark,
      by_name: ctx.userName,
    })
    .execute();
  await raisePayable(ctx, {
    source: { type: 'purchase.charge', id, event: 'add', number: order.number },
    supplierId: payee.id,
    kind: input.kind === 'FREIGHT' ? 'FREIGHT' : 'LATE',
    // Not a debt of the order itself: its deposit pays for goods.
    subject: { type: 'purchase.charge', id, number: order.number },
    currency: 'CNY',
    amount: input.amount,
    title: `后到费用 ${order.number}`,
    due: await dueBySupplier(ctx, payee.id, input.amount),
  });
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: '后到费用',
    body: `${payee.name} ¥${input.amount}`,
  });
  await audit(ctx, {
    action: '登记后到费用',
    resource: 'purchase.charge',
    resourceId: id,
    after: { order: order.number, ...input, capitalised, expensed },
  });
  return { id, capitalised, expensed };
}

/** Bills of an order that came after its goods. */
export async function chargesOf(ctx: Ctx, orderId: string): Promise<ChargeRow[]> {
  const { rows } = await sql<ChargeRow>`
    SELECT c.id, c.kind, s.short_name AS payee, c.amount, c.split, c.capitalised, c.expensed, 'CNY' AS currency, c.remark,
           c.by_name AS by, c.at,
           coalesce(concat_ws(' ', to_char(v.at AT TIME ZONE 'Asia/Shanghai', 'MM-DD'), v.by_name || '：' || v.reason), '') AS reversal
      FROM purchase.landed_charge AS c
      JOIN supplier.supplier AS s ON s.company_id = c.company_id AND s.id = c.payee_id
      LEFT JOIN purchase.charge_reversal AS v ON v.company_id = c.company_id AND v.charge_id = c.id
     WHERE c.company_id = ${ctx.companyId} AND c.order_id = ${orderId} ORDER BY c.id DESC`.execute(ctx.db);
  return rows;
}
