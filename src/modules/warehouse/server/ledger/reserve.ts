import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { post } from './post.ts';
import { refusalOf } from './refusal.ts';
import type { Move, Posted, Source } from './types.ts';
import { callLedger, operatorOf, wireMoves } from './wire.ts';

export interface ReserveLine {
  /** Id of the document's line: what is held can be told by line. */
  line: string;
  product: string;
  warehouse: string;
  qty: number;
  /** Narrow the choice to one location or lot (锁批次); left out, the ledger draws them (锁数量). */
  location?: string | undefined;
  lot?: string | undefined;
}

export interface ReserveRequest {
  source: Source;
  lines: readonly ReserveLine[];
  /** Days of shelf life that a lot with an expiry must have left; the company's setting where left out. */
  shelfLife?: number | undefined;
  /** Instant at which the hold may be taken away. */
  until?: string | undefined;
  note?: string | undefined;
}

/** What a document holds in one cell. */
export interface Held {
  id: string;
  line: string;
  product: string;
  warehouse: string;
  location: string;
  lot: string;
  /** Pieces still held: neither shipped nor released. */
  held: number;
  picked: number;
  shipped: number;
}

async function shelfLifeOf(ctx: Ctx): Promise<number> {
  const row = await ctx.db
    .selectFrom('warehouse.setting')
    .select('shelf_life_days')
    .where('company_id', '=', ctx.companyId)
    .executeTakeFirst();
  return row?.shelf_life_days ?? 105;
}

/**
 * Holds pieces for a document: 可用 becomes 待出库, all lines or none. Lots that expire first come first, then the oldest,
 * then the shortest way. `heldBy` tells what was drawn. @throws refused B0801 not enough, B0803 frozen by a count
 */
export async function reserve(ctx: Ctx, request: ReserveRequest): Promise<Posted> {
  const { source, lines, until, note } = request;
  if (lines.length === 0) throw refused('至少添加一行数据', 'B0811');
  if (lines.some(({ qty }) => !Number.isSafeInteger(qty) || qty <= 0)) throw refused('数量必须为正整数', 'B0810');
  return callLedger(ctx, 'reserve', {
    type: source.type,
    id: source.id,
    event: source.event,
    seq: source.seq ?? 0,
    number: source.number,
    date: null,
    backdate: 0,
    shelfLife: request.shelfLife ?? (await shelfLifeOf(ctx)),
    until,
    ...operatorOf(ctx, note),
    lines: lines.map((line, index) => ({
      n: index + 1,
      line: line.line,
      p: line.product,
      q: line.qty,
      w: line.warehouse,
      l: line.location,
      b: line.lot,
    })),
  });
}

/** Pieces of one place that a document is to hold. */
export interface PlacedLine extends ReserveLine {
  location: string;
  lot: string;
}

/**
 * Holds pieces just where they lie; `reserve` would choose among places and lock them all. For pieces that the same
 * transaction gave back. @throws refused B0801 not enough there, B0803 frozen by a count
 */
export function reserveAt(ctx: Ctx, request: Omit<ReserveRequest, 'lines'> & { lines: readonly PlacedLine[] }) {
  const { source, until, note } = request;
  const lines = request.lines.map((line) => ({ ...line, id: randomUUID() }));
  const moves = lines.map(({ id, product, warehouse, location, lot, qty }): Move => {
    const place = { warehouse, location, lot };
    const [from, to] = [{ ...place, status: 'AVAILABLE' } as const, { ...place, status: 'RESERVED' } as const];
    return { product, qty, reservation: id, from, to };
  });
  return callLedger(ctx, 'post', {
    type: source.type,
    id: source.id,
    event: source.event,
    seq: source.seq ?? 0,
    number: source.number,
    date: null,
    backdate: 0,
    ...operatorOf(ctx, note),
    moves: wireMoves(ctx.companyId, moves),
    reservations: lines.map(({ id, line, product, warehouse, location, lot }) => ({
      id,
      line,
      p: product,
      w: warehouse,
      l: location,
      b: lot,
      until,
    })),
  });
}

/** What several documents still hold, all of it in the order in which a picker walks. */
export async function heldByAll(
  ctx: Ctx,
  documentType: string,
  documentIds: readonly string[],
): Promise<(Held & { document: string })[]> {
  if (documentIds.length === 0) return [];
  const { rows } = await sql<Held & { document: string }>`
    SELECT r.id, r.document_id AS document, r.line_id AS line, r.product_id AS product, r.warehouse_id AS warehouse,
           r.location_id AS location, r.lot_id AS lot, r.held, r.picked_qty AS picked, r.shipped_qty AS shipped
      FROM warehouse.reservation AS r
      JOIN warehouse.location AS l ON l.company_id = r.company_id AND l.id = r.location_id
     WHERE r.company_id = ${ctx.companyId} AND r.document_type = ${documentType}
       AND r.document_id = ANY (${[...documentIds]}::text[]) AND r.held > 0
     ORDER BY l.pick_sequence, l.path, r.id`.execute(ctx.db);
  return rows;
}

/** What a document still holds, in the order in which a picker walks. */
export function heldBy(ctx: Ctx, documentType: string, documentId: string): Promise<Held[]> {
  return heldByAll(ctx, documentType, [documentId]);
}

/** Pieces of documents that are picked and still held, by document; absent where none are. */
export async function pickedBy(
  ctx: Ctx,
  documentType: string,
  documentIds: readonly string[],
): Promise<Map<string, number>> {
  if (documentIds.length === 0) return new Map();
  const { rows } = await sql<{ id: string; picked: number }>`
    SELECT document_id AS id, sum(picked_qty)::int AS picked FROM warehouse.reservation
     WHERE company_id = ${ctx.companyId} AND document_type = ${documentType}
       AND document_id = ANY (${[...documentIds]}::text[]) AND held > 0
     GROUP BY 1`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row.picked]));
}

/**
 * Gives back what a document still holds, or only some of its reservations: 待出库 becomes 可用 where it lies. Answers
 * undefined where nothing was held.
 */
export async function release(ctx: Ctx, source: Source, only?: readonly string[]): Promise<Posted | undefined> {
  const held = await heldBy(ctx, source.type, source.id);
  const wanted = held.filter(({ id }) => only === undefined || only.includes(id));
  if (wanted.length === 0) return undefined;
  return post(ctx, {
    source,
    moves: wanted.map(({ id, product, warehouse, location, lot, held: qty }) => ({
      product,
      qty,
      reservation: id,
      from: { warehouse, location, lot, status: 'RESERVED' },
      to: { warehouse, location, lot, status: 'AVAILABLE' },
    })),
  });
}

/**
 * Counts pieces of a reservation as picked; a negative number puts them back. Moves no stock. Answers how many are
 * picked. @throws refused B0804 beyond what is reserved
 */
export async function pick(ctx: Ctx, reservationId: string, pieces: number): Promise<number> {
  if (!Number.isSafeInteger(pieces) || pieces === 0) throw refused('数量必须为正整数', 'B0810');
  try {
    const { rows } = await sql<{ picked: number }>`
      SELECT warehouse.pick(${reservationId}::uuid, ${pieces}::int) AS picked`.execute(ctx.db);
    return rows[0]?.picked ?? 0;
  } catch (error) {
    throw refusalOf(error);
  }
}

/** As `pick`, for many reservations in one statement. @throws refused B0804 beyond what is reserved; then none is counted */
export async function pickMany(ctx: Ctx, picks: readonly { id: string; pieces: number }[]): Promise<void> {
  if (picks.length === 0) return;
  try {
    await sql`
      SELECT warehouse.pick(r.id, r.pieces)
        FROM jsonb_to_recordset(${JSON.stringify(picks)}::jsonb) AS r(id uuid, pieces int)`.execute(ctx.db);
  } catch (error) {
    throw refusalOf(error);
  }
}
