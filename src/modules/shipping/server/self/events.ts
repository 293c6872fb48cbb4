import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { eventBook, type Held, heldByAll, type Move } from '#modules/warehouse/server/index.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import { linesToHold } from '../pick/hold.ts';
import type { SelfDoc } from './load.ts';

/** What stands behind the ledger's entries of these documents. */
export const SOURCE = selfDoc.name;

/** A customer gets it in days: a lot may be nearer to its end than one that Amazon is to keep. */
const SHELF_LIFE_DAYS = 30;

/** What one move of a posting carried. */
export interface Carried {
  part: string;
  product: string;
  lot: string;
  qty: number;
}

/** What moved stock for a document, or was scanned for it. */
const book = eventBook<{ id: string }>({ table: 'shipping.self_event', key: 'doc_id', type: () => SOURCE });
export const { seenBefore, noteEvent, holdings } = book;

/** Posts moves as the next event of a document, with what each carried; answers the posting's id. */
export const postEvent = (
  ctx: Ctx,
  doc: SelfDoc,
  event: string,
  moves: readonly Move[],
  lines: readonly Carried[],
): Promise<string> => book.postEvent(ctx, doc, event, moves, { lines });

/** What the moves of a document's posting carried, in their order. */
export async function carriedBy(ctx: Ctx, doc: Pick<SelfDoc, 'id' | 'posting'>): Promise<Carried[]> {
  if (doc.posting === null) return [];
  const row = await ctx.db
    .selectFrom('shipping.self_event')
    .select('lines')
    .where('company_id', '=', ctx.companyId)
    .where('doc_id', '=', doc.id)
    .where('posting_id', '=', doc.posting)
    .executeTakeFirst();
  return (row?.lines ?? []) as unknown as Carried[];
}

/** Holds pieces for the parts of a document. @throws refused B0801 not enough, B0803 frozen by a count */
export const hold = (ctx: Ctx, doc: SelfDoc): Promise<void> =>
  book.hold(ctx, doc, linesToHold(doc), { shelfLife: SHELF_LIFE_DAYS });

/** What several documents hold, all of it in the order in which a picker walks; `document` is the document. */
export function holdingsOfAll(ctx: Ctx, ids: readonly string[]): Promise<(Held & { document: string })[]> {
  return unscoped(ctx, () => heldByAll(ctx, SOURCE, ids));
}

/** Gives back all that the document holds. */
export const letGo = (ctx: Ctx, doc: SelfDoc): Promise<void> => book.letGo(ctx, doc);
