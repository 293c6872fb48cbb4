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
import type { ChargeKind, ChargeRow, ChargeSplit } from '../contract/charge.ts';
import { importTaxes } from '../contract/money.ts';
import { purchaseOrder } from '../contract/order.ts';
import { isMeasured, measureOf, unmeasuredWords } from './measured.ts';
import { locked, type Order } from './order/load.ts';
import { requireOversea } from './order/oversea.ts';
import { supplierOf } from './order/suppliers.ts';
import { dueBySupplier } from './payable.ts';

interface Input {
  orderId: string;
  kind: ChargeKind;
  payeeId: string | null;
  amount: string;
  split: ChargeSplit;
  /** Of import VAT: no cost. */
  recoverable: boolean;
  remark: string;
}

interface Came {
  posting: string;
  /** Place of the move in the posting, from 0. */
  move: number;
  line: string;
  product: string;
  qty: number;
  cost: string;
}

const COMPONENT: Record<ChargeKind, keyof CostComponents> = {
  FREIGHT: 'localFreight',
  DUTY: 'duty',
  IMPORT_VAT: 'duty',
  OTHER: 'other',
};

/** Pieces of an order that came and were not taken back, as the postings brought them: goods move first, line by line. */
async function cameOf(ctx: Ctx, orderId: string): Promise<Came[]> {
  const { rows } = await sql<Came>`
    SELECT r.posting_id AS posting, l.line_no - 1 AS move, l.order_line_id AS line, l.product_id AS product, l.qty, l.cost
      FROM purchase.receipt AS r
      JOIN purchase.receipt_line AS l ON l.company_id = r.company_id AND l.receipt_id = r.id
     WHERE r.company_id = ${ctx.companyId} AND r.order_id = ${orderId} AND r.state <> 'reversed' AND r.posting_id IS NOT NULL
     ORDER BY r.id, l.line_no`.execute(ctx.db);
  return rows;
}

/** Key of a share: ordered as the goods came. */
const keyOf = (index: number) => String(index).padStart(6, '0');

/** What customs were expected to take for the pieces that came, line by line. */
function taxWeights(order: Order, kind: ChargeKind, came: readonly Came[]): string[] {
  return came.map((one) => {
    const line = order.lines.find((each) => each.id === one.line);
    if (!line) return '0';
    const { duty, importVat } = importTaxes(line, order.currency);
    return new Decimal(kind === 'IMPORT_VAT' ? importVat : duty).times(one.qty).div(line.qty).toFixed();
  });
}

async function weightsOf(
  ctx: Ctx,
  split: Exclude<ChargeSplit, 'TAX'>,
  came: readonly Came[],
): Promise<Map<string, string>> {
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

/** @throws refused B1076 where no line says what customs take */
function taxShares(order: Order, input: Input, came: readonly Came[]): string[] {
  const weights = taxWeights(order, input.kind, came);
  const parts = allocate(input.amount, new Map(weights.map((weight, index) => [keyOf(index), weight])), 2);
  const isTax = input.kind === 'DUTY' || input.kind === 'IMPORT_VAT';
  if (!isTax || !parts) throw refused('采购单明细没有填写该税，不能按明细税额分摊', 'B1076');
  return [...parts.values()];
}

/**
 * Shares of a bill by what came, to the cent. @throws refused B1075 where products have no weight or size to share by: they
 * would bear nothing (handbook of finance 5.8)
 */
async function sharesOf(ctx: Ctx, order: Order, input: Input, came: readonly Came[]): Promise<string[]> {
  if (input.split === 'TAX') return taxShares(order, input, came);
  const weights = await weightsOf(ctx, input.split, came);
  const isEmpty = (index: number) => new Decimal(weights.get(keyOf(index)) ?? 0).isZero();
  const { split } = input;
  const without = isMeasured(split) ? came.filter((_, index) => isEmpty(index)) : [];
  if (without.length > 0) {
    const products = without.map((one) => one.product);
    throw refused(await unmeasuredWords(ctx, products, split), 'B1075');
  }
  const parts = allocate(input.amount, weights, 2) ?? allocate(input.amount, await weightsOf(ctx, 'QTY', came), 2);
  return [...(parts?.values() ?? [])];
}

/** Puts the shares into the layers, one receipt after the other. */
async function place(ctx: Ctx, order: Order, id: string, input: Input, came: readonly Came[]): Promise<CostPlaced[]> {
  const shares = await sharesOf(ctx, order, input, came);
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

/** Taxes of imports belong to overseas orders. @throws refused B1003 without the right, B1077 for another order */
function requireImport(ctx: Ctx, order: Order, kind: ChargeKind): void {
  if (kind !== 'DUTY' && kind !== 'IMPORT_VAT') return;
  requireOversea(ctx);
  if (!order.overseas) throw refused('关税和进口VAT只能登记到海外采购单', 'B1077');
}

/**
 * A bill that came after the goods: shared over all that came of the order, it raises the cost of what is still in stock;
 * the share of what has left is a variance. Import VAT that can be deducted is no cost. The payee is owed it in CNY.
 * @throws refused B1070 before anything came, B1003 and B1077 for taxes of imports, B1075 and B1076 what cannot be shared
 */
export async function addCharge(ctx: Ctx, input: Input) {
  const order = await locked(ctx, input.orderId);
  requireMove(ctx, order.warehouse);
  requireImport(ctx, order, input.kind);
  const came = await cameOf(ctx, order.id);
  if (came.length === 0) throw refused('还没有到货，费用请写在采购单上', 'B1070');
  const payee = await supplierOf(ctx, input.payeeId ?? order.supplier);
  const id = randomUUID();
  const recovered = input.kind === 'IMPORT_VAT' && input.recoverable;
  const recoverable = recovered ? input.amount : '0';
  const placed = recovered ? [] : await place(ctx, order, id, input, came);
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
      recoverable,
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
    after: { order: order.number, ...input, capitalised, expensed, recoverable },
  });
  return { id, capitalised, expensed, recoverable };
}

/** Bills of an order that came after its goods. */
export async function chargesOf(ctx: Ctx, orderId: string): Promise<ChargeRow[]> {
  const { rows } = await sql<ChargeRow>`
    SELECT c.id, c.kind, s.short_name AS payee, c.amount, c.split, c.capitalised, c.expensed, c.recoverable, 'CNY' AS currency, c.remark,
           c.by_name AS by, c.at,
           coalesce(concat_ws(' ', to_char(v.at AT TIME ZONE kit.zone(), 'MM-DD'), v.by_name || '：' || v.reason), '') AS reversal
      FROM purchase.landed_charge AS c
      JOIN supplier.supplier AS s ON s.company_id = c.company_id AND s.id = c.payee_id
      LEFT JOIN purchase.charge_reversal AS v ON v.company_id = c.company_id AND v.charge_id = c.id
     WHERE c.company_id = ${ctx.companyId} AND c.order_id = ${orderId} ORDER BY c.at DESC, c.id`.execute(ctx.db);
  return rows;
}
