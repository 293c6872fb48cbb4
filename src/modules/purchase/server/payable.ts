import { sql } from 'kysely';
import { currencyScale, Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import {
  creditPayable,
  type DuePart,
  leftOf,
  moneyOf,
  type OrderMoney,
  raisePayable,
  reversePosted,
  type Source,
} from '#modules/finance/server/index.ts';
import { purchaseOrder } from '../contract/order.ts';
import { dueParts } from './due-dates.ts';
import type { Order } from './order/load.ts';
import { supplierOf, type TermStage } from './order/suppliers.ts';

interface Came {
  id: string;
  number: string;
}

const RECEIPT = 'purchase.receipt';
const RETURN = 'purchase.return';
const EXCHANGE = 'purchase.exchange';
const subjectOf = (order: Order) => ({ type: purchaseOrder.name, id: order.id, number: order.number });
const toScale = (order: Order, amounts: Iterable<string>) => round(sum(amounts), currencyScale(order.currency));

/** The day on which an order was placed, the company's; null before. */
export async function placedDay(ctx: Ctx, orderId: string): Promise<string | null> {
  const { rows } = await sql<{ placed: string | null }>`
    SELECT kit.day(placed_at)::text AS placed
      FROM purchase.purchase_order WHERE company_id = ${ctx.companyId} AND id = ${orderId}`.execute(ctx.db);
  return rows[0]?.placed ?? null;
}

/** When what is owed for goods that came today is due, by the terms that were agreed with the order. */
async function dueOf(ctx: Ctx, order: Order, amount: string): Promise<DuePart[]> {
  const { rows } = await sql<{ terms: TermStage[]; placed: string | null }>`
    SELECT terms, kit.day(placed_at)::text AS placed
      FROM purchase.purchase_order WHERE company_id = ${ctx.companyId} AND id = ${order.id}`.execute(ctx.db);
  const { terms = [], placed = null } = rows[0] ?? {};
  return dueParts(terms, { placed, came: ctx.clock.today() }, amount, order.currency);
}

/** What a supplier is owed today beside an order, by his terms of now; CNY. */
export async function dueBySupplier(ctx: Ctx, supplierId: string, amount: string): Promise<DuePart[]> {
  const { terms } = await supplierOf(ctx, supplierId);
  return dueParts(terms, { placed: null, came: ctx.clock.today() }, amount, 'CNY');
}

/** The supplier may ask for what came. Nothing is owed for gifts alone. */
export async function oweGoods(ctx: Ctx, order: Order, receipt: Came, owed: Iterable<string>): Promise<void> {
  const amount = toScale(order, owed);
  if (new Decimal(amount).lte(0)) return;
  await raisePayable(ctx, {
    source: { type: RECEIPT, id: receipt.id, event: 'receive', number: receipt.number },
    supplierId: order.supplier,
    kind: 'GOODS',
    subject: subjectOf(order),
    currency: order.currency,
    amount,
    title: `到货 ${receipt.number}`,
    due: await dueOf(ctx, order, amount),
  });
}

/** A receipt that is taken back is owed no longer. @throws refused B0902 once it has been paid */
export async function disownGoods(ctx: Ctx, receiptId: string, reason: string): Promise<void> {
  await reversePosted(ctx, { type: RECEIPT, id: receiptId, event: 'receive' }, reason);
}

async function credit(ctx: Ctx, order: Order, source: Source, words: string, credits: Iterable<string>): Promise<void> {
  const amount = toScale(order, credits);
  if (new Decimal(amount).lte(0)) return;
  await creditPayable(ctx, {
    source,
    supplierId: order.supplier,
    subject: subjectOf(order),
    currency: order.currency,
    amount,
    title: `${words} ${source.number}`,
  });
}

/** What went back is owed no longer; what was paid for it stays as credit with the supplier. */
export async function creditGoods(ctx: Ctx, order: Order, doc: Came, credits: Iterable<string>): Promise<void> {
  await credit(ctx, order, { type: RETURN, id: doc.id, event: 'ship', number: doc.number }, '退货', credits);
}

/** What a supplier does not replace of an exchange is owed no longer. */
export async function creditExchange(ctx: Ctx, order: Order, doc: Came, credits: Iterable<string>): Promise<void> {
  await credit(ctx, order, { type: EXCHANGE, id: doc.id, event: 'terminate', number: doc.number }, '换货未补', credits);
}

/**
 * What is asked for an order fits into what it comes to since it became less. What is paid already may be more: that is
 * credit with the supplier. @throws refused B1063 while requests ask for more
 */
export async function requireRequestsFit(ctx: Ctx, order: Pick<Order, 'id'>): Promise<void> {
  const known = (await leftOf(ctx, [{ type: purchaseOrder.name, id: order.id }])).get(order.id);
  if (!known) return;
  const room = Decimal.max(0, known.unpaid);
  const asked = new Decimal(known.unpaid).minus(known.left);
  if (asked.lte(room)) return;
  const [most, wanted] = [room, asked].map((amount) => amount.toFixed(currencyScale(known.currency)));
  throw refused(`请款中 ${wanted} 超过变动后的待付 ${most}，请先撤回或退回请款单`, 'B1063');
}

/** Money of an order in its currency; null while there is none. */
export async function moneyOfOrder(ctx: Ctx, order: Pick<Order, 'id' | 'currency'>): Promise<OrderMoney | null> {
  const all = await moneyOf(ctx, purchaseOrder.name, [order.id]);
  return all.find((one) => one.currency === order.currency) ?? null;
}
