import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { emit, event } from '#kit/server/events.ts';
import { unscoped } from '#kit/server/scope.ts';
import { listingsOfSkus, refreshListingCosts } from './match/listing-costs.ts';

/**
 * Purchase costs changed. `table` is a temporary table of the running transaction with the columns sku text and
 * valid_from date: from that day on the cost of what is sold under the SKU may be another. Rows are distinct by SKU.
 */
export const costTouched = event<{ table: 'touched_cost' }>('product.costTouched');

/** From a day "yyyy-MM-dd" on a product is made of something else. */
export const partsChanged = event<{ productId: string; from: string }>('product.partsChanged');

/** Sizes or weights of products changed. */
export const productMeasured = event<Record<string, never>>('product.measured');

interface Change {
  sku: string;
  validFrom: string;
}

/** Tells listeners under which SKUs of marketplaces something else is sold, or at another cost. */
export async function tellTouched(ctx: Ctx, changes: readonly Change[]): Promise<void> {
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

/** After costs of products changed: listings that are matched to them cost something else as well. */
export async function touchCosts(ctx: Ctx, changes: readonly Change[]): Promise<void> {
  if (changes.length === 0) return;
  const [first = ''] = changes.map((one) => one.validFrom).sort();
  const listings = await unscoped(ctx, async () => {
    const found = await listingsOfSkus(
      ctx,
      changes.map((one) => one.sku),
    );
    await refreshListingCosts(ctx, found);
    return found;
  });
  await tellTouched(ctx, [...changes, ...listings.map(({ msku }) => ({ sku: msku, validFrom: first }))]);
}
