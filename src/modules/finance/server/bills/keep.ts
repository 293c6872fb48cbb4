import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { note } from '#kit/server/document.ts';
import { refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import { platformBill } from '../../contract/bills/bill.ts';
import type { Bill } from './bill.ts';
import { findPurchases } from './match.ts';
import { billedOf } from './read.ts';
import { followLines } from './state.ts';

/** The file that a bill came in. */
export interface BillFile {
  name: string;
  /** SHA-256 in hex. */
  hash: string;
}

export interface Kept {
  id: string;
  number: string;
  /** It was kept before, from the same file. */
  repeated: boolean;
}

/**
 * The bill of the same account and day that is in force, if there is one. Until the transaction ends nobody else keeps
 * one. @throws refused B0951 where that came from another file
 */
export async function keptBefore(
  ctx: Ctx,
  { buyerAccount, statementDate }: Pick<Bill, 'buyerAccount' | 'statementDate'>,
  { hash }: Pick<BillFile, 'hash'>,
): Promise<Kept | undefined> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(
    'finance.bill:' || ${ctx.companyId}::text || ${statementDate} || ${buyerAccount}, 0))`.execute(ctx.db);
  const known = await ctx.db
    .selectFrom('finance.platform_bill')
    .select(['id', 'number', 'file_hash as hash'])
    .where('company_id', '=', ctx.companyId)
    .where('buyer_account', '=', buyerAccount)
    .where('statement_date', '=', statementDate)
    .where('state', '<>', 'cancelled')
    .executeTakeFirst();
  if (!known) return undefined;
  if (known.hash !== hash) {
    throw refused(
      `买家账号【${buyerAccount}】出账日 ${statementDate} 的账单已上传（${known.number}），内容不同；请先作废原账单`,
      'B0951',
    );
  }
  return { id: known.id, number: known.number, repeated: true };
}

async function putHead(ctx: Ctx, bill: Bill, file: BillFile, number: string): Promise<string> {
  const { id } = await ctx.db
    .insertInto('finance.platform_bill')
    .values({
      company_id: ctx.companyId,
      number,
      state: platformBill.initial,
      buyer_account: bill.buyerAccount,
      statement_date: bill.statementDate,
      due_on: bill.dueOn,
      amount: bill.amount,
      order_count: bill.orderCount,
      exported_at: bill.exportedAt,
      file_name: file.name.slice(0, 200),
      file_hash: file.hash,
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

/** Rows of a sheet with their places, in one statement. */
const places = (rows: readonly object[]) => JSON.stringify(rows.map((row, index) => ({ ...row, line: index + 1 })));

async function putSheets(ctx: Ctx, id: string, bill: Bill): Promise<void> {
  const orders = bill.orders.map((order) => ({ ...order, amount: billedOf(order) }));
  await sql`
    INSERT INTO finance.platform_bill_order
      (company_id, bill_id, line_no, order_id, paid_at, name, paid, confirmed, confirmed_at, term, refunded, refund, amount)
    SELECT ${ctx.companyId}, ${id}, v.line, v."orderId", v."paidAt", v.name, v.paid, v.confirmed, v."confirmedAt", v.term,
           v.refunded, v.refund, v.amount
      FROM jsonb_to_recordset(${places(orders)}::jsonb)
        AS v(line int, "orderId" text, "paidAt" timestamptz, name text, paid numeric, confirmed numeric,
             "confirmedAt" timestamptz, term text, refunded boolean, refund numeric, amount numeric)`.execute(ctx.db);
  await sql`
    INSERT INTO finance.platform_bill_repayment (company_id, bill_id, line_no, repaid_at, method, kind, amount)
    SELECT ${ctx.companyId}, ${id}, v.line, v.at, v.method, v.kind, v.amount
      FROM jsonb_to_recordset(${places(bill.repayments)}::jsonb)
        AS v(line int, at timestamptz, method text, kind text, amount numeric)`.execute(ctx.db);
  await sql`
    INSERT INTO finance.platform_bill_refund
      (company_id, bill_id, line_no, order_id, refunded_at, name, paid, amount, kind, destination)
    SELECT ${ctx.companyId}, ${id}, v.line, v."orderId", v.at, v.name, v.paid, v.amount, v.kind, v.destination
      FROM jsonb_to_recordset(${places(bill.refunds)}::jsonb)
        AS v(line int, "orderId" text, at timestamptz, name text, paid numeric, amount numeric, kind text,
             destination text)`.execute(ctx.db);
  await sql`
    INSERT INTO finance.platform_bill_topup (company_id, bill_id, line_no, at, kind, reference, amount)
    SELECT ${ctx.companyId}, ${id}, v.line, v.at, v.kind, v.reference, v.amount
      FROM jsonb_to_recordset(${places(bill.topups)}::jsonb)
        AS v(line int, at timestamptz, kind text, reference text, amount numeric)`.execute(ctx.db);
}

/**
 * Keeps a bill and matches what can be matched. The same file again changes nothing and answers the first bill.
 * @throws refused B0951 for another file of the same account and day
 */
export async function keepBill(ctx: Ctx, bill: Bill, file: BillFile): Promise<Kept> {
  const before = await keptBefore(ctx, bill, file);
  if (before) return before;
  const number = await nextNumber(ctx, platformBill.number, ctx.clock.today());
  const id = await putHead(ctx, bill, file, number);
  await putSheets(ctx, id, bill);
  await note(ctx, platformBill.name, id, { kind: 'note', title: '上传账单', to: platformBill.initial });
  const found = await findPurchases(ctx, id);
  await followLines(ctx, { id, state: platformBill.initial });
  const { buyerAccount, statementDate, dueOn, amount, orderCount } = bill;
  await audit(ctx, {
    action: '平台账单·上传',
    resource: platformBill.name,
    resourceId: id,
    after: { number, buyerAccount, statementDate, dueOn, amount, orderCount, found, file: file.name },
  });
  return { id, number, repeated: false };
}
