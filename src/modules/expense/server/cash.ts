import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { CashSource } from '#kit/server/cash.ts';
import { requestsOf } from '#modules/finance/server/index.ts';
import { expenseDocument, VIEW } from '../contract/document.ts';
import { nextDue } from './recurring/due.ts';

const LIST = { path: '/finance/expense', title: '费用管理' };
/** States in which finance tells of a request itself. */
const LIVE = ['submitted', 'approved', 'partly'];

interface Unpaid {
  id: string;
  number: string;
  state: string;
  spentOn: string;
  currency: string;
  amount: string;
  payee: string;
}

/**
 * Expenses that are to be paid and that no payment request tells of: those handed in, and drafts of recurring ones, which are
 * handed in as a rule. Nobody agreed on a day, so they are paid today at the earliest.
 */
export const expenseCash: CashSource = {
  kind: 'expense',
  title: '费用单',
  sort: 50,
  permission: VIEW,
  async expect(ctx, { today }) {
    const { rows } = await sql<Unpaid>`
      SELECT d.id, d.number, d.state, d.spent_on AS "spentOn", d.currency, trim_scale(d.amount)::text AS amount, d.payee
        FROM expense.document AS d
       WHERE d.company_id = ${ctx.companyId}
         AND (d.state IN ('submitted', 'approved')
              OR d.state IN ('draft', 'returned') AND EXISTS (
                   SELECT FROM expense.recurring AS r
                    WHERE r.company_id = d.company_id AND r.last_id = d.id AND r.state = 'active'))`.execute(ctx.db);
    const requests = await requestsOf(
      ctx,
      expenseDocument.name,
      rows.map(({ id }) => id),
    );
    const told = new Set(requests.filter(({ state }) => LIVE.includes(state)).map(({ subjectId }) => subjectId));
    return rows
      .filter(({ id, amount }) => !told.has(id) && new Decimal(amount).gt(0))
      .map(({ id, number, state, spentOn, currency, amount, payee }) => {
        const ahead = spentOn > today;
        return {
          key: id,
          direction: 'OUT',
          day: ahead ? spentOn : today,
          amount,
          currency,
          certainty: 'estimated',
          title: state === 'approved' ? '费用待付款' : '费用待审核',
          number,
          party: payee,
          basis: ahead ? '费用日期' : '未约定付款日，按今天',
          to: { path: expenseDocument.detail, title: number, query: { id } },
        };
      });
  },
};

/** Expenses that come again every month, on each of their days until the horizon. */
export const recurringCash: CashSource = {
  kind: 'recurring',
  title: '周期费用',
  sort: 55,
  permission: VIEW,
  async expect(ctx, { until }) {
    const { rows } = await sql<{
      id: string;
      name: string;
      day: number;
      nextOn: string;
      payee: string;
      currency: string;
      amount: string;
    }>`
      SELECT id, name, day, next_on AS "nextOn", payee, currency, trim_scale(amount)::text AS amount
        FROM expense.recurring WHERE company_id = ${ctx.companyId} AND state = 'active'`.execute(ctx.db);
    return rows.flatMap(({ id, name, day, nextOn, payee, currency, amount }) => {
      const days: string[] = [];
      for (let at = nextOn; at <= until; at = nextDue(at, day)) days.push(at);
      return days.map((at) => ({
        key: `${id}:${at}`,
        direction: 'OUT' as const,
        day: at,
        amount,
        currency,
        certainty: 'estimated' as const,
        title: name,
        number: '',
        party: payee,
        basis: `每月 ${day} 日`,
        to: { ...LIST, query: {} },
      }));
    });
  },
};
