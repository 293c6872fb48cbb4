import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type DocumentKind, type DocumentRow, type TransitionInput, transition } from '#kit/server/document.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { type BillState, platformBill } from '../../contract/bills/bill.ts';

/** A bill as its rules see it. */
export interface BillHead extends DocumentRow {
  state: BillState;
  number: string;
  statementDate: string;
  dueOn: string;
}

const MATCHING: readonly BillState[] = ['uploaded', 'partly', 'matched'];

async function load(ctx: Ctx, id: string, lock = false): Promise<BillHead | undefined> {
  const { rows } = await sql<BillHead>`
    SELECT id, number, state, version, statement_date AS "statementDate", due_on AS "dueOn"
      FROM finance.platform_bill
     WHERE company_id = ${ctx.companyId} AND id = ${id} ${sql.raw(lock ? 'FOR UPDATE' : '')}`.execute(ctx.db);
  return rows[0];
}

/** The bill, its row locked until the transaction ends. @throws notFound, conflict for another version */
export async function lockBill(ctx: Ctx, id: string, version?: number | undefined): Promise<BillHead> {
  const bill = await load(ctx, id, true);
  if (!bill) throw notFound();
  if (version !== undefined && version !== bill.version) throw conflict('单据状态已变更，请刷新');
  return bill;
}

/** The bill locked, while its lines may still be matched. @throws conflict afterwards */
export async function lockMatching(ctx: Ctx, id: string, version?: number | undefined): Promise<BillHead> {
  const bill = await lockBill(ctx, id, version);
  if (!MATCHING.includes(bill.state)) {
    throw conflict(`账单${bill.number}${platformBill.states[bill.state].title}，不能修改匹配`);
  }
  return bill;
}

/** A step of a bill whose row the caller has locked. */
export async function stepBill(ctx: Ctx, id: string, name: string, input: TransitionInput = {}): Promise<BillState> {
  const kind: DocumentKind<BillHead> = { def: platformBill, table: 'finance.platform_bill', load };
  return (await transition(ctx, kind, id, name, input)) as BillState;
}

interface Standing {
  lines: number;
  /** Matched, or said to need no payment. */
  known: number;
  /** Something is billed and its payment is not made. */
  unpaid: number;
}

async function standingOf(ctx: Ctx, billId: string): Promise<Standing> {
  const { rows } = await sql<Standing>`
    SELECT count(*)::int AS lines, (count(*) FILTER (WHERE o.matched <> 'NONE'))::int AS known,
           (count(*) FILTER (WHERE o.matched IN ('AUTO', 'HAND') AND o.amount > 0 AND coalesce(r.state, '') <> 'paid'))::int AS unpaid
      FROM finance.platform_bill_order AS o
      LEFT JOIN finance.platform_bill_payment AS p
        ON p.company_id = o.company_id AND p.order_line_id = o.id AND p.live
      LEFT JOIN finance.payment_request AS r ON r.company_id = p.company_id AND r.id = p.request_id
     WHERE o.company_id = ${ctx.companyId} AND o.bill_id = ${billId}`.execute(ctx.db);
  return rows[0] ?? { lines: 0, known: 0, unpaid: 0 };
}

function stepFor(state: BillState, { lines, known, unpaid }: Standing): string | undefined {
  if (state === 'confirmed') return unpaid === 0 ? 'settle' : undefined;
  if (state === 'settled') return unpaid > 0 ? 'unsettle' : undefined;
  if (!MATCHING.includes(state)) return undefined;
  const [wanted, step] =
    known === 0
      ? (['uploaded', 'matchNone'] as const)
      : known < lines
        ? (['partly', 'matchSome'] as const)
        : (['matched', 'matchAll'] as const);
  return wanted === state ? undefined : step;
}

/** Brings the state of a bill after what its lines are; the permission was that of whoever changed them. */
export async function followLines(ctx: Ctx, bill: Pick<BillHead, 'id' | 'state'>): Promise<BillState> {
  const step = stepFor(bill.state, await standingOf(ctx, bill.id));
  return step ? stepBill({ ...ctx, permissions: undefined }, bill.id, step) : bill.state;
}
