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
import { shipOrder } from '../../contract/order.ts';
import type { ShipOrder } from './load.ts';

/** What stands behind the ledger's entries of ship orders. */
export const SOURCE = shipOrder.name;

interface Noted {
  clientId?: string | undefined;
  /** What was sent, for the eye. */
  lines?: readonly object[] | undefined;
  note?: string | undefined;
}

/** Key of the order's next event: its number is free, because the order's row is locked. */
async function nextSource(ctx: Ctx, order: ShipOrder, event: string): Promise<Source> {
  const { rows } = await sql<{ seq: number }>`
    SELECT coalesce(max(seq), 0) + 1 AS seq FROM shipping.ship_order_event
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}`.execute(ctx.db);
  return { type: SOURCE, id: order.id, event, seq: rows[0]?.seq ?? 1, number: order.number };
}

async function write(ctx: Ctx, source: Source, posting: string | null, { clientId, lines }: Noted): Promise<void> {
  await ctx.db
    .insertInto('shipping.ship_order_event')
    .values({
      company_id: ctx.companyId,
      order_id: source.id,
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
export async function seenBefore(ctx: Ctx, order: ShipOrder, clientId: string | undefined): Promise<boolean> {
  if (clientId === undefined) return false;
  const row = await ctx.db
    .selectFrom('shipping.ship_order_event')
    .select('seq')
    .where('company_id', '=', ctx.companyId)
    .where('order_id', '=', order.id)
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row !== undefined;
}

/** Whether somebody wrote down what he took, since picking last began; he may have taken nothing. */
export async function wasWalked(ctx: Ctx, order: Pick<ShipOrder, 'id'>): Promise<boolean> {
  const { rows } = await sql<{ walked: boolean }>`
    SELECT coalesce(max(seq) FILTER (WHERE event = 'pick') > coalesce(max(seq) FILTER (WHERE event = 'unpick'), 0), false) AS walked
      FROM shipping.ship_order_event WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}`.execute(ctx.db);
  return rows[0]?.walked ?? false;
}

/** Posts moves as the next event of an order; answers the posting's id. */
export function postEvent(
  ctx: Ctx,
  order: ShipOrder,
  event: string,
  moves: readonly Move[],
  noted: Noted = {},
): Promise<string> {
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, order, event);
    const { id } = await post(ctx, { source, moves, note: noted.note });
    await write(ctx, source, id, noted);
    return id;
  });
}

/** Notes something that moved no stock: a scan. */
export async function noteEvent(ctx: Ctx, order: ShipOrder, event: string, noted: Noted): Promise<void> {
  await write(ctx, await nextSource(ctx, order, event), null, noted);
}

/** Holds pieces for the parts of an order. @throws refused B0801 not enough, B0803 frozen by a count */
export function hold(ctx: Ctx, order: ShipOrder): Promise<void> {
  const quantity = new Map(order.lines.map((line) => [line.id, line.qty]));
  const lines = order.parts.map(
    (part): ReserveLine => ({
      line: part.id,
      product: part.product,
      warehouse: order.warehouse,
      qty: (quantity.get(part.line) ?? 0) * part.qtyPer,
    }),
  );
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, order, 'reserve');
    const { id } = await reserve(ctx, { source, lines });
    await write(ctx, source, id, {});
  });
}

/** What the order holds, in the order in which a picker walks. */
export function holdings(ctx: Ctx, order: Pick<ShipOrder, 'id'>): Promise<Held[]> {
  return unscoped(ctx, () => heldBy(ctx, SOURCE, order.id));
}

/** What several orders hold, all of it in the order in which a picker walks; `document` is the order. */
export function holdingsOfAll(ctx: Ctx, ids: readonly string[]): Promise<(Held & { document: string })[]> {
  return unscoped(ctx, () => heldByAll(ctx, SOURCE, ids));
}

/** Gives back all that the order holds. */
export function letGo(ctx: Ctx, order: ShipOrder): Promise<void> {
  return unscoped(ctx, async () => {
    const source = await nextSource(ctx, order, 'release');
    const posted = await release(ctx, source);
    if (posted) await write(ctx, source, posted.id, {});
  });
}
