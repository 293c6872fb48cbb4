import { sql } from 'kysely';
import { actionsOf } from '#kit/contract/document.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { timelineOf } from '#kit/server/document.ts';
import { notFound } from '#kit/server/errors.ts';
import { payTo } from '#modules/supplier/server/index.ts';
import { PAY, paymentRequest, type RequestLine, type RequestRow } from '../../contract/requests.ts';
import { rowOf } from './list.ts';

async function linesOf(ctx: Ctx, { id, currency }: RequestRow): Promise<RequestLine[]> {
  const { rows } = await sql<Omit<RequestLine, 'currency'>>`
    SELECT l.line_no AS "lineNo", l.title, l.amount::text AS amount, l.remark, l.payable_id AS "payableId",
           l.category_id AS "categoryId", i.title AS payable, c.name AS category, abs(b.amount)::text AS "payableOpen"
      FROM finance.payment_request_line AS l
      LEFT JOIN finance.category AS c ON c.company_id = l.company_id AND c.id = l.category_id
      LEFT JOIN finance.open_item AS i ON i.company_id = l.company_id AND i.id = l.payable_id
      LEFT JOIN finance.balance AS b ON b.company_id = l.company_id AND b.book = 'PAYABLE' AND b.item_id = l.payable_id
     WHERE l.company_id = ${ctx.companyId} AND l.request_id = ${id} ORDER BY l.line_no`.execute(ctx.db);
  return rows.map((row) => ({ ...row, currency }));
}

interface Payment {
  id: string;
  day: string;
  account: string;
  amount: string;
  paid: string;
  fee: string;
  rate: string | null;
  base: string | null;
  gain: string | null;
  reversed: boolean;
  note: string;
  by: string;
  accountCurrency: string;
}

async function paymentsOf(ctx: Ctx, { id, currency }: RequestRow) {
  const { rows } = await sql<Payment>`
    SELECT p.id, p.paid_on AS day, a.name AS account, p.amount::text AS amount, p.paid::text AS paid, p.fee::text AS fee,
           trim_scale(p.rate)::text AS rate, p.base::text AS base, nullif(p.gain, 0)::text AS gain,
           r.id IS NOT NULL AS reversed, p.note, p.created_by_name AS by, a.currency AS "accountCurrency"
      FROM finance.payment AS p
      JOIN finance.cash_account AS a ON a.company_id = p.company_id AND a.id = p.cash_account_id
      LEFT JOIN finance.posting AS r ON r.company_id = p.company_id AND r.reversal_of = p.posting_id
     WHERE p.company_id = ${ctx.companyId} AND p.request_id = ${id} ORDER BY p.id`.execute(ctx.db);
  return rows.map((row) => ({ ...row, currency }));
}

/** What a party is owed and has in advance, in one currency. */
async function dealingsOf(ctx: Ctx, partyId: string, currency: string): Promise<{ payable: string; prepaid: string }> {
  const { rows } = await sql<{ payable: string; prepaid: string }>`
    SELECT coalesce(-sum(b.amount) FILTER (WHERE b.book = 'PAYABLE'), 0)::text AS payable,
           coalesce(sum(b.amount) FILTER (WHERE b.book = 'PREPAID'), 0)::text AS prepaid
      FROM finance.open_item AS i
      JOIN finance.balance AS b ON b.company_id = i.company_id AND b.book = i.book AND b.item_id = i.id
     WHERE i.company_id = ${ctx.companyId} AND i.party_id = ${partyId} AND i.currency = ${currency}`.execute(ctx.db);
  return rows[0] ?? { payable: '0', prepaid: '0' };
}

/** Everything that the page of a request shows. @throws notFound */
export async function detailOf(ctx: Ctx, id: string) {
  const document = await rowOf(ctx, id);
  if (!document) throw notFound();
  const codes = [...new Set(Object.values(paymentRequest.transitions).map((rule) => rule.permission))];
  const bank = document.partyKind === 'SUPPLIER' && can(ctx, PAY) ? await payTo(ctx, document.partyId) : null;
  return {
    document,
    lines: await linesOf(ctx, document),
    payments: await paymentsOf(ctx, document),
    dealings: await dealingsOf(ctx, document.partyId, document.currency),
    payTo: bank,
    actions: actionsOf(paymentRequest, document.state, new Set(codes.filter((code) => can(ctx, code)))),
    timeline: await timelineOf(ctx, paymentRequest.name, id),
  };
}
