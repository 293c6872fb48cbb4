import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import {
  type Held,
  heldBy,
  heldByAll,
  type Move,
  post,
  type ReserveLine,
  release,
  reserve,
  type Source,
} from '#modules/warehouse/server/index.ts';
import { selfDoc } from '../../contract/self/doc.ts';
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

interface Noted {
  clientId?: string | undefined;
  lines?: readonly object[] | undefined;
}

/** Key of the document's next event: its number is free, because the document's row is locked. */
async function nextSource(ctx: Ctx, doc: SelfDoc, event: string): Promise<Source> {
  const { rows } = await sql<{ seq: number }>`
    SELECT coalesce(max(seq), 0) + 1 AS seq FROM shipping.self_event
     WHERE company_id = ${ctx.companyId} AND doc_id = ${doc.id}`.execute(ctx.db);
  return { type: SOURCE, id: doc.id, event, seq: rows[0]?.seq ?? 1, number: doc.number };
}

async function write(ctx: Ctx, source: Source, posting: string | null, { clientId, lines }: Noted): Promise<void> {
  await ctx.db
    .insertInto('shipping.self_event')
    .values({
      company_id: ctx.companyId,
      doc_id: source.id,
      seq: source.seq ?? 0,
      event: source.event,
      client_id: clientId ?? null,
      posting_id: posting,
      by_name: ctx.userName,
      lines: JSON.stringify(lines ?? []),
    })
    .execute();
}

/** Whether a command with this id of the client's was carried out before. */
export async function seenBefore(ctx: Ctx, doc: SelfDoc, clientId: string | undefined): Promise<boolean> {
  if (clientId === undefined) return false;
  const row = await ctx.db
    .selectFrom('shipping.self_event')
    .select('seq')
    .where('company_id', '=', ctx.companyId)
    .where('doc_id', '=', doc.id)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Posts moves as the next event of a document; answers the posting's id. */
export function postEvent(
  ctx: Ctx,
  doc: SelfDoc,
  event: string,
  moves: readonly Move[],
  lines: readonly Carried[],
): Promise<string> {
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, doc, event);
    const { id } = await post(ctx, { source, moves });
    await write(ctx, source, id, { lines });
    return id;
  });
}

/** Notes something that moved no stock: a scan. */
export async function noteEvent(ctx: Ctx, doc: SelfDoc, event: string, noted: Noted): Promise<void> {
  await write(ctx, await nextSource(ctx, doc, event), null, noted);
}

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
export function hold(ctx: Ctx, doc: SelfDoc): Promise<void> {
  const quantity = new Map(doc.lines.map((line) => [line.id, line.qty]));
  const lines = doc.parts.map(
    (part): ReserveLine => ({
      line: part.id,
      product: part.product,
      warehouse: doc.warehouse,
      qty: (quantity.get(part.line) ?? 0) * part.qtyPer,
    }),
  );
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, doc, 'reserve');
    const { id } = await reserve(ctx, { source, lines, shelfLife: SHELF_LIFE_DAYS });
    await write(ctx, source, id, {});
  });
}

/** What the document holds, in the order in which a picker walks. */
export function holdings(ctx: Ctx, doc: Pick<SelfDoc, 'id'>): Promise<Held[]> {
  return unscoped(ctx, () => heldBy(ctx, SOURCE, doc.id));
}

/** What several documents hold, all of it in the order in which a picker walks; `document` is the document. */
export function holdingsOfAll(ctx: Ctx, ids: readonly string[]): Promise<(Held & { document: string })[]> {
  return unscoped(ctx, () => heldByAll(ctx, SOURCE, ids));
}

/** Gives back all that the document holds. */
export function letGo(ctx: Ctx, doc: SelfDoc): Promise<void> {
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, doc, 'release');
    const posted = await release(ctx, source);
    if (posted) await write(ctx, source, posted.id, {});
  });
}
