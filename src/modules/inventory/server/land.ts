import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { copyRows } from '#kit/server/db/copy.ts';
import { decidedColumns } from '#kit/server/db/decided.ts';
import { emit, event } from '#kit/server/events.ts';
import { marketplaceOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { LandCounts } from '#modules/marketplace/server/index.ts';
import { folded, type SnapshotOf, type StockFact } from './fact.ts';

/** The stock of an account changed in the transaction that tells it. */
export const stockTouched = event<{ accountId: string }>('inventory.stockTouched');

/** Locks the snapshot row of a marketplace and says whether a snapshot of that moment is still news. */
async function isNews(ctx: Ctx, of: SnapshotOf): Promise<boolean> {
  await sql`
    INSERT INTO inventory.fba_snapshot (company_id, account_id, marketplace_id)
    VALUES (${ctx.companyId}, ${of.accountId}, ${of.marketplaceId}) ON CONFLICT DO NOTHING`.execute(ctx.db);
  const { rows } = await sql<{ news: boolean }>`
    SELECT as_of <= ${of.asOf}::timestamptz AS news FROM inventory.fba_snapshot
     WHERE company_id = ${ctx.companyId} AND account_id = ${of.accountId} AND marketplace_id = ${of.marketplaceId}
       FOR UPDATE`.execute(ctx.db);
  return rows[0]?.news ?? false;
}

async function stage(ctx: Ctx, facts: readonly StockFact[]): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.stage_stock`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE stage_stock (
      seller_sku text, condition text, fnsku text, asin text, fulfillable int, unsellable int, reserved int,
      reserved_customer int, reserved_transfer int, reserved_processing int, researching int, inbound_working int,
      inbound_shipped int, inbound_receiving int, stated_total int, last_updated_at timestamptz,
      PRIMARY KEY (seller_sku, condition)) ON COMMIT DROP`.execute(ctx.db);
  await copyRows(
    ctx,
    'pg_temp.stage_stock',
    facts.map((fact) => [
      fact.sellerSku,
      fact.condition,
      fact.fnsku || null,
      fact.asin || null,
      fact.fulfillable,
      fact.unsellable,
      fact.reserved,
      fact.reservedCustomer,
      fact.reservedTransfer,
      fact.reservedProcessing,
      fact.researching,
      fact.inboundWorking,
      fact.inboundShipped,
      fact.inboundReceiving,
      fact.statedTotal,
      fact.lastUpdatedAt,
    ]),
  );
  await sql`ANALYZE pg_temp.stage_stock`.execute(ctx.db);
}

/** A source that gives only the sum leaves the parts alone while the sum stands, and makes them unknown when it moves. */
const part = (name: string): string =>
  `CASE WHEN s.${name} IS NULL AND s.reserved = k.reserved THEN k.${name} ELSE s.${name} END`;

/** Columns that a snapshot decides; the rest of a row is its key, its time and its origin. */
const DECIDED = {
  fnsku: 'coalesce(s.fnsku, k.fnsku)',
  asin: 'coalesce(s.asin, k.asin)',
  fulfillable: 's.fulfillable',
  unsellable: 's.unsellable',
  reserved: 's.reserved',
  reserved_customer: part('reserved_customer'),
  reserved_transfer: part('reserved_transfer'),
  reserved_processing: part('reserved_processing'),
  researching: 's.researching',
  inbound_working: 's.inbound_working',
  inbound_shipped: 's.inbound_shipped',
  inbound_receiving: 's.inbound_receiving',
  stated_total: 's.stated_total',
  last_updated_at: 'coalesce(s.last_updated_at, k.last_updated_at)',
};
const { columns, known, next, decided, assigned } = decidedColumns(DECIDED, ['source', 'as_of']);

/** Writes the staged rows that differ from what is there. */
async function merge(ctx: Ctx, of: SnapshotOf): Promise<{ inserted: number; updated: number }> {
  const { rows } = await sql<{ inserted: number; updated: number }>`
    WITH merged AS (
      INSERT INTO inventory.fba_stock AS f
        (company_id, account_id, marketplace_id, seller_sku, condition, source, as_of, ${columns})
      SELECT ${ctx.companyId}::uuid, ${of.accountId}::uuid, ${of.marketplaceId}::text, s.seller_sku, s.condition,
             ${of.source}::text, ${of.asOf}::timestamptz, ${next}
        FROM pg_temp.stage_stock AS s
        LEFT JOIN inventory.fba_stock AS k ON k.company_id = ${ctx.companyId} AND k.account_id = ${of.accountId}
         AND k.marketplace_id = ${of.marketplaceId} AND k.seller_sku = s.seller_sku AND k.condition = s.condition
       CROSS JOIN LATERAL (SELECT ${decided}) AS n
       WHERE k.id IS NULL OR (${known}) IS DISTINCT FROM (${next})
      ON CONFLICT (company_id, account_id, marketplace_id, seller_sku, condition) DO UPDATE SET ${assigned}
      RETURNING old.id IS NULL AS fresh
    )
    SELECT count(*) FILTER (WHERE fresh) AS inserted, count(*) FILTER (WHERE NOT fresh) AS updated
      FROM merged`.execute(ctx.db);
  return rows[0] ?? { inserted: 0, updated: 0 };
}

/** What the snapshot no longer names has no pieces; the row stays, because a SKU that ran out must be seen. */
async function emptyVanished(ctx: Ctx, of: SnapshotOf): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE inventory.fba_stock AS f
       SET fulfillable = 0, unsellable = 0, reserved = 0, reserved_customer = 0, reserved_transfer = 0,
           reserved_processing = 0, researching = 0, inbound_working = 0, inbound_shipped = 0, inbound_receiving = 0,
           stated_total = 0, source = ${of.source}, as_of = ${of.asOf}
     WHERE company_id = ${ctx.companyId} AND account_id = ${of.accountId} AND marketplace_id = ${of.marketplaceId}
       AND (total <> 0 OR stated_total IS DISTINCT FROM 0)
       AND NOT EXISTS (SELECT FROM pg_temp.stage_stock AS s
                        WHERE s.seller_sku = f.seller_sku AND s.condition = f.condition)`.execute(ctx.db);
  return Number(numAffectedRows ?? 0);
}

/** Brings the rows of the marketplace's day up to what the stock is now. */
async function writeDay(ctx: Ctx, of: SnapshotOf): Promise<void> {
  const zone = marketplaceOf(of.marketplaceId)?.timeZone ?? 'UTC';
  await sql`
    INSERT INTO inventory.fba_stock_day AS d
      (company_id, account_id, marketplace_id, seller_sku, condition, day, fulfillable, unsellable, reserved, researching,
       inbound, as_of)
    SELECT f.company_id, f.account_id, f.marketplace_id, f.seller_sku, f.condition, today.day, f.fulfillable,
           f.unsellable, f.reserved, f.researching, f.inbound, ${of.asOf}::timestamptz
      FROM inventory.fba_stock AS f
     CROSS JOIN (SELECT (${of.asOf}::timestamptz AT TIME ZONE ${zone})::date AS day) AS today
      LEFT JOIN inventory.fba_stock_day AS k ON k.company_id = ${ctx.companyId} AND k.account_id = f.account_id
       AND k.marketplace_id = f.marketplace_id AND k.seller_sku = f.seller_sku AND k.condition = f.condition
       AND k.day = today.day
     WHERE f.company_id = ${ctx.companyId} AND f.account_id = ${of.accountId}
       AND f.marketplace_id = ${of.marketplaceId}
       AND (k.day IS NULL OR (k.fulfillable, k.unsellable, k.reserved, k.researching, k.inbound)
            IS DISTINCT FROM (f.fulfillable, f.unsellable, f.reserved, f.researching, f.inbound))
    ON CONFLICT (company_id, account_id, marketplace_id, seller_sku, condition, day) DO UPDATE
       SET fulfillable = excluded.fulfillable, unsellable = excluded.unsellable, reserved = excluded.reserved,
           researching = excluded.researching, inbound = excluded.inbound, as_of = excluded.as_of`.execute(ctx.db);
}

/**
 * Writes a whole snapshot of one marketplace in the caller's transaction: the present and the row of its day together.
 * One that is older than the newest written is left alone; a repeated one changes nothing.
 */
export async function landStock(ctx: Ctx, of: SnapshotOf, facts: readonly StockFact[]): Promise<LandCounts> {
  const rowsIn = facts.length;
  if (!(await isNews(ctx, of))) return { rowsIn, inserted: 0, updated: 0, unchanged: rowsIn };
  await stage(ctx, folded(facts));
  const { inserted, updated } = await merge(ctx, of);
  const emptied = await emptyVanished(ctx, of);
  await writeDay(ctx, of);
  if (inserted + updated + emptied > 0) await emit(ctx, stockTouched, { accountId: of.accountId });
  await sql`
    UPDATE inventory.fba_snapshot SET as_of = ${of.asOf}
     WHERE company_id = ${ctx.companyId} AND account_id = ${of.accountId}
       AND marketplace_id = ${of.marketplaceId}`.execute(ctx.db);
  return { rowsIn, inserted, updated: updated + emptied, unchanged: rowsIn - inserted - updated };
}
