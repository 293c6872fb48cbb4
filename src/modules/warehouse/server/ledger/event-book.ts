import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { post } from './post.ts';
import { type Held, heldBy, type ReserveLine, type ReserveRequest, release, reserve } from './reserve.ts';
import type { Move, Source } from './types.ts';

/** What of an event is written down beside its posting. */
export interface Noted {
  clientId?: string | undefined;
  /** What was sent, for the eye. */
  lines?: readonly object[] | undefined;
  note?: string | undefined;
}

type Numbered = { id: string; number: string };

interface Kept<D> {
  /** Table of the documents' events, of the module that keeps them, and its column that names the document. */
  table: string;
  key: string;
  /** What stands behind the ledger's entries of a document. */
  type: (doc: D) => string;
}

/**
 * The book of what moved stock for documents of a kind, or was scanned for them: one row for each event, numbered within its
 * document, once per id that a client gave it. Every command of a document locks its row first, so that the next number is
 * free. `D`: what of a document tells its source.
 */
export interface EventBook<D extends { id: string }> {
  /** Key of the next event in the ledger. */
  next: (ctx: Ctx, doc: D & Numbered, event: string) => Promise<Source>;
  write: (ctx: Ctx, source: Source, posting: string | null, noted?: Noted) => Promise<void>;
  /** Whether a command with this id of the client's was carried out before. */
  seenBefore: (ctx: Ctx, doc: D, clientId: string | undefined) => Promise<boolean>;
  /** Posts moves as the next event; answers the posting's id. */
  postEvent: (ctx: Ctx, doc: D & Numbered, event: string, moves: readonly Move[], noted?: Noted) => Promise<string>;
  /** Notes something that moved no stock: a scan, a count. */
  noteEvent: (ctx: Ctx, doc: D & Numbered, event: string, noted: Noted) => Promise<void>;
  /** Holds pieces for lines. @throws refused B0801 not enough, B0803 frozen by a count */
  hold: (
    ctx: Ctx,
    doc: D & Numbered,
    lines: readonly ReserveLine[],
    how?: Pick<ReserveRequest, 'shelfLife' | 'until'>,
  ) => Promise<void>;
  /** What a document holds, in the order in which a picker walks. */
  holdings: (ctx: Ctx, doc: D) => Promise<Held[]>;
  /** Gives back all that a document holds, or only some of it. */
  letGo: (ctx: Ctx, doc: D & Numbered, only?: readonly string[]) => Promise<void>;
}

/** The book of documents whose events stand in `table`. */
export function eventBook<D extends { id: string }>({ table, key, type }: Kept<D>): EventBook<D> {
  const [events, document] = [sql.table(table), sql.ref(key)];
  const next = async (ctx: Ctx, doc: D & Numbered, event: string): Promise<Source> => {
    const { rows } = await sql<{ seq: number }>`
      SELECT coalesce(max(seq), 0) + 1 AS seq FROM ${events}
       WHERE company_id = ${ctx.companyId} AND ${document} = ${doc.id}`.execute(ctx.db);
    return { type: type(doc), id: doc.id, event, seq: rows[0]?.seq ?? 1, number: doc.number };
  };
  const write = async (ctx: Ctx, source: Source, posting: string | null, noted: Noted = {}): Promise<void> => {
    await sql`
      INSERT INTO ${events} (company_id, ${document}, seq, event, client_id, posting_id, by_name, lines)
      VALUES (${ctx.companyId}, ${source.id}, ${source.seq ?? 0}, ${source.event}, ${noted.clientId ?? null}, ${posting},
              ${ctx.userName}, ${JSON.stringify(noted.lines ?? [])}::jsonb)`.execute(ctx.db);
  };
  return {
    next,
    write,
    seenBefore: async (ctx, doc, clientId) => {
      if (clientId === undefined) return false;
      const { rows } = await sql`
        SELECT FROM ${events}
         WHERE company_id = ${ctx.companyId} AND ${document} = ${doc.id} AND client_id = ${clientId} LIMIT 1`.execute(
        ctx.db,
      );
      return rows.length > 0;
    },
    postEvent: (ctx, doc, event, moves, noted = {}) =>
      unscoped(ctx, async () => {
        const source = await next(ctx, doc, event);
        const { id } = await post(ctx, { source, moves, note: noted.note });
        await write(ctx, source, id, noted);
        return id;
      }),
    noteEvent: async (ctx, doc, event, noted) => write(ctx, await next(ctx, doc, event), null, noted),
    hold: (ctx, doc, lines, how = {}) =>
      unscoped(ctx, async () => {
        const source = await next(ctx, doc, 'reserve');
        const { id } = await reserve(ctx, { source, lines, ...how });
        await write(ctx, source, id);
      }),
    holdings: (ctx, doc) => unscoped(ctx, () => heldBy(ctx, type(doc), doc.id)),
    letGo: (ctx, doc, only) =>
      unscoped(ctx, async () => {
        const source = await next(ctx, doc, 'release');
        const posted = await release(ctx, source, only);
        if (posted) await write(ctx, source, posted.id);
      }),
  };
}
