import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { nextNumber } from '#kit/server/sequence.ts';
import type { moveShelf, putAway, ShelfDone, takeDown } from '../../contract/shelf.ts';
import { draw } from '../documents/core/draw.ts';
import { atRest, requireMove, type Warehouse, warehouseOf } from '../documents/core/places.ts';
import { post } from '../ledger/post.ts';
import type { Move } from '../ledger/types.ts';

/** Source of the postings that move pieces between locations. */
export const SHELF = 'warehouse.shelf';

const TITLES = { putaway: '上架', pull: '下架', move: '移位' } as const;
type Mode = keyof typeof TITLES;

interface Line {
  productId: string;
  qty: number;
  lotId?: string | undefined;
  fromId: string;
  toId: string;
}

interface Input {
  clientId: string;
  warehouseId: string;
  remark: string;
  lines: readonly Line[];
}

/** What the command came to when it was carried out before. */
async function doneBefore(ctx: Ctx, clientId: string): Promise<ShelfDone | undefined> {
  const { rows } = await sql<{ number: string; pieces: number }>`
    SELECT p.source_number AS number, coalesce(sum(e.qty) FILTER (WHERE e.qty > 0), 0)::int AS pieces
      FROM warehouse.stock_posting AS p
      JOIN warehouse.stock_entry AS e ON e.company_id = p.company_id AND e.posting_id = p.id
     WHERE p.company_id = ${ctx.companyId} AND p.source_type = ${SHELF} AND p.source_id = ${clientId}
     GROUP BY p.id, p.source_number`.execute(ctx.db);
  const first = rows[0];
  return first && { ...first, repeated: true };
}

/** The moves of the lines, lot by lot. @throws refused B0801 where less is free at the place than is asked for */
async function movesOf(ctx: Ctx, warehouse: Warehouse, lines: readonly Line[]): Promise<Move[]> {
  const status = atRest(warehouse);
  const wanted = lines.map(({ productId, qty, lotId, fromId }, index) => ({
    id: String(index),
    product: productId,
    qty,
    location: fromId,
    lot: lotId ?? null,
  }));
  return (await draw(ctx, warehouse, status, wanted)).map(({ line, product, location, lot, qty }) => ({
    product,
    qty,
    from: { warehouse: warehouse.id, status, location, lot },
    to: { warehouse: warehouse.id, status, location: lines[Number(line)]?.toId, lot },
  }));
}

/**
 * Moves pieces between locations of one warehouse: a posting that touches no cost. What documents hold stays where it is.
 * The same `clientId` a second time changes nothing. @throws refused B0801 not enough there, B0802 no such location,
 * B0803 frozen by a count, B0841 from a place to itself
 */
async function shift(ctx: Ctx, mode: Mode, input: Input): Promise<ShelfDone> {
  const before = await doneBefore(ctx, input.clientId);
  if (before) {
    ctx.audited = true;
    return before;
  }
  requireMove(ctx, input.warehouseId);
  if (input.lines.some((line) => line.fromId === line.toId)) throw refused('移出库位与移入库位不能相同', 'B0841');
  const warehouse = await warehouseOf(ctx, input.warehouseId);
  const moves = await movesOf(ctx, warehouse, input.lines);
  const number = await nextNumber(ctx, 'SJ{yyMMdd}{seq:4}', ctx.clock.today());
  const source = { type: SHELF, id: input.clientId, event: mode, number };
  await post(ctx, { source, moves, note: input.remark });
  const pieces = moves.reduce((sum, { qty }) => sum + qty, 0);
  await audit(ctx, {
    action: TITLES[mode],
    resource: 'warehouse.shelf',
    resourceId: input.clientId,
    after: { number, warehouse: warehouse.name, lines: input.lines.length, pieces },
  });
  return { number, pieces, repeated: false };
}

/** 上架: from STAGING to a place. */
export function shelve(ctx: Ctx, input: z.output<typeof putAway.body>): Promise<ShelfDone> {
  return shift(ctx, 'putaway', {
    ...input,
    lines: input.lines.map((line) => ({ ...line, fromId: input.warehouseId })),
  });
}

/** 下架: from a place to STAGING. */
export function unshelve(ctx: Ctx, input: z.output<typeof takeDown.body>): Promise<ShelfDone> {
  return shift(ctx, 'pull', { ...input, lines: input.lines.map((line) => ({ ...line, toId: input.warehouseId })) });
}

/** 移位: from one place to another. */
export function relocate(ctx: Ctx, input: z.output<typeof moveShelf.body>): Promise<ShelfDone> {
  return shift(ctx, 'move', input);
}
