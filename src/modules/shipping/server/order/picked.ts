import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import { type Held, type Move, pickMany } from '#modules/warehouse/server/index.ts';
import { holdings, noteEvent, postEvent, wasWalked } from './events.ts';
import type { ShipOrder } from './load.ts';
import { movesStock } from './mode.ts';

/** What is held for each part. */
type ByPart = ReadonlyMap<string, readonly Held[]>;

const sumOf = (held: ByPart, part: string, key: 'held' | 'picked') =>
  (held.get(part) ?? []).reduce((total, one) => total + one[key], 0);

/**
 * How many of each line can leave with what was picked: whole sets of its parts, never more than was asked for. A piece of
 * a part that makes no whole set does not leave.
 */
export function wholeSets(
  order: Pick<ShipOrder, 'lines' | 'parts'>,
  picked: (part: string) => number,
): Map<string, number> {
  const byLine = Map.groupBy(order.parts, (part) => part.line);
  return new Map(
    order.lines.map((line) => {
      const mine = byLine.get(line.id) ?? [];
      const whole = Math.min(...mine.map((part) => Math.floor(picked(part.id) / part.qtyPer)));
      return [line.id, Math.min(line.qty, Number.isFinite(whole) ? whole : 0)];
    }),
  );
}

async function notePicked(ctx: Ctx, order: ShipOrder, sets: ReadonlyMap<string, number>): Promise<void> {
  const rows = [...sets].map(([line, qty]) => ({ line, qty }));
  await sql`
    UPDATE shipping.ship_order_line AS l SET picked_qty = v.qty
      FROM jsonb_to_recordset(${JSON.stringify(rows)}::jsonb) AS v(line uuid, qty int)
     WHERE l.company_id = ${ctx.companyId} AND l.order_id = ${order.id} AND l.id = v.line`.execute(ctx.db);
}

/** Pieces that are held and do not leave go back to 可用, those that lie farthest first. */
function giveBack(order: ShipOrder, held: ByPart, sets: ReadonlyMap<string, number>): Move[] {
  return order.parts.flatMap((part) => {
    let rest = sumOf(held, part.id, 'held') - (sets.get(part.line) ?? 0) * part.qtyPer;
    return (held.get(part.id) ?? [])
      .toReversed()
      .sort((a, b) => a.picked / a.held - b.picked / b.held)
      .flatMap((one): Move[] => {
        const now = Math.min(rest, one.held);
        rest -= now;
        if (now <= 0) return [];
        const place = { warehouse: one.warehouse, location: one.location, lot: one.lot };
        const [from, to] = [{ ...place, status: 'RESERVED' } as const, { ...place, status: 'AVAILABLE' } as const];
        return [{ product: one.product, qty: now, reservation: one.id, from, to }];
      });
  });
}

/** What can leave of each line by what is written down; `untouched` where nobody wrote anything: then all that is held. */
async function setsOf(ctx: Ctx, order: ShipOrder, byPart: ByPart) {
  const held = [...byPart.values()].flat();
  const untouched = held.every((one) => one.picked === 0) && !(await wasWalked(ctx, order));
  return { untouched, sets: wholeSets(order, (part) => sumOf(byPart, part, untouched ? 'held' : 'picked')) };
}

const empty = (sets: ReadonlyMap<string, number>) => [...sets.values()].every((qty) => qty === 0);

/**
 * Pieces of an order's lines that would stay behind if its picking was over now, as far as stock is held for it; undefined
 * where nothing could leave.
 */
export async function shortOf(ctx: Ctx, order: ShipOrder, held: readonly Held[]): Promise<number | undefined> {
  const { sets } = await setsOf(
    ctx,
    order,
    Map.groupBy(held, (one) => one.line),
  );
  if (empty(sets)) return undefined;
  return order.lines.reduce((total, line) => total + line.qty - (sets.get(line.id) ?? 0), 0);
}

/**
 * Picking is over: what was picked in whole sets is what leaves, the rest is given back. Where nobody scanned or entered
 * anything, all that is held counts as picked: the sheet was walked on paper and nothing was missing.
 * @throws refused B1311 where nothing can leave
 */
export async function settlePicked(ctx: Ctx, order: ShipOrder): Promise<void> {
  if (!movesStock(order)) {
    await notePicked(ctx, order, new Map(order.lines.map((line) => [line.id, line.qty])));
    return;
  }
  const held = await holdings(ctx, order);
  const byPart: ByPart = Map.groupBy(held, (one) => one.line);
  const { untouched, sets } = await setsOf(ctx, order, byPart);
  if (empty(sets)) throw refused('没有配到货，请取消发货单', 'B1311');
  if (untouched) await counted(ctx, held, (one) => one.held);
  const moves = giveBack(order, byPart, sets);
  if (moves.length > 0) {
    await returnPicked(ctx, held, moves);
    await postEvent(ctx, order, 'short', moves);
  }
  await notePicked(ctx, order, sets);
}

/** Fewer leave than were picked: what does not is given back. `sets`: how many of each line leave; none of a line that is absent. */
export async function shrinkPicked(ctx: Ctx, order: ShipOrder, sets: ReadonlyMap<string, number>): Promise<void> {
  const left = new Map(order.lines.map((line) => [line.id, sets.get(line.id) ?? 0]));
  const held = await holdings(ctx, order);
  const moves = giveBack(
    order,
    Map.groupBy(held, (one) => one.line),
    left,
  );
  if (moves.length > 0) {
    await returnPicked(ctx, held, moves);
    await postEvent(ctx, order, 'short', moves);
  }
  await notePicked(ctx, order, left);
}

/** What was picked of pieces that are given back is put back first: no reservation is picked beyond what it holds. */
async function returnPicked(ctx: Ctx, held: readonly Held[], moves: readonly Move[]): Promise<void> {
  const back = new Map(moves.map((move) => [move.reservation, move.qty]));
  await counted(ctx, held, (one) => {
    const over = one.picked - (one.held - (back.get(one.id) ?? 0));
    return back.has(one.id) && over > 0 ? -over : 0;
  });
}

/** Counts so many more pieces of each reservation as picked, in one statement; none where it is 0. */
function counted(ctx: Ctx, held: readonly Held[], piecesOf: (one: Held) => number): Promise<void> {
  const picks = held.map((one) => ({ id: one.id, pieces: piecesOf(one) })).filter(({ pieces }) => pieces !== 0);
  return unscoped(ctx, () => pickMany(ctx, picks));
}

/** Picking begins anew: what was picked lies at its place again. */
export async function clearPicked(ctx: Ctx, order: ShipOrder): Promise<void> {
  await counted(ctx, await holdings(ctx, order), (one) => -one.picked);
  await noteEvent(ctx, order, 'unpick', {});
  await notePicked(ctx, order, new Map(order.lines.map((line) => [line.id, 0])));
}
