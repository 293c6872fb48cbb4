import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { indexTemporary } from '#kit/server/db/statistics.ts';
import { emit, event } from '#kit/server/events.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { productInfo } from '#modules/listing/server/index.ts';
import { learnSold } from '#modules/product/server/index.ts';
import { type Booking, bookingOf, bookRows, holdPeriods, holdStore } from './booking.ts';
import { PIECES_AND_SIZES, SUMS } from './columns.ts';
import { noteCurrencies } from './currencies.ts';
import { addFees } from './fees.ts';
import { noteStale } from './months.ts';
import { SUMMED_COLUMNS } from './rollup.ts';
import { foldShares } from './shares.ts';
import { unitCostOf } from './unit-cost.ts';

/** A store's month was counted again in the transaction that tells it. */
export const profitFolded = event<Unit>('profit.folded');

/** What is counted together: a month of a store, because money of the whole store is shared within it. */
export interface Unit {
  accountId: string;
  marketplaceId: string;
  /** First day of the month. */
  month: string;
}

/**
 * Takes off the marks of a unit that are there by now. A change that is not committed yet has marks of its own, which wait
 * for the next round.
 */
async function takeKeys(ctx: Ctx, unit: Unit): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.fold_key`.execute(ctx.db);
  await sql`CREATE TEMP TABLE fold_key (sku text NOT NULL, date date NOT NULL) ON COMMIT DROP`.execute(ctx.db);
  await sql`
    WITH taken AS (
      DELETE FROM profit.dirty
       WHERE company_id = ${ctx.companyId} AND account_id = ${unit.accountId}
         AND marketplace_id = ${unit.marketplaceId} AND date >= ${unit.month}::date
         AND date < (${unit.month}::date + interval '1 month')
      RETURNING sku, date
    )
    INSERT INTO pg_temp.fold_key (sku, date) SELECT DISTINCT sku, date FROM taken WHERE sku <> ''`.execute(ctx.db);
  await indexTemporary(ctx, 'fold_key', 'sku, date');
}

/**
 * Counts the marked SKU days again from the money lines that count; a cost is that of the day of the sale. Days without
 * money vanish: how many did.
 */
async function foldDirect(ctx: Ctx, unit: Unit, booking: Booking): Promise<bigint> {
  await sql`DROP TABLE IF EXISTS pg_temp.fold_row`.execute(ctx.db);
  const cost = unitCostOf(ctx.companyId, {
    accountId: sql`${unit.accountId}::uuid`,
    marketplaceId: sql`${unit.marketplaceId}`,
    sku: sql.ref('agg.sku'),
    date: sql.ref('agg.date'),
  });
  await sql`
    CREATE TEMP TABLE fold_row ON COMMIT DROP AS
    WITH agg AS (
      SELECT l.posted_date AS date, l.sku, l.currency, ${SUMS}, ${PIECES_AND_SIZES},
             count(DISTINCT l.order_id) FILTER (WHERE l.fee_code = 'PRINCIPAL')::int AS orders
        FROM pg_temp.fold_key AS k
        JOIN settlement.money_line AS l
          ON l.company_id = ${ctx.companyId} AND l.account_id = ${unit.accountId}::uuid
         AND l.marketplace_id = ${unit.marketplaceId} AND l.posted_date = k.date AND l.sku = k.sku
        JOIN settlement.source_doc AS d
          ON d.company_id = ${ctx.companyId} AND d.id = l.source_doc_id AND d.state = 'ACTIVE'
       WHERE l.pl_section <> 'BALANCE'
       GROUP BY l.posted_date, l.sku, l.currency
    )
    SELECT agg.*, CASE WHEN c.unit_cost IS NULL THEN 0 ELSE agg.units END AS cost_units,
           coalesce(c.unit_cost * agg.units, 0) AS cost_cny, 0::numeric AS fee_cny
      FROM agg ${cost}`.execute(ctx.db);
  await addFees(ctx, unit);
  await indexTemporary(ctx, 'fold_row', 'sku, date, currency');
  return bookRows(ctx, unit, booking, { scope: 'DIRECT', table: 'fold_row', values: SUMMED_COLUMNS });
}

/** SKUs that were counted and are no product yet, or one without the name or picture that their listing has. */
async function unknownSkus(ctx: Ctx, { accountId, marketplaceId }: Unit): Promise<string[]> {
  const { rows } = await sql<{ sku: string }>`
    SELECT k.sku FROM (SELECT DISTINCT sku FROM pg_temp.fold_key) AS k
      LEFT JOIN product.local_product AS p ON p.company_id = ${ctx.companyId} AND p.sku = k.sku
      LEFT JOIN listing.product AS l ON l.company_id = ${ctx.companyId} AND l.account_id = ${accountId}
       AND l.marketplace_id = ${marketplaceId} AND l.seller_sku = k.sku
     WHERE p.sku IS NULL OR (p.name = '' AND l.name <> '') OR (p.image IS NULL AND l.image IS NOT NULL)`.execute(
    ctx.db,
  );
  return rows.map(({ sku }) => sku);
}

/** What is sold and new becomes a product with the name and picture of its listing: see learnSold(). */
async function learn(ctx: Ctx, unit: Unit): Promise<void> {
  const { accountId, marketplaceId } = unit;
  const skus = await unknownSkus(ctx, unit);
  const info = await productInfo(
    ctx,
    skus.map((sellerSku) => ({ accountId, marketplaceId, sellerSku })),
  );
  const known = new Map([...info.values()].map((product) => [product.code, product]));
  await learnSold(
    ctx,
    skus.map((sku) => ({ sku, name: known.get(sku)?.name, image: known.get(sku)?.image })),
  );
}

/** Counts a store's month again as far as it is marked, in the caller's transaction. */
export async function foldUnit(ctx: Ctx, unit: Unit): Promise<void> {
  await holdPeriods(ctx);
  await holdStore(ctx, unit);
  await takeKeys(ctx, unit);
  const booking = await bookingOf(ctx, unit.month);
  const vanished = (await foldDirect(ctx, unit, booking)) + (await foldShares(ctx, unit, booking));
  await noteCurrencies(ctx, unit, booking, vanished > 0n);
  await noteStale(ctx, unit);
  await learn(ctx, unit);
  await emit(ctx, profitFolded, unit);
}

/** Store months that are marked, oldest first. */
export async function markedUnits(ctx: Ctx): Promise<Unit[]> {
  const { rows } = await sql<Unit>`
    SELECT DISTINCT account_id AS "accountId", marketplace_id AS "marketplaceId",
           date_trunc('month', date)::date AS month
      FROM profit.dirty WHERE company_id = ${ctx.companyId}
     ORDER BY month, "accountId", "marketplaceId"`.execute(ctx.db);
  return rows;
}

/** Counts everything that is marked for a company, a store's month at a time. */
export async function foldAll(runtime: Runtime, companyId: string): Promise<number> {
  const principal = systemPrincipal(companyId);
  const units = await inTenant(runtime, principal, markedUnits);
  for (const unit of units) {
    await inTenant(runtime, principal, (ctx) => foldUnit(ctx, unit), { timeoutMs: 10 * 60_000 });
  }
  return units.length;
}

export const foldJob = job<{ companyId: string }>('profit.fold', async (runtime, { companyId }) => {
  await foldAll(runtime, companyId);
});
