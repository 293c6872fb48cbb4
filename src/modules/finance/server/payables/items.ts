import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { minus } from '../../contract/fields.ts';
import { baseOf } from '../ledger/base.ts';
import type { ItemBook, ItemKind, Line, Party, Purpose, Subject } from '../ledger/types.ts';

/** What is still open of a debt, a prepayment or a receivable. */
export interface OpenItem {
  id: string;
  book: ItemBook;
  kind: ItemKind;
  partyKind: Party['kind'];
  partyId: string;
  subjectType: string;
  subjectId: string;
  currency: string;
  /** Day on which it came to be, yyyy-MM-dd: nothing settles it before. */
  day: string;
  /** More than 0, in its currency. */
  open: string;
  /** What that is booked with in CNY, 0 or more; null in CNY, and for what was booked before values were kept. */
  base: string | null;
}

/**
 * Keeps others from settling what is open with a party until the transaction ends. Whoever reads open amounts to decide
 * what to settle takes this first; several parties in the order of their ids.
 */
export async function lockParties(ctx: Ctx, ids: readonly string[]): Promise<void> {
  for (const id of [...new Set(ids)].sort()) {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('finance.party:' || ${ctx.companyId}::text || ${id}, 0))`.execute(
      ctx.db,
    );
  }
}

interface Wanted {
  party?: string;
  currency?: string;
  book?: ItemBook;
  subject?: Pick<Subject, 'type' | 'id'> | undefined;
  ids?: readonly string[];
}

/** What is open, what is due first at the front; of what has no day the oldest. */
export async function openItems(ctx: Ctx, { party, currency, book, subject, ids }: Wanted): Promise<OpenItem[]> {
  const { rows } = await sql<OpenItem>`
    SELECT i.id, i.book, i.kind, i.party_kind AS "partyKind", i.party_id AS "partyId", i.subject_type AS "subjectType",
           i.subject_id AS "subjectId", i.currency, i.business_date AS day, abs(b.amount)::text AS open, abs(b.base)::text AS base
      FROM finance.open_item AS i
      JOIN finance.balance AS b ON b.company_id = i.company_id AND b.book = i.book AND b.item_id = i.id AND b.amount <> 0
     WHERE i.company_id = ${ctx.companyId}
       AND (${party ?? null}::uuid IS NULL OR i.party_id = ${party ?? null}::uuid)
       AND (${currency ?? null}::text IS NULL OR i.currency = ${currency ?? null})
       AND (${book ?? null}::text IS NULL OR i.book = ${book ?? null})
       AND (${subject?.type ?? null}::text IS NULL OR (i.subject_type, i.subject_id) = (${subject?.type ?? null}::text, ${subject?.id ?? null}::text))
       AND (${ids ?? null}::uuid[] IS NULL OR i.id = ANY (${ids ?? null}::uuid[]))
     ORDER BY coalesce(i.due_on, i.business_date), i.business_date, i.id`.execute(ctx.db);
  return rows;
}

/** The documents that items belong to, whether they are settled or not. */
export async function subjectsOf(ctx: Ctx, ids: readonly string[]) {
  const { rows } = await sql<Pick<OpenItem, 'id' | 'partyId' | 'subjectType' | 'subjectId'>>`
    SELECT id, party_id AS "partyId", subject_type AS "subjectType", subject_id AS "subjectId" FROM finance.open_item
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[])`.execute(ctx.db);
  return rows;
}

/** One open item. @throws notFound for one that is settled or does not exist */
export async function openItem(ctx: Ctx, id: string): Promise<OpenItem> {
  const [item] = await openItems(ctx, { ids: [id] });
  if (!item) throw notFound('往来款项不存在或已结清');
  return item;
}

/** Takes a part out of an item, with what it is booked with of it. */
export function settleLine(
  item: Pick<OpenItem, 'id' | 'book' | 'currency' | 'open' | 'base'>,
  part: string,
  purpose: Purpose,
): Line {
  const signed = item.book === 'PAYABLE' ? (text: string) => text : minus;
  const base = baseOf(item, part);
  return {
    book: item.book,
    item: item.id,
    currency: item.currency,
    amount: signed(part),
    base: base === undefined ? undefined : signed(base),
    purpose,
  };
}

/** Takes up to `amount` out of items in their order, with their CNY value: the lines that do so, and what they could not take. */
export function settleLines(
  items: readonly Pick<OpenItem, 'id' | 'book' | 'currency' | 'open' | 'base'>[],
  amount: string,
  purpose: Purpose,
): { lines: Line[]; rest: string } {
  let left = new Decimal(amount);
  const lines: Line[] = [];
  for (const item of items) {
    const part = Decimal.min(left, item.open);
    if (part.lte(0)) continue;
    left = left.minus(part);
    lines.push(settleLine(item, part.toFixed(), purpose));
  }
  return { lines, rest: left.toFixed() };
}

/** @throws refused B0920 unless the party exists */
export async function requireParty(ctx: Ctx, { kind, id }: Party): Promise<{ name: string }> {
  const { rows } = await (kind === 'SUPPLIER'
    ? sql<{
        name: string;
      }>`SELECT short_name AS name FROM supplier.supplier WHERE company_id = ${ctx.companyId} AND id = ${id}`
    : sql<{ name: string }>`SELECT name FROM finance.partner WHERE company_id = ${ctx.companyId} AND id = ${id}`
  ).execute(ctx.db);
  const row = rows[0];
  if (!row) throw refused('供应商或往来单位不存在', 'B0920');
  return row;
}
