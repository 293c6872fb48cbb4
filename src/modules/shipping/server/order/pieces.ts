import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Cost } from '#modules/warehouse/server/index.ts';
import type { ShipOrder } from './load.ts';

/** Pieces of one lot that left for a part of an order, and where they are now. */
export interface Piece {
  part: string;
  lot: string;
  qty: number;
  /** Still on its way. */
  open: number;
  lost: number;
  /** What the lost ones are worth, CNY, and the day of their first receipt; without a day neither is known. */
  lostValue: string;
  lostSince: string | null;
}

/** The pieces of an order by part and lot, locked. */
export async function piecesOf(ctx: Ctx, order: Pick<ShipOrder, 'id'>): Promise<Piece[]> {
  const { rows } = await sql<Piece>`
    SELECT part_id AS part, lot_id AS lot, qty, qty - received_qty - lost_qty AS open, lost_qty AS lost,
           lost_value::text AS "lostValue", lost_since AS "lostSince"
      FROM shipping.ship_order_piece
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id} ORDER BY part_id, lot_id FOR UPDATE`.execute(
    ctx.db,
  );
  return rows;
}

/** Writes where the pieces are now. */
export async function notePieces(ctx: Ctx, pieces: readonly Piece[]): Promise<void> {
  await sql`
    UPDATE shipping.ship_order_piece AS p
       SET received_qty = p.qty - v.open - v.lost, lost_qty = v.lost, lost_value = v."lostValue", lost_since = v."lostSince"
      FROM jsonb_to_recordset(${JSON.stringify(pieces)}::jsonb)
        AS v(part uuid, lot uuid, open int, lost int, "lostValue" numeric, "lostSince" date)
     WHERE p.company_id = ${ctx.companyId} AND p.part_id = v.part AND p.lot_id = v.lot`.execute(ctx.db);
}

/** Pieces of a lot that come, or go back, and from where. */
export interface Taken {
  lot: string;
  qty: number;
  from: 'way' | 'lost' | 'shelf';
  /** What those that were lost were worth. */
  cost?: Cost;
}

/** Takes `qty` of the lost pieces of a lot back, with their share of the value; the last ones take all that is left of it. */
function findLost(piece: Piece, qty: number): Taken {
  const value =
    qty === piece.lost ? piece.lostValue : new Decimal(piece.lostValue).times(qty).div(piece.lost).toFixed(4);
  const cost: Cost | undefined = piece.lostSince === null ? undefined : { value, firstDay: piece.lostSince };
  piece.lost -= qty;
  piece.lostValue = new Decimal(piece.lostValue).minus(value).toFixed(4);
  if (piece.lost === 0) piece.lostSince = null;
  return { lot: piece.lot, qty, from: 'lost', ...(cost ? { cost } : {}) };
}

/**
 * Takes `qty` pieces of a part out of what is on its way and then out of what was lost or, below 0, puts received ones back
 * on their way, lot by lot. The pieces are changed.
 */
export function take(pieces: readonly Piece[], part: string, qty: number): Taken[] {
  let rest = Math.abs(qty);
  const mine = pieces.filter((piece) => piece.part === part);
  const share = (most: number): number => {
    const now = Math.min(rest, most);
    rest -= now;
    return now;
  };
  const taken: Taken[] = [];
  if (qty > 0) {
    for (const piece of mine) {
      const now = share(piece.open);
      piece.open -= now;
      if (now > 0) taken.push({ lot: piece.lot, qty: now, from: 'way' });
    }
    for (const piece of mine) {
      const now = share(piece.lost);
      if (now > 0) taken.push(findLost(piece, now));
    }
  } else {
    for (const piece of mine.toReversed()) {
      const now = share(piece.qty - piece.open - piece.lost);
      piece.open += now;
      if (now > 0) taken.push({ lot: piece.lot, qty: now, from: 'shelf' });
    }
  }
  return taken;
}
