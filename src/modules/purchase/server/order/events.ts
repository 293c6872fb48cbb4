import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { unscoped } from '#kit/server/scope.ts';
import { type Move, type MoveValue, post, valuesOf } from '#modules/warehouse/server/index.ts';
import { rematch } from '../invoice/match.ts';
import { owedAfter } from './due.ts';
import type { Order, OrderLine } from './load.ts';
import { type Change, changed } from './quantities.ts';

/** Type of the source of every posting that purchasing makes. */
export const SOURCE = 'purchase.order';

interface Happened {
  event: string;
  /** By line. */
  changes: ReadonlyMap<string, Change>;
  /** What moves besides what is waited for. */
  moves?: readonly Move[];
  note?: string | undefined;
  /** Counts as a change of the order by the caller, which is no transition. */
  touch?: boolean;
  /** Left out where nobody asks what the moves were worth: `values` of the effect are empty then. */
  unvalued?: boolean;
}

export interface Effect {
  order: Order;
  /** Null where nothing moved. */
  posting: string | null;
  /** Order currency: by how much each line's debt changed, by line. */
  owed: Map<string, string>;
  /** CNY, by the place of the move in `moves`. */
  values: MoveValue[];
}

/** 待入库 goes up or back by so many pieces of a product: a memo at the order's warehouse. */
function waitMove(order: Order, product: string, by: number): Move[] {
  if (by === 0) return [];
  const here = { warehouse: order.warehouse, status: 'EXPECTED' } as const;
  const way = by > 0 ? ({ from: 'SUPPLIER', to: here } as const) : ({ from: here, to: 'SUPPLIER' } as const);
  return [{ product, qty: Math.abs(by), ...way }];
}

/** How many pieces more (or fewer) a line waits for than before. */
export function waitedMore(order: Order, line: OrderLine): number {
  return line.open - (order.lines.find((one) => one.id === line.id)?.open ?? 0);
}

async function nextSeq(ctx: Ctx, id: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`
    SELECT coalesce(max(seq), 0) + 1 AS seq FROM purchase.order_event
     WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(ctx.db);
  return rows[0]?.seq ?? 1;
}

async function postMoves(ctx: Ctx, order: Order, event: string, moves: readonly Move[], note: string | undefined) {
  return unscoped(ctx, async () => {
    const seq = await nextSeq(ctx, order.id);
    const source = { type: SOURCE, id: order.id, event, seq, number: order.number };
    const { id } = await post(ctx, { source, moves, note });
    await ctx.db
      .insertInto('purchase.order_event')
      .values({ company_id: ctx.companyId, order_id: order.id, seq, event, posting_id: id })
      .execute();
    return id;
  });
}

/** Writes lines as they are after an event, and their sums on the head. */
export async function putLines(ctx: Ctx, orderId: string, lines: readonly OrderLine[], touch = false): Promise<void> {
  await sql`
    UPDATE purchase.order_line AS l
       SET received = v.received, inspecting = v.inspecting, rejected = v.rejected, returned = v.returned,
           replaced = v.replaced, exchanging = v.exchanging, cancelled = v.cancelled, limit_qty = v."limit",
           over_qty = v.over, free_qty = v.free, due = v.due
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS v(id uuid, received int, inspecting int, rejected int,
        returned int, replaced int, exchanging int, cancelled int, "limit" int, over int, free int, due numeric)
     WHERE l.company_id = ${ctx.companyId} AND l.id = v.id`.execute(ctx.db);
  await project(ctx, orderId, touch);
  await rematch(ctx, orderId);
}

/** Sums of the lines on the head, as lists read them; with `touch` also who changed it, and that it is another version. */
export async function project(ctx: Ctx, id: string, touch = false): Promise<void> {
  const touched = touch
    ? sql`, version = version + 1, updated_by_name = ${ctx.userName}, updated_at = kit.now()`
    : sql``;
  await sql`
    UPDATE purchase.purchase_order AS o
       SET sku_count = s.skus, qty = s.qty, open_qty = s.open, inspecting_qty = s.inspecting, received_qty = s.received,
           returned_qty = s.returned, replacing = s.replacing, amount = s.amount, due_amount = s.due,
           first_product_id = s.product${touched}
      FROM (SELECT count(DISTINCT product_id) AS skus, sum(qty) AS qty, sum(open_qty) AS open, sum(inspecting) AS inspecting,
                   sum(received) AS received, sum(returned) AS returned, bool_or(exchanging > 0 OR replaced > 0 AND open_qty > 0) AS replacing,
                   sum(amount + charge) AS amount, sum(due) AS due, (array_agg(product_id ORDER BY line_no))[1] AS product
              FROM purchase.order_line WHERE company_id = ${ctx.companyId} AND order_id = ${id}) AS s
     WHERE o.company_id = ${ctx.companyId} AND o.id = ${id}`.execute(ctx.db);
}

/**
 * Something happens to the pieces of a placed order: lines, debt, 待入库 and stock change together, as one posting of
 * the ledger. The order's row is locked. `moves` keep their places in `values`.
 * @throws refused by the ledger; check violations where more would come or go than there is
 */
export async function happen(
  ctx: Ctx,
  order: Order,
  { event, changes, moves = [], note, touch = false, unvalued = false }: Happened,
): Promise<Effect> {
  const owed = new Map<string, string>();
  const lines = order.lines.flatMap((line) => {
    const change = changes.get(line.id);
    if (!change) return [];
    const next = changed(line, change);
    const after = owedAfter(order, line, next);
    owed.set(line.id, after.owed);
    return [{ ...next, due: after.due }];
  });
  await putLines(ctx, order.id, lines, touch);
  const all = [...moves, ...lines.flatMap((line) => waitMove(order, line.product, waitedMore(order, line)))];
  const posting = all.length === 0 ? null : await postMoves(ctx, order, event, all, note);
  const values = posting === null || unvalued ? [] : await unscoped(ctx, () => valuesOf(ctx, posting));
  const next = new Map(lines.map((line) => [line.id, line]));
  const after = {
    ...order,
    version: order.version + Number(touch),
    lines: order.lines.map((line) => next.get(line.id) ?? line),
  };
  return { order: after, posting, owed, values };
}

/** 待入库 changes by so many pieces of each product and nothing else does. */
export async function waitFor(
  ctx: Ctx,
  order: Order,
  event: string,
  pieces: readonly { product: string; by: number }[],
): Promise<void> {
  const moves = pieces.flatMap(({ product, by }) => waitMove(order, product, by));
  if (moves.length > 0) await postMoves(ctx, order, event, moves, undefined);
}
