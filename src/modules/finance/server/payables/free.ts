import { type RawBuilder, sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { LIVE } from './money.ts';

/** A debt, and how much of it no request holds. */
export interface FreeDebt {
  id: string;
  partyId: string;
  currency: string;
  title: string;
  subjectType: string;
  subjectId: string;
  /** What people call the order that it belongs to; '' for none. */
  subject: string;
  /** yyyy-MM-dd */
  day: string;
  dueOn: string | null;
  /** Not settled yet, more than 0. */
  open: string;
  /** Of that, what no request that is under way will take; 0 or more. */
  free: string;
}

interface DbDebt extends Omit<FreeDebt, 'free'> {
  named: string;
  /** Asked for its order by lines that name no debt: they take the oldest first, as paying does. */
  unnamed: string;
}

const debtKey = ({ subjectType, subjectId }: Pick<FreeDebt, 'subjectType' | 'subjectId'>) =>
  `${subjectType} ${subjectId}`;

/**
 * The open debts to a party in a currency, what is due first at the front. A request holds the debts that its lines name, and
 * with lines that name none those of its order, in the same order. Whoever decides by what is free holds the party, see
 * lockParties().
 * @param but a request whose own claims do not count
 */
export function freeDebts(ctx: Ctx, party: string, currency: string, but?: string): Promise<FreeDebt[]> {
  return found(
    ctx,
    sql`i.party_id = ${party} AND i.currency = ${currency}`,
    sql`r.party_id = ${party} AND r.currency = ${currency}
        AND r.id <> coalesce(${but ?? null}::uuid, '00000000-0000-0000-0000-000000000000')`,
  );
}

/** The open debts to everybody in every currency, what is due first at the front. */
export const allFreeDebts = (ctx: Ctx): Promise<FreeDebt[]> => found(ctx, sql`true`, sql`true`);

/** The open debts for documents of one type, of which there may be few among all. */
export const freeDebtsFor = (ctx: Ctx, type: string): Promise<FreeDebt[]> =>
  found(ctx, sql`i.subject_type = ${type}`, sql`true`);

type Condition = RawBuilder<unknown>;

/** @param debts which open items, as i; requests which requests, as r */
async function found(ctx: Ctx, debts: Condition, requests: Condition): Promise<FreeDebt[]> {
  const { rows } = await sql<DbDebt>`
    WITH debt AS (
      SELECT i.id, i.party_id, i.currency, i.title, i.subject_type, i.subject_id, i.subject_number, i.business_date, i.due_on, -b.amount AS open
        FROM finance.open_item AS i
        JOIN finance.balance AS b ON b.company_id = i.company_id AND b.book = 'PAYABLE' AND b.item_id = i.id AND b.amount < 0
       WHERE i.company_id = ${ctx.companyId} AND i.book = 'PAYABLE' AND ${debts}
    ), live AS (
      SELECT l.payable_id, r.subject_type, r.subject_id, r.kind, l.amount - l.paid_amount AS amount
        FROM finance.payment_request AS r
        JOIN finance.payment_request_line AS l ON l.company_id = r.company_id AND l.request_id = r.id
       WHERE r.company_id = ${ctx.companyId} AND r.state IN ${LIVE} AND ${requests}
    ), named AS (
      SELECT payable_id AS id, sum(amount) AS amount FROM live WHERE payable_id IS NOT NULL GROUP BY 1
    ), unnamed AS (
      SELECT subject_type, subject_id, sum(amount) AS amount FROM live
       WHERE payable_id IS NULL AND subject_id <> '' AND kind <> 'EXPENSE' GROUP BY 1, 2
    )
    SELECT d.id, d.party_id AS "partyId", d.currency, d.title, d.subject_type AS "subjectType", d.subject_id AS "subjectId", d.subject_number AS subject,
           d.business_date AS day, d.due_on AS "dueOn", trim_scale(d.open)::text AS open, coalesce(n.amount, 0)::text AS named,
           coalesce(u.amount, 0)::text AS unnamed
      FROM debt AS d LEFT JOIN named AS n ON n.id = d.id LEFT JOIN unnamed AS u USING (subject_type, subject_id)
     ORDER BY coalesce(d.due_on, d.business_date), d.business_date, d.id`.execute(ctx.db);
  const taken = new Map<string, Decimal>();
  return rows.map(({ named, unnamed, ...debt }) => {
    const unclaimed = Decimal.max(0, new Decimal(debt.open).minus(named));
    const waiting = taken.get(debtKey(debt)) ?? new Decimal(unnamed);
    const free = Decimal.max(0, unclaimed.minus(waiting));
    taken.set(debtKey(debt), waiting.minus(unclaimed.minus(free)));
    return { ...debt, free: free.toFixed() };
  });
}

/** The debts of one order among them. */
export const ofDocument = (debts: readonly FreeDebt[], { type, id }: { type: string; id: string }): FreeDebt[] =>
  debts.filter((debt) => debt.subjectType === type && debt.subjectId === id);
