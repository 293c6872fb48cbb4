import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { analyseIfGrown } from '#kit/server/db/statistics.ts';
import { emit } from '#kit/server/events.ts';
import {
  type AccountRef,
  itemsAside,
  type LandCounts,
  setAsideItems,
  settleItems,
} from '#modules/marketplace/server/index.ts';
import type { OrderSource } from '../../contract/status.ts';
import { confirmLanded } from '../acts/confirm.ts';
import { decide } from './decide.ts';
import { estimatePrices, foldDays, openTouched, ordersTouched, touch } from './derive.ts';
import type { FactRow, Refused } from './fact.ts';
import { stageRows } from './stage.ts';
import { forgetTold, holdOrders } from './told.ts';
import {
  fillGaps,
  logChanges,
  raiseFirstQuantities,
  rememberItems,
  retireLines,
  writeLines,
  writeOrders,
  writeSkus,
} from './write.ts';

export interface Delivery {
  source: OrderSource;
  /** Code of the stream, or type of the report. */
  kind: string;
  rows: AsyncIterable<readonly FactRow[]>;
  /** Orders of the delivery that its reader could not take over; filled by the time that `rows` ends. */
  refused?: readonly Refused[];
  /** Orders of which a line could not be read, known by the time that `rows` ends: they are left out whole. */
  incomplete?: () => readonly string[];
  /** ISO instant after which no order can have been bought; later ones are set aside. */
  latest?: string;
}

/** Puts what cannot be taken over into the quarantine, and takes out of it what arrived well this time. */
async function keepBooks(ctx: Ctx, account: AccountRef, kind: string, refused: readonly Refused[]): Promise<void> {
  const waiting = await itemsAside(ctx, account.id, kind);
  if (waiting.length > 0) {
    const { rows } = await sql<{ id: string }>`
      SELECT amazon_order_id AS id FROM pg_temp.landing_order WHERE amazon_order_id = ANY (${waiting}::text[])`.execute(
      ctx.db,
    );
    await settleItems(
      ctx,
      account.id,
      kind,
      rows.map((row) => row.id),
    );
  }
  const items = refused.map(({ amazonOrderId, reason, raw }) => ({ key: amazonOrderId, reason, raw }));
  await setAsideItems(ctx, account.id, kind, items);
}

async function leaveOut(ctx: Ctx, orders: readonly string[]): Promise<void> {
  if (orders.length === 0) return;
  await sql`DELETE FROM pg_temp.landing_row WHERE amazon_order_id = ANY (${[...orders]}::text[])`.execute(ctx.db);
}

type Actions = Record<'inserted' | 'updated' | 'unchanged', number>;

async function countActions(ctx: Ctx): Promise<Actions> {
  const { rows } = await sql<{ inserted: number; updated: number; unchanged: number }>`
    SELECT count(*) FILTER (WHERE action = 'insert') AS inserted, count(*) FILTER (WHERE action = 'update') AS updated,
           count(*) FILTER (WHERE action = 'keep') AS unchanged FROM pg_temp.landing_order`.execute(ctx.db);
  return rows[0] ?? { inserted: 0, updated: 0, unchanged: 0 };
}

/**
 * Writes what is to be done. A statement about orders of which the delivery has none is left out: over a million new orders
 * each of them looks at all of their lines in order to find nothing.
 */
async function writeAll(
  ctx: Ctx,
  account: AccountRef,
  source: OrderSource,
  { inserted, updated, unchanged }: Actions,
): Promise<void> {
  if (updated > 0) {
    await touch(ctx, account);
    await logChanges(ctx, account, source);
  }
  if (inserted + updated > 0) {
    await writeOrders(ctx, account, source);
    if (updated > 0) await retireLines(ctx, account);
    await writeLines(ctx, account, source);
  }
  if (unchanged > 0) await raiseFirstQuantities(ctx, account);
  await rememberItems(ctx, account, source);
  if (unchanged > 0) await fillGaps(ctx, account);
  if (inserted + updated > 0) {
    await writeSkus(ctx, account, source);
    await estimatePrices(ctx, account);
  }
  await confirmLanded(ctx, account);
  if (inserted + updated > 0) await touch(ctx, account);
}

/**
 * Writes delivered orders of one account in the caller's transaction: one COPY, then set-based statements. Whatever is
 * delivered how often and in which order, the same orders stand at the end (see `decide`); a repeated delivery changes
 * nothing. Deliveries of one selling partner wait for each other. `rowsIn` counts lines, the other numbers orders.
 */
export async function landOrders(ctx: Ctx, account: AccountRef, delivery: Delivery): Promise<LandCounts> {
  const { source } = delivery;
  await sql`SET LOCAL work_mem = '64MB'`.execute(ctx.db);
  const rowsIn = await stageRows(ctx, delivery.rows);
  // Taken after the reading, which may be slow, and before the first look at what is stored.
  await holdOrders(ctx, account);
  await leaveOut(ctx, delivery.incomplete?.() ?? []);
  const bad = await decide(ctx, account, source, delivery.latest);
  const refused = [...bad, ...(delivery.refused ?? [])];
  await keepBooks(ctx, account, delivery.kind, refused);
  await openTouched(ctx);
  const counts = await countActions(ctx);
  await writeAll(ctx, account, source, counts);
  await forgetTold(ctx, account);
  await foldDays(ctx);
  await analyseIfGrown(ctx, '"order".amazon_order', counts.inserted);
  await analyseIfGrown(ctx, '"order".amazon_order_line', counts.inserted);
  if (counts.inserted + counts.updated > 0 || (await anyTouched(ctx))) {
    await emit(ctx, ordersTouched, { table: 'touched_orders' });
  }
  return { rowsIn, ...counts, quarantined: refused.length };
}

async function anyTouched(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM pg_temp.touched_orders LIMIT 1`.execute(ctx.db);
  return rows.length > 0;
}
