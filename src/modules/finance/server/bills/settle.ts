import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { platformBill, type settleBill as settleCall } from '../../contract/bills/bill.ts';
import { holdDocuments, leftOf } from '../payables/documents.ts';
import { freeDebts, ofDocument } from '../payables/free.ts';
import { lockParties } from '../payables/items.ts';
import { requestPayment } from '../requests/face.ts';
import { requestLines } from './debts.ts';
import { type BillHead, lockBill } from './state.ts';

/** Purchase orders of one press: each is a request of its own, in one transaction. */
const MOST = 200;

interface Line {
  id: string;
  orderId: string;
  amount: string;
  subjectType: string;
  subjectId: string;
  subjectNumber: string;
  supplierId: string;
}

/** Matched lines that no request holds, by purchase order. */
async function openOrders(ctx: Ctx, billId: string): Promise<Line[][]> {
  const { rows } = await sql<Line>`
    SELECT o.id, o.order_id AS "orderId", o.amount, o.subject_type AS "subjectType", o.subject_id AS "subjectId",
           o.subject_number AS "subjectNumber", o.supplier_id AS "supplierId"
      FROM finance.platform_bill_order AS o
     WHERE o.company_id = ${ctx.companyId} AND o.bill_id = ${billId} AND o.matched IN ('AUTO', 'HAND') AND o.amount <> 0
       AND NOT EXISTS (SELECT FROM finance.platform_bill_payment AS p
                        WHERE p.company_id = o.company_id AND p.order_line_id = o.id AND p.live)
     ORDER BY o.line_no`.execute(ctx.db);
  const orders = new Map<string, Line[]>();
  for (const row of rows) orders.set(row.subjectId, [...(orders.get(row.subjectId) ?? []), row]);
  return [...orders.values()];
}

const totalOf = (lines: readonly Line[]) => new Decimal(sum(lines.map((line) => line.amount)));

/** Why nothing can be asked for an order, or nothing. */
function obstacle(lines: readonly Line[], left: string | undefined): string | undefined {
  const total = totalOf(lines);
  if (total.lte(0)) return `净额 ${total.toFixed(2)} 不大于 0，退款请在「应付与预付」登记`;
  const most = Decimal.max(left ?? 0, 0);
  return most.lt(total) ? `账单 ${total.toFixed(2)} 超过采购单剩余可请款 ${most.toFixed(2)}` : undefined;
}

/** One request for the lines of one purchase order; what was given back is taken off. */
async function ask(ctx: Ctx, bill: BillHead, lines: readonly Line[]): Promise<string> {
  const [first] = lines;
  if (!first) return '0';
  const debts = ofDocument(await freeDebts(ctx, first.supplierId, 'CNY'), {
    type: first.subjectType,
    id: first.subjectId,
  });
  const amount = totalOf(lines).toFixed();
  const title =
    lines.length === 1 ? `1688订单 ${first.orderId}` : `1688账单 ${bill.statementDate} ${lines.length} 笔订单`;
  const { id: requestId } = await requestPayment(ctx, {
    kind: 'SETTLEMENT',
    party: { kind: 'SUPPLIER', id: first.supplierId },
    subject: { type: first.subjectType, id: first.subjectId, number: first.subjectNumber },
    currency: 'CNY',
    method: 'PLATFORM_TERM',
    dueOn: bill.dueOn,
    remark: `平台账单 ${bill.number}`,
    lines: requestLines(title, amount, debts),
  });
  await ctx.db
    .insertInto('finance.platform_bill_payment')
    .values(
      lines.map((line) => ({
        company_id: ctx.companyId,
        order_line_id: line.id,
        request_id: requestId,
        bill_id: bill.id,
        amount: line.amount,
      })),
    )
    .execute();
  return amount;
}

/** Holds the orders that a bill names and then their suppliers, as whoever pays does. */
async function holdOrders(ctx: Ctx, billId: string): Promise<void> {
  const rows = await ctx.db
    .selectFrom('finance.platform_bill_order')
    .select(['subject_type as type', 'subject_id as id', 'supplier_id as supplier'])
    .distinct()
    .where('company_id', '=', ctx.companyId)
    .where('bill_id', '=', billId)
    .where('supplier_id', 'is not', null)
    .execute();
  await holdDocuments(ctx, rows);
  await lockParties(
    ctx,
    rows.flatMap((row) => row.supplier ?? []),
  );
}

/**
 * Asks to be paid what a confirmed bill says, purchase order by purchase order: the debts stand with the suppliers, so
 * each request pays one supplier's, and one batch pays them all out of the account that pays the platform back. Lines
 * that a request holds already are not asked for again.
 * @throws conflict before the bill is confirmed, refused B0957 where there is nothing to ask for; and as finance refuses
 */
export async function settleBill(ctx: Ctx, { id, version }: z.output<typeof settleCall.body>) {
  await holdOrders(ctx, id);
  const bill = await lockBill(ctx, id, version);
  if (bill.state !== 'confirmed') {
    throw conflict(`账单当前为「${platformBill.states[bill.state].title}」，确认后才能生成付款`);
  }
  const orders = await openOrders(ctx, id);
  const now = orders.slice(0, MOST);
  const left = await leftOf(
    ctx,
    now.flatMap(([line]) => (line ? [{ type: line.subjectType, id: line.subjectId }] : [])),
  );
  const skipped: { order: string; reason: string }[] = [];
  const asked: string[] = [];
  for (const lines of now) {
    const [first] = lines;
    if (!first) continue;
    const reason = obstacle(lines, left.get(first.subjectId)?.left);
    if (reason) skipped.push({ order: first.subjectNumber, reason });
    else asked.push(await ask(ctx, bill, lines));
  }
  if (asked.length === 0) {
    const [one] = skipped;
    throw refused(one ? `没有可以请款的订单：${one.order} ${one.reason}` : '没有待请款的订单', 'B0957', { skipped });
  }
  const amount = sum(asked);
  const done = `已生成 ${asked.length} 张请款单，共 ¥${new Decimal(amount).toFixed(2)}`;
  await note(ctx, platformBill.name, id, { kind: 'note', title: '生成付款', body: done });
  await audit(ctx, {
    action: '平台账单·生成付款',
    resource: platformBill.name,
    resourceId: id,
    after: { number: bill.number, requests: asked.length, amount, skipped },
  });
  const rest = orders.length - now.length;
  const more = `${skipped.length > 0 ? `；${skipped.length} 张采购单未请款` : ''}${rest > 0 ? `；还有 ${rest} 张，请再次生成` : ''}`;
  return { requests: asked.length, amount, skipped, message: `${done}${more}` };
}
