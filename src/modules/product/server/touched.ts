import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { emit, event } from '#kit/server/events.ts';

/**
 * Purchase costs changed. `table` is a temporary table of the running transaction with the columns sku text and
 * valid_from date: from that day on the cost of the SKU may be another. Rows are distinct by SKU.
 */
export const costTouched = event<{ table: 'touched_cost' }>('product.costTouched');

/** Tells listeners which costs changed. */
export async function touchCosts(ctx: Ctx, changes: readonly { sku: string; validFrom: string }[]): Promise<void> {
  if (changes.length === 0) return;
  await sql`
    CREATE TEMP TABLE IF NOT EXISTS touched_cost (sku text PRIMARY KEY, valid_from date NOT NULL) ON COMMIT DROP`.execute(
    ctx.db,
  );
  await sql`TRUNCATE pg_temp.touched_cost`.execute(ctx.db);
  await sql`
    INSERT INTO pg_temp.touched_cost (sku, valid_from)
    SELECT sku, min(valid_from)
      FROM unnest(${changes.map((one) => one.sku)}::text[], ${changes.map((one) => one.validFrom)}::date[])
        AS change(sku, valid_from)
     GROUP BY sku`.execute(ctx.db);
  await emit(ctx, costTouched, { table: 'touched_cost' });
}
