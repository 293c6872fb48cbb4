import { sql } from 'kysely';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Subject } from '../ledger/types.ts';
import { moneyOf } from '../payables/raise.ts';

/** What is owed for a purchase order by now; CNY. */
export interface OrderDebts {
  /** Debts and what of each no request has named yet, the oldest first. */
  free: { id: string; title: string; amount: string }[];
  /** What is paid or will be by others than requests of the order itself, such as a settlement of a period. */
  elsewhere: string;
}

interface DbDebt {
  id: string;
  title: string;
  open: string;
  claimed: string;
  elsewhere: string;
}

/** What was settled of the debts of an order without its own requests having paid it. CNY, 0 or more. */
async function paidElsewhere(ctx: Ctx, type: string, id: string): Promise<string> {
  const money = (await moneyOf(ctx, type, [id])).find((one) => one.currency === 'CNY');
  if (!money) return '0';
  const settled = new Decimal(money.raised).minus(money.open);
  return Decimal.max(settled.minus(money.paid).plus(money.prepaid), 0).toFixed();
}

/** The debts of a purchase order. Whoever decides by them holds the supplier, see lockParties(). */
export async function orderDebts(ctx: Ctx, { type, id }: Pick<Subject, 'type' | 'id'>): Promise<OrderDebts> {
  const { rows } = await sql<DbDebt>`
    SELECT i.id, i.title, -b.amount AS open, coalesce(sum(c.amount), 0) AS claimed,
           coalesce(sum(c.amount) FILTER (WHERE c.elsewhere), 0) AS elsewhere
      FROM finance.open_item AS i
      JOIN finance.balance AS b ON b.company_id = i.company_id AND b.book = 'PAYABLE' AND b.item_id = i.id AND b.amount < 0
      LEFT JOIN LATERAL (
        SELECT least(l.amount, r.amount - r.paid_amount) AS amount, (r.subject_type, r.subject_id) <> (${type}, ${id}) AS elsewhere
          FROM finance.payment_request_line AS l
          JOIN finance.payment_request AS r ON r.company_id = l.company_id AND r.id = l.request_id
         WHERE l.company_id = i.company_id AND l.payable_id = i.id AND r.state IN ('submitted', 'approved', 'partly')) AS c ON true
     WHERE i.company_id = ${ctx.companyId} AND i.subject_type = ${type} AND i.subject_id = ${id} AND i.currency = 'CNY'
     GROUP BY i.business_date, i.id, i.title, b.amount
     ORDER BY i.business_date, i.id`.execute(ctx.db);
  const free = rows.flatMap(({ id: debt, title, open, claimed }) => {
    const amount = new Decimal(open).minus(claimed);
    return amount.gt(0) ? [{ id: debt, title, amount: amount.toFixed() }] : [];
  });
  return { free, elsewhere: sum([...rows.map((row) => row.elsewhere), await paidElsewhere(ctx, type, id)]) };
}

/** Lines of a request: the debts of the order that it pays by name, and in advance what is not owed yet. */
export function requestLines(title: string, amount: string, free: OrderDebts['free']) {
  let left = new Decimal(amount);
  const named = free.flatMap((debt) => {
    const part = Decimal.min(left, debt.amount);
    if (part.lte(0)) return [];
    left = left.minus(part);
    return [{ title: `${title} ${debt.title}`.slice(0, 100), amount: part.toFixed(), payableId: debt.id }];
  });
  return left.isZero() ? named : [...named, { title, amount: left.toFixed() }];
}
