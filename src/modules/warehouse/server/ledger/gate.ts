import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { conflict } from '#kit/server/errors.ts';

/** Waits until no posting of the company is under way and keeps new ones waiting until the transaction ends. */
export async function closeGate(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('warehouse.gate:' || ${ctx.companyId}::text, 0))`.execute(
    ctx.db,
  );
}

export interface FreezeScope {
  warehouse: string;
  location?: string | undefined;
  product?: string | undefined;
}

export interface FreezingDocument {
  type: string;
  id: string;
  number: string;
}

/**
 * Holds stock still for a count: from the commit on nobody but the document itself posts there, and no posting is half
 * way when the count reads what is on the books. @throws conflict where another open count overlaps
 */
export async function freeze(ctx: Ctx, document: FreezingDocument, scopes: readonly FreezeScope[]): Promise<void> {
  await closeGate(ctx);
  for (const { warehouse, location = null, product = null } of scopes) {
    const { rows } = await sql<{ number: string }>`
      SELECT document_number AS number FROM warehouse.freeze
       WHERE company_id = ${ctx.companyId} AND warehouse_id = ${warehouse} AND released_at IS NULL
         AND (location_id IS NULL OR ${location}::uuid IS NULL OR location_id = ${location}::uuid)
         AND (product_id IS NULL OR ${product}::uuid IS NULL OR product_id = ${product}::uuid)
         AND (document_type, document_id) <> (${document.type}, ${document.id}) LIMIT 1`.execute(ctx.db);
    const other = rows[0];
    if (other) throw conflict(`盘点范围与进行中的盘点（${other.number}）重叠`);
    await ctx.db
      .insertInto('warehouse.freeze')
      .values({
        company_id: ctx.companyId,
        warehouse_id: warehouse,
        location_id: location,
        product_id: product,
        document_type: document.type,
        document_id: document.id,
        document_number: document.number,
      })
      .execute();
  }
}

/** Ends what a document froze. Doing it twice does no harm. */
export async function unfreeze(ctx: Ctx, document: Pick<FreezingDocument, 'type' | 'id'>): Promise<void> {
  await sql`
    UPDATE warehouse.freeze SET released_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND document_type = ${document.type} AND document_id = ${document.id}
       AND released_at IS NULL`.execute(ctx.db);
}
