import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { CashExpectation, CashSource } from '#kit/server/cash.ts';
import type { Ctx } from '#kit/server/context.ts';
import { platformBill } from '../contract/bills/bill.ts';
import { paymentRequest, VIEW as VIEW_REQUESTS } from '../contract/requests.ts';
import { billedOn } from './bills/due.ts';
import { allFreeDebts, freeDebtsFor } from './payables/free.ts';
import { LIVE } from './payables/money.ts';

const PAYABLES = { path: '/finance/payable', title: '应付与预付' };
const VIEW_DEALINGS = 'fin:dealing:view';

/** What lies in all accounts in one currency. */
export interface CashBalance {
  currency: string;
  /** Less than 0 where accounts are overdrawn: a credit card, a term of payment. */
  amount: string;
}

/** What lies in the company's cash accounts now, by currency. */
export async function cashBalances(ctx: Ctx): Promise<CashBalance[]> {
  const { rows } = await sql<CashBalance>`
    SELECT a.currency, trim_scale(sum(b.amount))::text AS amount
      FROM finance.cash_account AS a
      JOIN finance.balance AS b ON b.company_id = a.company_id AND b.book = 'ACCOUNT' AND b.item_id = a.id
     WHERE a.company_id = ${ctx.companyId} GROUP BY 1 ORDER BY 1`.execute(ctx.db);
  return rows;
}

/** Names of suppliers and partners. */
async function partyNames(ctx: Ctx, parties: Iterable<string>): Promise<Map<string, string>> {
  const ids = [...new Set(parties)];
  const { rows } = await sql<{ id: string; name: string }>`
    SELECT id, short_name AS name FROM supplier.supplier WHERE company_id = ${ctx.companyId} AND id = ANY (${ids}::uuid[])
    UNION ALL
    SELECT id, name FROM finance.partner WHERE company_id = ${ctx.companyId} AND id = ANY (${ids}::uuid[])`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ id, name }) => [id, name]));
}

/** Debts less what requests hold of them, which the requests tell. An order on a bill of its platform is paid with the bill. */
async function debtsExpected(ctx: Ctx): Promise<CashExpectation[]> {
  const debts = (await allFreeDebts(ctx)).filter(({ free }) => new Decimal(free).gt(0));
  const names = await partyNames(
    ctx,
    debts.map(({ partyId }) => partyId),
  );
  const bills = await billedOn(ctx);
  return debts.map(({ id, partyId, currency, title, subjectType, subjectId, subject, dueOn, free }) => {
    const bill = bills.get(`${subjectType} ${subjectId}`);
    return {
      key: id,
      direction: 'OUT',
      day: bill?.dueOn ?? dueOn,
      amount: free,
      currency,
      certainty: 'certain',
      title,
      number: subject,
      party: names.get(partyId) ?? '',
      basis: bill ? `平台账单 ${bill.number} 的还款日` : '应付的到期日',
      to: bill
        ? { path: platformBill.detail, title: '供应商平台结算', query: { 'f.keyword': bill.number } }
        : { ...PAYABLES, query: { 'f.open': 'OPEN', 'f.book': 'PAYABLE', 'f.keyword': subject || title } },
    };
  });
}

/** Debts that nobody has asked to be paid yet. */
export const payableCash: CashSource = {
  kind: 'payable',
  title: '应付账款',
  sort: 20,
  permission: VIEW_DEALINGS,
  expect: debtsExpected,
};

/** Requests handed in and not paid yet, at what is left of them. */
export const requestCash: CashSource = {
  kind: 'request',
  title: '请款单',
  sort: 30,
  permission: VIEW_REQUESTS,
  async expect(ctx, { today }) {
    const { rows } = await sql<{
      id: string;
      number: string;
      state: string;
      dueOn: string | null;
      currency: string;
      open: string;
      title: string;
      payee: string | null;
    }>`
      SELECT r.id, r.number, r.state, r.due_on AS "dueOn", r.currency, trim_scale(r.amount - r.paid_amount)::text AS open,
             concat_ws(' ', l.title, nullif(r.subject_number, '')) AS title, coalesce(s.short_name, p.name) AS payee
        FROM finance.payment_request AS r
        LEFT JOIN finance.payment_request_line AS l
          ON l.company_id = r.company_id AND l.request_id = r.id AND l.line_no = 1
        LEFT JOIN supplier.supplier AS s ON r.party_kind = 'SUPPLIER' AND s.company_id = r.company_id AND s.id = r.party_id
        LEFT JOIN finance.partner AS p ON r.party_kind = 'PARTNER' AND p.company_id = r.company_id AND p.id = r.party_id
       WHERE r.company_id = ${ctx.companyId} AND r.state IN ${LIVE} AND r.paid_amount <> r.amount`.execute(ctx.db);
    return rows.map(({ id, number, state, dueOn, currency, open, title, payee }) => ({
      key: id,
      direction: 'OUT',
      day: dueOn ?? today,
      amount: open,
      currency,
      certainty: state === 'submitted' || dueOn === null ? 'estimated' : 'certain',
      title,
      number,
      party: payee ?? '',
      basis: `${dueOn === null ? '未填预计付款日，按今天' : '预计付款日'}${state === 'submitted' ? '，待审核' : ''}`,
      to: { path: paymentRequest.detail, title: number, query: { id } },
    }));
  },
};

/** What others owe to the company, with the day that was agreed. */
export const receivableCash: CashSource = {
  kind: 'receivable',
  title: '应收往来',
  sort: 15,
  permission: VIEW_DEALINGS,
  async expect(ctx) {
    const { rows } = await sql<{
      id: string;
      partyId: string;
      title: string;
      subject: string;
      dueOn: string | null;
      currency: string;
      open: string;
    }>`
      SELECT i.id, i.party_id AS "partyId", i.title, i.subject_number AS subject, i.due_on AS "dueOn", i.currency, trim_scale(b.amount)::text AS open
        FROM finance.open_item AS i
        JOIN finance.balance AS b ON b.company_id = i.company_id AND b.book = i.book AND b.item_id = i.id AND b.amount <> 0
       WHERE i.company_id = ${ctx.companyId} AND i.book = 'RECEIVABLE'`.execute(ctx.db);
    const names = await partyNames(
      ctx,
      rows.map(({ partyId }) => partyId),
    );
    return rows.map(({ id, partyId, title, subject, dueOn, currency, open }) => ({
      key: id,
      direction: 'IN',
      day: dueOn,
      amount: open,
      currency,
      certainty: 'certain',
      title,
      number: subject,
      party: names.get(partyId) ?? '',
      basis: '应收的到期日',
      to: { ...PAYABLES, query: { 'f.open': 'OPEN', 'f.book': 'RECEIVABLE', 'f.keyword': subject || title } },
    }));
  },
};

/** What the debts of documents of one type come to that no request holds, by "<id> <currency>". */
export async function freeOfDocuments(ctx: Ctx, type: string): Promise<Map<string, string>> {
  const groups = Map.groupBy(await freeDebtsFor(ctx, type), ({ subjectId, currency }) => `${subjectId} ${currency}`);
  return new Map([...groups].map(([key, own]) => [key, sum(own.map(({ free }) => free))]));
}
