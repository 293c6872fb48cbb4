import { sql } from 'kysely';
import { currencyScale, Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { amountOfPieces } from '../../contract/money.ts';
import { type OrderLineInput, purchaseOrder } from '../../contract/order.ts';
import { settingOf } from '../setting.ts';
import type { Fees } from './amounts.ts';
import { priceGoods } from './goods.ts';
import { loaded, type Order, type OrderLine } from './load.ts';
import { askedFor, standingElsewhere } from './rules.ts';
import { putLines } from './save.ts';

/** What an order that is not placed becomes when its pieces are put together anew. */
export interface Rewritten {
  fees: Fees;
  lines: readonly OrderLineInput[];
  expectedOn: string | null;
  remark: string;
  /** Order currency: what of it has been approved; null for a draft. */
  approvedAmount: string | null;
}

/** A line as it was written; where fewer pieces are given, those that come after `from` others of it. */
export function written(line: OrderLine, currency: string, qty = line.qty, from = 0): OrderLineInput {
  const { product: productId, gift, unitPrice, taxRate, rebateRate, expectedOn, receiveTolerance, remark } = line;
  const { dutyRate, importVatRate } = line;
  const upTo = (amount: string, n: number) => amountOfPieces(amount, n, line.qty, currency);
  // Parts of a line add up to it: the last one has the rest.
  const part = (amount: string | null) =>
    amount === null || qty === line.qty ? amount : sum([upTo(amount, from + qty), `-${upTo(amount, from)}`]);
  return {
    productId,
    qty,
    gift,
    unitPrice,
    taxRate,
    rebateRate,
    expectedOn,
    receiveTolerance,
    dutyRate,
    dutyAmount: part(line.dutyAmount),
    importVatRate,
    importVatAmount: part(line.importVatAmount),
    remark,
  };
}

export const feesOf = (order: Order): Fees => ({
  freight: order.freight,
  otherFee: order.otherFee,
  discount: order.discount,
  feeSplit: order.feeSplit as Fees['feeSplit'],
  currency: order.currency,
});

/** Decimal places that an amount of an order needs: those of its currency, or as many as it was written with. */
export const placesFor = (amount: string, currency: string): number =>
  Math.max(currencyScale(currency), new Decimal(amount).decimalPlaces());

/**
 * An order whose pieces may be put together anew: nobody decides about it, the supplier does not know of it, and no money
 * hangs on it. @throws conflict for its state, refused `code` for money or what others made of it
 */
export async function requireUnplaced(ctx: Ctx, order: Order, act: '拆分' | '合并', code: string): Promise<void> {
  const { number, state } = order;
  if (state === 'pending') throw conflict(`采购单${number}待审核，请先撤回再${act}`);
  if (state !== 'draft' && state !== 'approved') {
    const title = purchaseOrder.states[state as 'ordered']?.title ?? state;
    throw conflict(`采购单${number}状态为【${title}】，下单前才能${act}`);
  }
  if (!new Decimal(order.paid).isZero()) throw refused(`采购单${number}已付款，不能${act}`, code);
  const why = (await askedFor(ctx, order)) ?? (await standingElsewhere(ctx, order));
  if (why !== undefined) throw refused(`采购单${number}不能${act}：${why}`, code);
}

/** Prices by the supplier's tiers of today for all pieces of a product; where he has quoted none in the currency, as they are. */
export async function repriced(
  ctx: Ctx,
  order: Pick<Order, 'supplier' | 'currency'>,
  lines: readonly OrderLineInput[],
): Promise<OrderLineInput[]> {
  const bought = lines.filter((line) => !line.gift);
  const quoted = await priceGoods(ctx, order.supplier, bought);
  const prices = new Map(quoted.map((one) => [one.productId, one]));
  return lines.map((line) => {
    const quote = line.gift ? undefined : prices.get(line.productId);
    return quote?.unitPrice && quote.currency === order.currency ? { ...line, unitPrice: quote.unitPrice } : line;
  });
}

/** Whether orders together come to no more than was approved, with what the company tolerates on top. */
export async function withinApproval(ctx: Ctx, amounts: readonly string[], approved: string): Promise<boolean> {
  const { changeTolerance } = await settingOf(ctx);
  const limit = new Decimal(approved).times(new Decimal(1).plus(changeTolerance));
  return amounts.reduce((total, amount) => total.plus(amount), new Decimal(0)).lte(limit);
}

/** Writes an order anew that is locked: head, lines and sums; one version more. */
export async function rewrite(ctx: Ctx, order: Order, next: Rewritten): Promise<Order> {
  await sql`
    UPDATE purchase.purchase_order
       SET freight = ${next.fees.freight}::numeric, other_fee = ${next.fees.otherFee}::numeric,
           discount = ${next.fees.discount}::numeric, expected_on = ${next.expectedOn}::date, remark = ${next.remark},
           approved_amount = ${next.approvedAmount}::numeric, version = version + 1, updated_by_name = ${ctx.userName},
           updated_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ${order.id}`.execute(ctx.db);
  await putLines(ctx, order, { ...next.fees, id: order.id, lines: [...next.lines] });
  return loaded(ctx, order.id);
}
