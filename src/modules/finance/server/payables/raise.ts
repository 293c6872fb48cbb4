import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { minus } from '../../contract/fields.ts';
import { post, reverse } from '../ledger/post.ts';
import type { ItemKind, Line, NewItem, Party, Posted, Source, Subject } from '../ledger/types.ts';
import { counter, lockParties, openItems, requireParty, settleLines } from './items.ts';

export interface Debt {
  /** The event that brings it about; once per key, as everywhere in the ledger. */
  source: Source;
  supplierId: string;
  kind: Extract<ItemKind, 'GOODS' | 'FREIGHT' | 'LATE' | 'FEE' | 'OTHER'>;
  /** The order that it belongs to: deposits of the same order are settled with it at once. */
  subject: Subject;
  /** ISO code of the supplier's invoice. */
  currency: string;
  /** More than 0, in the scale of the currency. */
  amount: string;
  /** As statements show it: 「到货 RK2611220001」. */
  title: string;
  /** yyyy-MM-dd in Beijing; today where left out. */
  day?: string | undefined;
  dueOn?: string | undefined;
}

/** What a posting left: its id for a reversal, and the open item that it made, if it made one. */
export interface Raised {
  postingId: string;
  itemId: string | null;
  repeated: boolean;
}

async function itemOf(ctx: Ctx, { id, repeated }: Posted): Promise<Raised> {
  const row = await ctx.db
    .selectFrom('finance.open_item')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('posting_id', '=', id)
    .executeTakeFirst();
  return { postingId: id, itemId: row?.id ?? null, repeated };
}

/** Whether an event was posted before, and as what. */
async function postedAs(ctx: Ctx, { type, id, event, seq }: Source): Promise<Posted | undefined> {
  const row = await ctx.db
    .selectFrom('finance.posting')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('source_type', '=', type)
    .where('source_id', '=', id)
    .where('source_event', '=', event)
    .where('event_seq', '=', seq ?? 0)
    .executeTakeFirst();
  return row && { id: row.id, repeated: true };
}

const supplier = (id: string): Party => ({ kind: 'SUPPLIER', id });

function newItem(debt: Omit<Debt, 'kind' | 'source'>, book: NewItem['book'], kind: ItemKind, amount: string): NewItem {
  return {
    id: randomUUID(),
    book,
    kind,
    party: supplier(debt.supplierId),
    subject: debt.subject,
    title: debt.title,
    currency: debt.currency,
    amount,
    dueOn: debt.dueOn,
  };
}

/**
 * A debt to a supplier: goods received, freight, a charge that came late. What was paid in advance for the same order,
 * in the same currency, is settled with it in the same posting, the oldest first.
 * @throws refused B0920 supplier, B0904 day, B0905 amount, B0906 the same event with another amount
 */
export async function raisePayable(ctx: Ctx, debt: Debt): Promise<Raised> {
  const { source, supplierId, subject, currency, amount, title, day } = debt;
  await requireParty(ctx, supplier(supplierId));
  await lockParties(ctx, [supplierId]);
  // Sent again, the deposits are settled already: the lines would differ.
  const before = await postedAs(ctx, source);
  if (before) return itemOf(ctx, before);
  const item = newItem(debt, 'PAYABLE', debt.kind, amount);
  const deposits = await openItems(ctx, { party: supplierId, currency, book: 'PREPAID', subject });
  const { lines, rest } = settleLines(deposits, amount, 'SETTLE');
  const used = new Decimal(amount).minus(rest).toFixed();
  const settled: Line[] = new Decimal(used).isZero()
    ? []
    : [{ book: 'PAYABLE', item: item.id, currency, amount: used, purpose: 'SETTLE' }, ...lines];
  return itemOf(
    ctx,
    await post(ctx, {
      source,
      title,
      day,
      items: [item],
      lines: [
        { book: 'PAYABLE', item: item.id, currency, amount: minus(amount), purpose: 'RAISE' },
        { book: 'GOODS', currency, amount, purpose: 'RAISE' },
        ...settled,
      ],
    }),
  );
}

/**
 * What a supplier no longer gets: goods returned, a discount. It lowers what is open of the order, the oldest debt first;
 * what is paid already stays as credit with the supplier (预付), to be used for later debts or paid back.
 * @throws as raisePayable
 */
export async function creditPayable(ctx: Ctx, credit: Omit<Debt, 'kind' | 'dueOn'>): Promise<Raised> {
  const { source, supplierId, subject, currency, amount, title, day } = credit;
  await requireParty(ctx, supplier(supplierId));
  await lockParties(ctx, [supplierId]);
  const before = await postedAs(ctx, source);
  if (before) return itemOf(ctx, before);
  const debts = await openItems(ctx, { party: supplierId, currency, book: 'PAYABLE', subject });
  const { lines, rest } = settleLines(debts, amount, 'CREDIT');
  const item = new Decimal(rest).isZero() ? undefined : newItem(credit, 'PREPAID', 'CREDIT', rest);
  return itemOf(
    ctx,
    await post(ctx, {
      source,
      title,
      day,
      items: item ? [item] : [],
      lines: [
        ...lines,
        ...(item ? [{ book: 'PREPAID', item: item.id, currency, amount: rest, purpose: 'CREDIT' } as const] : []),
        ...counter('GOODS', currency, minus(amount), 'CREDIT'),
      ],
    }),
  );
}

/**
 * Takes back what an event posted (a receipt that is reversed). Answers undefined where the event was never posted.
 * @throws refused B0902 where the debt has been paid meanwhile: the payment goes first
 */
export async function reversePosted(
  ctx: Ctx,
  source: Omit<Source, 'number'>,
  reason?: string,
): Promise<Posted | undefined> {
  const posted = await postedAs(ctx, { ...source, number: '' });
  if (!posted) return undefined;
  const { rows } = await sql<{ party: string }>`
    SELECT DISTINCT i.party_id AS party FROM finance.entry AS e
      JOIN finance.open_item AS i ON i.company_id = e.company_id AND i.id = e.item_id
     WHERE e.company_id = ${ctx.companyId} AND e.posting_id = ${posted.id}`.execute(ctx.db);
  await lockParties(
    ctx,
    rows.map((row) => row.party),
  );
  return reverse(ctx, posted.id, reason);
}

/** What an order has come to, in the currency of its money. All amounts 0 or more. */
export interface OrderMoney {
  subjectId: string;
  currency: string;
  /** Debts raised, less what was credited or reversed. */
  raised: string;
  /** Still to be paid of them. */
  open: string;
  /** Paid in advance or in credit, not used yet. */
  prepaid: string;
  /** Left the accounts through payment requests. */
  paid: string;
  /** Asked for and not paid yet: handed in, and neither returned nor taken back. */
  requested: string;
}

/** Money of orders, by order and currency; orders without any are missing. */
export async function moneyOf(ctx: Ctx, subjectType: string, subjectIds: readonly string[]): Promise<OrderMoney[]> {
  const { rows } = await sql<OrderMoney>`
    WITH item AS (
      SELECT i.subject_id AS subject, i.currency, i.id, i.book
        FROM finance.open_item AS i
       WHERE i.company_id = ${ctx.companyId} AND i.subject_type = ${subjectType} AND i.subject_id = ANY (${subjectIds}::text[])
    ), debt AS (
      SELECT item.subject, item.currency,
             coalesce(-sum(e.amount) FILTER (WHERE item.book = 'PAYABLE' AND e.purpose IN ('RAISE', 'CREDIT')), 0) AS raised,
             coalesce(-sum(e.amount) FILTER (WHERE item.book = 'PAYABLE'), 0) AS open,
             coalesce(sum(e.amount) FILTER (WHERE item.book = 'PREPAID'), 0) AS prepaid
        FROM item JOIN finance.entry AS e ON e.company_id = ${ctx.companyId} AND e.item_id = item.id
       GROUP BY 1, 2
    ), asked AS (
      SELECT r.subject_id AS subject, r.currency, sum(r.paid_amount) AS paid,
             coalesce(sum(r.amount - r.paid_amount) FILTER (WHERE r.state IN ('submitted', 'approved', 'partly')), 0) AS requested
        FROM finance.payment_request AS r
       WHERE r.company_id = ${ctx.companyId} AND r.subject_type = ${subjectType} AND r.subject_id = ANY (${subjectIds}::text[])
       GROUP BY 1, 2
    )
    SELECT subject AS "subjectId", currency, trim_scale(coalesce(d.raised, 0))::text AS raised,
           trim_scale(coalesce(d.open, 0))::text AS open, trim_scale(coalesce(d.prepaid, 0))::text AS prepaid,
           trim_scale(coalesce(a.paid, 0))::text AS paid, trim_scale(coalesce(a.requested, 0))::text AS requested
      FROM debt AS d FULL JOIN asked AS a USING (subject, currency)
     ORDER BY 1, 2`.execute(ctx.db);
  return rows;
}

/** Uses what was paid in advance for a debt of the same party and currency. @throws notFound, refused B0902 */
export async function settle(ctx: Ctx, prepaidId: string, payableId: string, amount: string): Promise<Posted> {
  const pair = await openItems(ctx, { ids: [prepaidId, payableId] });
  const prepaid = pair.find((item) => item.id === prepaidId && item.book !== 'PAYABLE');
  const payable = pair.find((item) => item.id === payableId && item.book === 'PAYABLE');
  if (!prepaid || !payable || prepaid.partyId !== payable.partyId) throw notFound('往来款项不存在或已结清');
  await lockParties(ctx, [prepaid.partyId]);
  const { currency } = payable;
  return post(ctx, {
    source: { type: 'finance.settle', id: randomUUID(), event: 'settle', number: '核销' },
    title: '预付核销应付',
    lines: [
      { book: 'PAYABLE', item: payableId, currency, amount, purpose: 'SETTLE' },
      { book: prepaid.book, item: prepaidId, currency, amount: minus(amount), purpose: 'SETTLE' },
    ],
  });
}
