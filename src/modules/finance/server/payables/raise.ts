import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { minus } from '../../contract/fields.ts';
import { restOf, valuedAt, worthAt } from '../ledger/base.ts';
import { post, reverse } from '../ledger/post.ts';
import type { ItemKind, Line, NewItem, Party, Posted, Source, Subject } from '../ledger/types.ts';
import { rateOn } from '../rates/rates.ts';
import { bookDebts, type Raising, raisingLines } from './booked.ts';
import { lockParties, openItems, requireParty, settleLines } from './items.ts';

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
  /** yyyy-MM-dd, the company's; today where left out. */
  day?: string | undefined;
  /**
   * When how much of it is to be paid; the parts add up to the amount, and each is an open item of its own. Left out: all of
   * it on its day.
   */
  due?: readonly DuePart[] | undefined;
}

/** A part of a debt, and the day by which it is to be paid, yyyy-MM-dd. */
export interface DuePart {
  amount: string;
  dueOn: string;
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

function newItem(
  debt: Omit<Debt, 'kind' | 'source' | 'due'>,
  book: NewItem['book'],
  kind: ItemKind,
  amount: string,
  dueOn?: string,
): NewItem {
  return {
    id: randomUUID(),
    book,
    kind,
    party: supplier(debt.supplierId),
    subject: debt.subject,
    title: debt.title,
    currency: debt.currency,
    amount,
    dueOn,
  };
}

/**
 * A debt to a supplier: goods received, freight, a charge that came late; an open item for each part that is due on a day
 * of its own. What was paid in advance for the same order, in the same currency, is settled with it in the same posting,
 * the oldest first, and what is due first. In another currency it is booked at the rate of its day.
 * @throws refused B0920 supplier, B0904 day, B0905 amount, B0906 the same event with another amount, B0930 without a rate
 */
export async function raisePayable(ctx: Ctx, debt: Debt): Promise<Raised> {
  const { source, supplierId, subject, currency, amount, title, day } = debt;
  await requireParty(ctx, supplier(supplierId));
  await lockParties(ctx, [supplierId]);
  // Sent again, the deposits are settled already: the lines would differ.
  const before = await postedAs(ctx, source);
  if (before) return itemOf(ctx, before);
  const dueOn = day ?? ctx.clock.today();
  const parts = [...(debt.due ?? [{ amount, dueOn }])].sort((one, other) => (one.dueOn < other.dueOn ? -1 : 1));
  const items = parts.map((part) => newItem(debt, 'PAYABLE', debt.kind, part.amount, part.dueOn));
  const paid = await openItems(ctx, { party: supplierId, currency, book: 'PREPAID', subject });
  const deposits = paid.filter((deposit) => deposit.day <= (day ?? ctx.clock.today()));
  const { lines, rest } = settleLines(deposits, amount, 'SETTLE');
  const used = new Decimal(amount).minus(rest).toFixed();
  const debts = items.map((item) => ({
    id: item.id,
    book: 'PAYABLE' as const,
    currency,
    open: item.amount,
    base: null,
  }));
  const plain: Raising = { items, settled: settleLines(debts, used, 'SETTLE').lines, deposits: lines };
  const raising = currency === 'CNY' ? plain : bookDebts(plain, await rateOn(ctx, currency, dueOn));
  return itemOf(
    ctx,
    await post(ctx, {
      source,
      title,
      day,
      items: raising.items,
      lines: raisingLines(raising, currency, amount),
    }),
  );
}

/**
 * What a supplier no longer gets: goods returned, a discount. It lowers what is open of the order, the oldest debt first;
 * what is paid already stays as credit with the supplier (预付), to be used for later debts or paid back; in another currency
 * at the rate of its day.
 * @throws as raisePayable
 */
export async function creditPayable(ctx: Ctx, credit: Omit<Debt, 'kind' | 'due'>): Promise<Raised> {
  const { source, supplierId, subject, currency, amount, title, day } = credit;
  await requireParty(ctx, supplier(supplierId));
  await lockParties(ctx, [supplierId]);
  const before = await postedAs(ctx, source);
  if (before) return itemOf(ctx, before);
  const debts = await openItems(ctx, { party: supplierId, currency, book: 'PAYABLE', subject });
  const { lines: taken, rest } = settleLines(debts, amount, 'CREDIT');
  const rate = currency === 'CNY' ? undefined : await rateOn(ctx, currency, day ?? ctx.clock.today());
  const lines = rate ? valuedAt(taken, rate) : taken;
  const base = rate && worthAt(rest, rate);
  const item = new Decimal(rest).isZero() ? undefined : { ...newItem(credit, 'PREPAID', 'CREDIT', rest), rate, base };
  const kept: Line[] = item
    ? [{ book: 'PREPAID', item: item.id, currency, amount: rest, base, purpose: 'CREDIT' }]
    : [];
  const goods = rate && minus(restOf([...lines, ...kept]));
  return itemOf(
    ctx,
    await post(ctx, {
      source,
      title,
      day,
      items: item ? [item] : [],
      lines: [...lines, ...kept, { book: 'GOODS', currency, amount: minus(amount), base: goods, purpose: 'CREDIT' }],
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
