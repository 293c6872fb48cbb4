import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { type Held, heldBy, type Move, post, release, reserve, type Source } from '#modules/warehouse/server/index.ts';
import { processOrder } from '../../contract/process.ts';
import type { Process } from './load.ts';

/** Pieces of a part at one place, in one lot. */
export interface Cell {
  product: string;
  location: string;
  lot: string;
  qty: number;
}

async function nextSource(ctx: Ctx, order: Process, event: string): Promise<Source> {
  const { rows } = await sql<{ seq: number }>`
    SELECT coalesce(max(seq), 0) + 1 AS seq FROM purchase.process_event
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}`.execute(ctx.db);
  return { type: processOrder.name, id: order.id, event, seq: rows[0]?.seq ?? 1, number: order.number };
}

/** Writes an event down; `cells` is what it put into work, negative what it took out. */
export async function noteEvent(ctx: Ctx, source: Source, posting: string, cells: readonly Cell[] = []): Promise<void> {
  await ctx.db
    .insertInto('purchase.process_event')
    .values({
      company_id: ctx.companyId,
      order_id: source.id,
      seq: source.seq ?? 0,
      event: source.event,
      posting_id: posting,
      cells: JSON.stringify(cells),
    })
    .execute();
}

/** Posts moves as the next event of an order. @returns the posting's id */
export function postEvent(
  ctx: Ctx,
  order: Process,
  event: string,
  moves: readonly Move[],
  cells: readonly Cell[],
  note?: string,
): Promise<string> {
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, order, event);
    const { id } = await post(ctx, { source, moves, note });
    await noteEvent(ctx, source, id, cells);
    return id;
  });
}

/** Notes that an output was taken back: its parts are in work again. */
export async function noteBack(ctx: Ctx, order: Process, posting: string, cells: readonly Cell[]): Promise<void> {
  await noteEvent(ctx, await nextSource(ctx, order, 'reverse'), posting, cells);
}

/** Holds the parts of the whole order. @throws refused B0801 with the part that is short */
export function holdParts(ctx: Ctx, order: Process): Promise<void> {
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, order, 'reserve');
    const lines = order.parts.map((part) => ({
      line: part.id,
      product: part.product,
      warehouse: order.warehouse,
      qty: part.qty,
    }));
    const { id } = await reserve(ctx, { source, lines, shelfLife: 0 });
    await noteEvent(ctx, source, id);
  });
}

/** Gives back what the order holds. */
export function letPartsGo(ctx: Ctx, order: Process): Promise<void> {
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, order, 'release');
    const posted = await release(ctx, source);
    if (posted) await noteEvent(ctx, source, posted.id);
  });
}

/** What the order holds: all of its parts. What somebody gave back meanwhile is held again. @throws refused B0801 */
async function heldParts(ctx: Ctx, order: Process): Promise<Held[]> {
  const holding = () => unscoped(ctx, () => heldBy(ctx, processOrder.name, order.id));
  const held = await holding();
  // No part is held beyond its need, so the sums tell.
  const needed = order.parts.reduce((sum, part) => sum + part.qty, 0);
  if (held.reduce((sum, one) => sum + one.held, 0) === needed) return held;
  await letPartsGo(ctx, order);
  await holdParts(ctx, order);
  return holding();
}

/**
 * The parts that are held go to the line or the processor: they stay ours, as 加工中.
 * @throws refused B0801 with the part that is short because what was held of it was given back
 */
export async function issueParts(ctx: Ctx, order: Process): Promise<void> {
  const held = await heldParts(ctx, order);
  const moves = held.map(
    ({ id, product, location, lot, held: qty }): Move => ({
      product,
      qty,
      reservation: id,
      from: { warehouse: order.warehouse, status: 'RESERVED', location, lot },
      to: { warehouse: order.warehouse, status: 'PROCESSING', location, lot },
    }),
  );
  const cells = held.map(({ product, location, lot, held: qty }) => ({ product, location, lot, qty }));
  await postEvent(ctx, order, 'issue', moves, cells);
}

/** What the order has in work, by place and lot: all that its events put in, less what they took out. */
export async function inWork(ctx: Ctx, orderId: string): Promise<Cell[]> {
  const { rows } = await sql<Cell>`
    SELECT c.product, c.location, c.lot, sum(c.qty)::int AS qty
      FROM purchase.process_event AS e,
           jsonb_to_recordset(e.cells) AS c(product uuid, location uuid, lot uuid, qty int)
     WHERE e.company_id = ${ctx.companyId} AND e.order_id = ${orderId}
     GROUP BY 1, 2, 3 HAVING sum(c.qty) > 0 ORDER BY min(e.seq), 1, 2, 3`.execute(ctx.db);
  return rows;
}

export const negative = (cells: readonly Cell[]): Cell[] => cells.map((cell) => ({ ...cell, qty: -cell.qty }));
