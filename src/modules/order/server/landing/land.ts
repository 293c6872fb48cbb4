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
import { confirmLanded, packagesWait } from '../acts/confirm.ts';
import { decide, indexLanding } from './decide.ts';
import { estimatePrices, foldDays, IS_UNPRICED, openTouched, ordersTouched, touch } from './derive.ts';
import type { FactRow, Refused } from './fact.ts';
import { stageRows } from './stage.ts';
import { forgetTold, holdOrders } from './told.ts';
import { fillGaps, logChanges, writeOrders, writeSkus } from './write.ts';
import { raiseFirstQuantities, rememberItems, retireLines, writeChangedLines, writeNewLines } from './write-lines.ts';

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

/** How many orders of each kind the delivery has; those without a price, new or changed, are `unpriced`. */
type Kinds = Actions & { unpriced: number };

async function countKinds(ctx: Ctx): Promise<Kinds> {
  const { rows } = await sql<Kinds>`
    SELECT count(*) FILTER (WHERE action = 'insert') AS inserted, count(*) FILTER (WHERE action = 'update') AS updated,
           count(*) FILTER (WHERE action = 'keep') AS unchanged, count(*) FILTER (WHERE ${IS_UNPRICED}) AS unpriced
      FROM pg_temp.landing_order AS n`.execute(ctx.db);
  return rows[0] ?? { inserted: 0, updated: 0, unchanged: 0, unpriced: 0 };
}

/** Writes new orders with their lines, and lets the planner know about them before anything looks for them. */
async function writeNew(ctx: Ctx, account: AccountRef, source: OrderSource, inserted: number): Promise<void> {
  await writeOrders(ctx, account, source, 'insert');
  await writeNewLines(ctx, account, source);
  await analyseIfGrown(ctx, '"order".amazon_order', inserted);
  await analyseIfGrown(ctx, '"order".amazon_order_line', inserted);
}

async function writeChanged(ctx: Ctx, account: AccountRef, source: OrderSource): Promise<void> {
  await touch(ctx, account);
  await logChanges(ctx, account, source);
  await writeOrders(ctx, account, source, 'update');
  await retireLines(ctx, account);
  await writeChangedLines(ctx, account, source);
}

/**
 * Writes what is to be done. A statement about orders of which the delivery has none is left out: over a million new orders
 * each of them looks at all of their lines in order to find nothing.
 */
async function writeAll(ctx: Ctx, account: AccountRef, source: OrderSource, kinds: Kinds): Promise<void> {
  const { inserted, updated, unchanged, unpriced } = kinds;
  const confirms = await packagesWait(ctx, account.id);
  if (updated + unchanged + unpriced > 0 || confirms) await indexLanding(ctx);
  if (updated > 0) await writeChanged(ctx, account, source);
  if (inserted > 0) await writeNew(ctx, account, source, inserted);
  if (unchanged > 0) await raiseFirstQuantities(ctx, account);
  await rememberItems(ctx, account, source);
  if (unchanged > 0) await fillGaps(ctx, account);
  if (inserted + updated > 0) await writeSkus(ctx, account, source);
  if (unpriced > 0) await estimatePrices(ctx, account);
  if (confirms) await confirmLanded(ctx, account);
  if (updated > 0) await touch(ctx, account);
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
  const { unpriced, ...counts } = await countKinds(ctx);
  await writeAll(ctx, account, source, { ...counts, unpriced });
  await forgetTold(ctx, account);
  await foldDays(ctx);
  if (counts.inserted + counts.updated > 0 || (await anyTouched(ctx))) {
    await emit(ctx, ordersTouched, { table: 'touched_orders' });
  }
  return { rowsIn, ...counts, quarantined: refused.length };
}

async function anyTouched(ctx: Ctx): Promise<boolean> {
  const { rows } = await sql`SELECT 1 FROM pg_temp.touched_orders LIMIT 1`.execute(ctx.db);
  return rows.length > 0;
}
