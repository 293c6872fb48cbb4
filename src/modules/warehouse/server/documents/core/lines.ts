import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { StockDocument } from './load.ts';

/** Counts pieces as received, shipped or made, by line. */
export async function addDone(ctx: Ctx, pieces: ReadonlyMap<string, number>): Promise<void> {
  const list = [...pieces].map(([line, qty]) => ({ line, qty }));
  await sql`
    UPDATE warehouse.document_line AS l SET done_qty = l.done_qty + v.qty
      FROM jsonb_to_recordset(${JSON.stringify(list)}::jsonb) AS v(line uuid, qty int)
     WHERE l.company_id = ${ctx.companyId} AND l.id = v.line`.execute(ctx.db);
}

/** Counts pieces as missing, by line. */
export async function addShort(ctx: Ctx, pieces: ReadonlyMap<string, number>): Promise<void> {
  const list = [...pieces].map(([line, qty]) => ({ line, qty }));
  await sql`
    UPDATE warehouse.document_line AS l SET short_qty = l.short_qty + v.qty
      FROM jsonb_to_recordset(${JSON.stringify(list)}::jsonb) AS v(line uuid, qty int)
     WHERE l.company_id = ${ctx.companyId} AND l.id = v.line`.execute(ctx.db);
}

/** The lines of a document as if nothing had come of them. */
export async function clearDone(ctx: Ctx, doc: StockDocument): Promise<void> {
  await sql`
    UPDATE warehouse.document_line SET done_qty = 0, short_qty = 0, amount = NULL
     WHERE company_id = ${ctx.companyId} AND document_id = ${doc.id}`.execute(ctx.db);
}

/** Sums pieces by a key. */
export function sumBy<T>(items: readonly T[], key: (item: T) => string, qty: (item: T) => number): Map<string, number> {
  const sums = new Map<string, number>();
  for (const item of items) sums.set(key(item), (sums.get(key(item)) ?? 0) + qty(item));
  return sums;
}
