import { sql } from 'kysely';
import { currencyScale, Decimal, round, sum } from '#kit/contract/decimal.ts';
import type { Outcome } from '#kit/contract/document-calls.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { outcome } from '#kit/server/document-outcome.ts';
import { refused } from '#kit/server/errors.ts';
import { InvoiceState } from '../../contract/invoice.ts';
import { purchaseOrder } from '../../contract/order.ts';

import { locked, type Order } from '../order/load.ts';
import { rateOn } from '../rates.ts';
import { rematch } from './match.ts';

interface LineInput {
  lineId: string;
  qty: number;
  unitPrice: string;
  taxRate: string;
}

interface Input {
  orderId: string;
  number: string;
  kind: string;
  issuedOn: string;
  remark: string;
  lines: readonly LineInput[];
}

interface Line extends LineInput {
  product: string;
  amount: string;
  tax: string;
}

/** Amounts of the lines: pieces at their price to the currency's cent, and the tax that stands in it. */
function linesOf(order: Order, input: Input): Line[] {
  if (new Set(input.lines.map((line) => line.lineId)).size < input.lines.length) {
    throw refused('不能重复添加明细', 'B1090');
  }
  const scale = currencyScale(order.currency);
  return input.lines.map((line) => {
    const own = order.lines.find((one) => one.id === line.lineId);
    if (!own) throw refused('明细行不存在，请刷新后重试', 'B1090');
    if (own.gift) throw refused(`第${own.lineNo}行是赠品，不开票`, 'B1090');
    const amount = round(new Decimal(line.unitPrice).times(line.qty), scale);
    const net = new Decimal(amount).div(new Decimal(line.taxRate).plus(1));
    return { ...line, product: own.product, amount, tax: round(new Decimal(amount).minus(net), scale) };
  });
}

async function requireNew(ctx: Ctx, order: Order, number: string): Promise<void> {
  const { rows } = await sql<{ order: string }>`
    SELECT o.number AS order FROM purchase.invoice AS i
      JOIN purchase.purchase_order AS o ON o.company_id = i.company_id AND o.id = i.order_id
     WHERE i.company_id = ${ctx.companyId} AND i.supplier_id = ${order.supplier} AND i.number = ${number}
       AND i.state <> 'void'`.execute(ctx.db);
  if (rows[0]) throw refused(`发票${number}已登记在采购单${rows[0].order}`, 'B1091');
}

async function insert(ctx: Ctx, order: Order, input: Input, lines: readonly Line[]): Promise<string> {
  const { id } = await ctx.db
    .insertInto('purchase.invoice')
    .values({
      company_id: ctx.companyId,
      number: input.number,
      order_id: order.id,
      supplier_id: order.supplier,
      kind: input.kind,
      issued_on: input.issuedOn,
      state: 'pending',
      currency: order.currency,
      rate: await rateOn(ctx, order.currency, input.issuedOn),
      amount: sum(lines.map((line) => line.amount)),
      tax_amount: sum(lines.map((line) => line.tax)),
      remark: input.remark,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('purchase.invoice_line')
    .values(
      lines.map((line, index) => ({
        company_id: ctx.companyId,
        invoice_id: id,
        line_no: index + 1,
        order_line_id: line.lineId,
        product_id: line.product,
        qty: line.qty,
        unit_price: line.unitPrice,
        tax_rate: line.taxRate,
        amount: line.amount,
      })),
    )
    .execute();
  return id;
}

/** State, finding and version of an invoice as they are now. */
export async function invoiceNow(ctx: Ctx, id: string) {
  return ctx.db
    .selectFrom('purchase.invoice')
    .select(['id', 'number', 'state', 'version', 'finding', 'order_id as orderId', 'amount'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
}

/**
 * Writes an invoice of a placed order down and holds it against the order and what was accepted.
 * @throws refused B1090 lines, B1091 a number that is there already, B1092 state or day, B1021 without a rate of its day
 */
export async function saveInvoice(ctx: Ctx, input: Input): Promise<Outcome> {
  const order = await locked(ctx, input.orderId);
  if (!['ordered', 'closed'].includes(order.state)) throw refused('下单后才能登记发票', 'B1092');
  if (input.issuedOn > ctx.clock.today()) throw refused('开票日期不能晚于今天', 'B1092');
  const lines = linesOf(order, input);
  await requireNew(ctx, order, input.number);
  const id = await insert(ctx, order, input, lines);
  await rematch(ctx, order.id);
  const made = await invoiceNow(ctx, id);
  const title = InvoiceState.meta()?.states?.[made.state]?.title ?? made.state;
  const words = made.finding ? `${title}：${made.finding}` : title;
  await note(ctx, purchaseOrder.name, order.id, {
    kind: 'note',
    title: '登记发票',
    body: `${input.number}，${title}`,
  });
  await audit(ctx, {
    action: '登记采购发票',
    resource: 'purchase.invoice',
    resourceId: id,
    after: {
      number: input.number,
      order: order.number,
      kind: input.kind,
      issuedOn: input.issuedOn,
      amount: made.amount,
    },
  });
  return outcome(made, `发票${input.number}：${words}`);
}
