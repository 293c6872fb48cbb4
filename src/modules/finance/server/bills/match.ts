import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { type matchBill as matchCall, platformBill } from '../../contract/bills/bill.ts';
import type { assignLines as assignCall, releaseLines as releaseCall } from '../../contract/bills/lines.ts';
import { type Purchase, purchasesOf } from './port.ts';
import { type BillHead, followLines, lockMatching } from './state.ts';

interface Found {
  id: string;
  subject: Purchase['subject'];
  supplierId: string;
  orderAmount: string;
}

async function putMatches(ctx: Ctx, how: 'AUTO' | 'HAND', found: readonly Found[]): Promise<void> {
  const rows = found.map(({ id, subject, supplierId, orderAmount }) => ({
    id,
    type: subject.type,
    subject: subject.id,
    number: subject.number,
    supplier: supplierId,
    amount: orderAmount,
  }));
  await sql`
    UPDATE finance.platform_bill_order AS o
       SET matched = ${how}, subject_type = v.type, subject_id = v.subject, subject_number = v.number,
           supplier_id = v.supplier, order_amount = v.amount, note = ''
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
        AS v(id uuid, type text, subject text, number text, supplier uuid, amount numeric)
     WHERE o.company_id = ${ctx.companyId} AND o.id = v.id`.execute(ctx.db);
}

/** What lines of other bills have taken of orders at the platform already: an order may be billed in parts. CNY. */
async function takenOf(ctx: Ctx, orderIds: readonly string[]): Promise<Map<string, string>> {
  const { rows } = await sql<{ orderId: string; taken: string }>`
    SELECT o.order_id AS "orderId", sum(o.order_amount) AS taken
      FROM finance.platform_bill_order AS o
      JOIN finance.platform_bill AS b ON b.company_id = o.company_id AND b.id = o.bill_id AND b.state <> 'cancelled'
     WHERE o.company_id = ${ctx.companyId} AND o.order_id = ANY (${orderIds}::text[]) AND o.order_amount IS NOT NULL
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map((row) => [row.orderId, row.taken]));
}

const rest = (whole: string, taken: Decimal.Value) => Decimal.max(new Decimal(whole).minus(taken), 0).toFixed();

/** Finds the purchase orders of a bill's lines that have none. Answers how many were found. */
export async function findPurchases(ctx: Ctx, billId: string): Promise<number> {
  const lines = await ctx.db
    .selectFrom('finance.platform_bill_order')
    .select(['id', 'order_id as orderId'])
    .where('company_id', '=', ctx.companyId)
    .where('bill_id', '=', billId)
    .where('matched', '=', 'NONE')
    .execute();
  if (lines.length === 0) return 0;
  const ids = lines.map((line) => line.orderId);
  const purchases = await purchasesOf(ctx).byPlatformOrder(ctx, ids);
  const taken = await takenOf(ctx, ids);
  const found = lines.flatMap(({ id, orderId }) => {
    const purchase = purchases.get(orderId);
    if (!purchase) return [];
    const { subject, supplierId, amount } = purchase;
    return [{ id, subject, supplierId, orderAmount: rest(amount, taken.get(orderId) ?? 0) }];
  });
  await putMatches(ctx, 'AUTO', found);
  return found.length;
}

type Match = z.output<typeof matchCall.body>;

/** Matches what can be found now, and says what is left. @throws conflict once the bill is confirmed */
export async function matchBill(ctx: Ctx, { id, version }: Match) {
  const bill = await lockMatching(ctx, id, version);
  const found = await findPurchases(ctx, id);
  const state = await followLines(ctx, bill);
  const left = await leftOf(ctx, id);
  await audit(ctx, {
    action: '平台账单·自动匹配',
    resource: platformBill.name,
    resourceId: id,
    after: { number: bill.number, found },
  });
  const message = left === 0 ? `匹配到 ${found} 笔，全部订单已匹配` : `匹配到 ${found} 笔，还有 ${left} 笔未匹配`;
  return { id, number: bill.number, state, found, left, message };
}

async function leftOf(ctx: Ctx, billId: string): Promise<number> {
  const { n } = await ctx.db
    .selectFrom('finance.platform_bill_order')
    .select(sql<number>`count(*)::int`.as('n'))
    .where('company_id', '=', ctx.companyId)
    .where('bill_id', '=', billId)
    .where('matched', '=', 'NONE')
    .executeTakeFirstOrThrow();
  return n;
}

interface Line {
  id: string;
  billId: string;
  matched: string;
  subjectNumber: string;
}

/** Lines of one bill, and the bill locked. @throws notFound, refused B0954 for lines of several bills */
async function linesOf(ctx: Ctx, ids: readonly string[]): Promise<{ bill: BillHead; lines: Line[] }> {
  const lines = await ctx.db
    .selectFrom('finance.platform_bill_order')
    .select(['id', 'bill_id as billId', 'matched', 'subject_number as subjectNumber'])
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...ids])
    .execute();
  const [first] = lines;
  if (!first || lines.length < new Set(ids).size) throw notFound();
  if (lines.some((line) => line.billId !== first.billId)) throw refused('请选择同一张账单的订单', 'B0954');
  return { bill: await lockMatching(ctx, first.billId), lines };
}

/**
 * Deals what a purchase order says out to the lines that somebody put to it in a bill: each its own amount while there is
 * some, the last one what is left, so that their differences add up to that of the order.
 */
async function shareByHand(ctx: Ctx, billId: string, { subject, supplierId, amount }: Purchase): Promise<void> {
  const { rows } = await sql<{ id: string; billed: string; mine: boolean; taken: string }>`
    SELECT o.id, o.amount AS billed, o.bill_id = ${billId} AND o.matched = 'HAND' AS mine, o.order_amount AS taken
      FROM finance.platform_bill_order AS o
      JOIN finance.platform_bill AS b ON b.company_id = o.company_id AND b.id = o.bill_id AND b.state <> 'cancelled'
     WHERE o.company_id = ${ctx.companyId} AND o.subject_type = ${subject.type} AND o.subject_id = ${subject.id}
       AND o.subject_id <> ''
     ORDER BY o.line_no`.execute(ctx.db);
  const others = rows.filter((row) => !row.mine).reduce((total, row) => total.plus(row.taken), new Decimal(0));
  const mine = rows.filter((row) => row.mine);
  let left = new Decimal(rest(amount, others));
  const found = mine.map(({ id, billed }, index) => {
    const share = index === mine.length - 1 ? left : Decimal.max(Decimal.min(left, billed), 0);
    left = left.minus(share);
    return { id, subject, supplierId, orderAmount: share.toFixed() };
  });
  await putMatches(ctx, 'HAND', found);
}

/** Takes lines from whatever they were put to; what is left of by-hand purchase orders is dealt out anew. */
async function free(ctx: Ctx, bill: BillHead, lines: readonly Line[], how: 'NONE' | 'OUT', note: string) {
  await sql`
    UPDATE finance.platform_bill_order
       SET matched = ${how}, subject_type = '', subject_id = '', subject_number = '', supplier_id = NULL,
           order_amount = NULL, note = ${note}
     WHERE company_id = ${ctx.companyId} AND id = ANY (${lines.map((line) => line.id)}::uuid[])`.execute(ctx.db);
  const numbers = new Set(lines.filter((line) => line.matched === 'HAND').map((line) => line.subjectNumber));
  for (const number of numbers) await shareByHand(ctx, bill.id, await purchasesOf(ctx).byNumber(ctx, number));
}

/** @throws notFound, refused B0953 for no such purchase order, B0954; conflict once the bill is confirmed */
export async function assignLines(ctx: Ctx, { ids, order }: z.output<typeof assignCall.body>) {
  const { bill, lines } = await linesOf(ctx, ids);
  const purchase = await purchasesOf(ctx).byNumber(ctx, order);
  await free(ctx, bill, lines, 'NONE', '');
  const { subject, supplierId } = purchase;
  await putMatches(
    ctx,
    'HAND',
    lines.map(({ id }) => ({ id, subject, supplierId, orderAmount: '0' })),
  );
  await shareByHand(ctx, bill.id, purchase);
  await followLines(ctx, bill);
  await audit(ctx, {
    action: '平台账单·手工匹配',
    resource: platformBill.name,
    resourceId: bill.id,
    after: { number: bill.number, order: subject.number, lines: lines.length },
  });
  return { changed: lines.length };
}

/** @throws notFound, refused B0954, B0955 where nobody says why no payment is needed; conflict once it is confirmed */
export async function releaseLines(ctx: Ctx, { ids, out, note }: z.output<typeof releaseCall.body>) {
  if (out && note === '') throw refused('请填写无需付款的说明', 'B0955');
  const { bill, lines } = await linesOf(ctx, ids);
  await free(ctx, bill, lines, out ? 'OUT' : 'NONE', out ? note : '');
  await followLines(ctx, bill);
  await audit(ctx, {
    action: out ? '平台账单·无需付款' : '平台账单·取消匹配',
    resource: platformBill.name,
    resourceId: bill.id,
    after: { number: bill.number, lines: lines.length, note },
  });
  return { changed: lines.length };
}
