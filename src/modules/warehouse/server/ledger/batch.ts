import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { postingWords } from '../stock/sources.ts';

/** Pieces that some moves of a posting brought into layers: a batch. */
export interface Batch {
  posting: string;
  /** Numbers of the moves in the posting, from 1. */
  moves: readonly number[];
}

/** What became of a batch: pieces, and CNY with four decimals. */
export interface BatchSums {
  /** Still on their way, on hand, issued, and of the issued those that left before they arrived. */
  way: number;
  here: number;
  gone: number;
  lost: number;
  /** When the first pieces arrived; null while none did. */
  received_at: string | null;
  /** Left in layers, issued, and value that came after pieces had left: together all that the batch cost. */
  rest: string;
  issued: string;
  variance: string;
  /** Parts of the whole; what is not named was paid for the pieces themselves. `late_leg` came after the posting. */
  first_leg: string;
  late_leg: string;
  other: string;
  /** The cost of pieces that are left is provisional. */
  estimated: boolean;
}

/**
 * SELECT of (posting_id, move_no, …BatchSums): what became of the pieces that moves of some postings brought into layers, by move.
 * `postings` is an array of their ids, in SQL. See also {@link sumsOfMoves}.
 */
export const batchSumsSelect = (postings: RawBuilder<unknown>): RawBuilder<unknown> =>
  sql`SELECT * FROM warehouse.batch_sums(${postings})`;

/** Columns of BatchSums over rows `m` of {@link batchSumsSelect}: those of several moves together. */
export const sumsOfMoves: RawBuilder<unknown> = sql`sum(m.way)::int AS way, sum(m.here)::int AS here, sum(m.gone)::int AS gone,
  sum(m.lost)::int AS lost, min(m.received_at) AS received_at, sum(m.rest) AS rest, sum(m.issued) AS issued,
  sum(m.variance) AS variance, sum(m.first_leg) AS first_leg, sum(m.late_leg) AS late_leg, sum(m.other) AS other,
  bool_or(m.estimated) AS estimated`;

/** A document that pieces of a batch came from. */
export interface BatchOrigin {
  posting: string;
  move: number;
  number: string;
  /** e.g. 「采购单·收货」 */
  action: string;
  path: string | null;
  /** Day of the first receipt. */
  day: string;
  qty: number;
  /** CNY that these pieces were worth as they left with the batch. */
  amount: string;
}

/** Where the pieces of batches were first received: up from their layers through transfers and swaps, the oldest first. */
export async function originsOf(ctx: Ctx, batches: readonly Batch[]): Promise<BatchOrigin[]> {
  const wanted = batches.flatMap(({ posting, moves }) => moves.map((move) => ({ posting, move })));
  if (wanted.length === 0) return [];
  const { rows } = await unscoped(ctx, () =>
    sql<Omit<BatchOrigin, 'action' | 'path'> & { source_type: string; source_id: string; source_event: string }>`
      WITH RECURSIVE up AS (
        SELECT l.id AS root, w.posting, w.move, l.qty_in AS qty, coalesce(c.amount, l.amount_in) AS amount,
               coalesce(l.parent_layer_id, l.id) AS layer
          FROM jsonb_to_recordset(${JSON.stringify(wanted)}::jsonb) AS w(posting uuid, move int)
          JOIN warehouse.cost_layer AS l ON l.company_id = ${ctx.companyId} AND l.source_posting_id = w.posting
           AND l.source_move = w.move
          LEFT JOIN warehouse.layer_consumption AS c ON c.company_id = l.company_id AND c.posting_id = w.posting
           AND c.move_no = w.move AND c.layer_id = l.parent_layer_id
        UNION ALL
        SELECT u.root, u.posting, u.move, u.qty, u.amount, y.parent_layer_id
          FROM up AS u JOIN warehouse.cost_layer AS y ON y.company_id = ${ctx.companyId} AND y.id = u.layer
         WHERE y.parent_layer_id IS NOT NULL)
      SELECT u.posting, u.move, o.source_number AS number, o.source_type, o.source_id, o.source_event,
             y.original_date::text AS day, sum(u.qty)::int AS qty, sum(u.amount)::text AS amount
        FROM up AS u
        JOIN warehouse.cost_layer AS y ON y.company_id = ${ctx.companyId} AND y.id = u.layer AND y.parent_layer_id IS NULL
        JOIN warehouse.stock_posting AS o ON o.company_id = y.company_id AND o.id = y.source_posting_id
       GROUP BY u.posting, u.move, o.id, o.source_number, o.source_type, o.source_id, o.source_event, y.original_date
       ORDER BY y.original_date, o.id`.execute(ctx.db),
  );
  return rows.map((row) => {
    const { source_type, source_id, source_event, ...origin } = row;
    return { ...origin, ...postingWords(ctx, { source_type, source_id, source_event }) };
  });
}

/** How many pieces each move of a batch brought, by its number. */
export async function batchPieces(ctx: Ctx, { posting, moves }: Batch): Promise<Map<number, number>> {
  const { rows } = await unscoped(ctx, () =>
    sql<{ move: number; qty: number }>`
      SELECT source_move AS move, sum(qty_in)::int AS qty FROM warehouse.cost_layer
       WHERE company_id = ${ctx.companyId} AND source_posting_id = ${posting} AND source_move = ANY (${[...moves]}::int[])
       GROUP BY 1 ORDER BY 1`.execute(ctx.db),
  );
  return new Map(rows.map(({ move, qty }) => [move, qty]));
}
