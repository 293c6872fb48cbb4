import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { copyFields, copyText } from '#kit/server/db/copy.ts';
import { decidedColumns } from '#kit/server/db/decided.ts';
import { emit, event } from '#kit/server/events.ts';
import type { LandCounts } from '#modules/marketplace/server/index.ts';
import type { ListingFact, SnapshotOf } from './fact.ts';
import { landIssues } from './issues/land.ts';
import { confirmOffers } from './offers/follow.ts';

/** Listings of an account changed in the transaction that tells it. */
export const listingsTouched = event<{ accountId: string }>('listing.touched');

/** Locks the snapshot row of a marketplace and says whether a snapshot of that moment is still news. */
async function isNews(ctx: Ctx, of: SnapshotOf): Promise<boolean> {
  await sql`
    INSERT INTO listing.snapshot (company_id, account_id, marketplace_id)
    VALUES (${ctx.companyId}, ${of.accountId}, ${of.marketplaceId}) ON CONFLICT DO NOTHING`.execute(ctx.db);
  const { rows } = await sql<{ news: boolean }>`
    SELECT as_of <= ${of.asOf}::timestamptz AS news FROM listing.snapshot
     WHERE company_id = ${ctx.companyId} AND account_id = ${of.accountId} AND marketplace_id = ${of.marketplaceId}
       FOR UPDATE`.execute(ctx.db);
  return rows[0]?.news ?? false;
}

/** Facts, some at a time. */
export type Facts = AsyncIterable<readonly ListingFact[]> | Iterable<readonly ListingFact[]>;

const STAGE = 'pg_temp.stage_listing';

function lineOf(fact: ListingFact, place: number): string {
  return `${copyFields([
    place,
    fact.sellerSku,
    fact.asin,
    fact.parentAsin,
    fact.fnsku,
    fact.title,
    fact.imageUrl,
    fact.price,
    fact.currency,
    fact.quantity,
    fact.fulfilledBy,
    fact.status,
    fact.condition,
    fact.productType,
    fact.issues && JSON.stringify(fact.issues),
    fact.openedAt,
    fact.lastUpdatedAt,
    fact.terms && JSON.stringify(fact.terms),
  ])}\n`;
}

/**
 * Copies facts as they come, so that memory does not grow with the file. A snapshot may name a SKU twice when rows moved
 * while it was paged; the later mention is the newer one. Returns how many there were, doubled ones too.
 */
async function stage(ctx: Ctx, facts: Facts): Promise<number> {
  await sql`DROP TABLE IF EXISTS ${sql.raw(STAGE)}`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE stage_listing (
      place int, seller_sku text, asin text, parent_asin text, fnsku text, title text, image_url text, price numeric,
      currency text, quantity int, fulfilled_by text, status text, condition text, product_type text, issues jsonb,
      opened_at timestamptz, last_updated_at timestamptz, terms jsonb) ON COMMIT DROP`.execute(ctx.db);
  let count = 0;
  async function* texts(): AsyncGenerator<string> {
    for await (const some of facts) {
      const from = count;
      count += some.length;
      yield some.map((fact, index) => lineOf(fact, from + index)).join('');
    }
  }
  await copyText(ctx, STAGE, texts());
  await sql`
    DELETE FROM ${sql.raw(STAGE)} WHERE ctid IN (
      SELECT ctid FROM (
        SELECT ctid, row_number() OVER (PARTITION BY seller_sku ORDER BY place DESC) AS mention FROM ${sql.raw(STAGE)}) AS told
       WHERE mention > 1)`.execute(ctx.db);
  await sql`ALTER TABLE ${sql.raw(STAGE)} ADD PRIMARY KEY (seller_sku)`.execute(ctx.db);
  await sql`ANALYZE ${sql.raw(STAGE)}`.execute(ctx.db);
  return count;
}

async function countOf(facts: Facts): Promise<number> {
  let count = 0;
  for await (const some of facts) count += some.length;
  return count;
}

const termsOr = (part: string): string =>
  `CASE WHEN s.terms IS NULL THEN k.${part} ELSE nullif(s.terms -> '${part}', 'null'::jsonb) END`;

/** Columns that a snapshot decides; the rest of a row is its key, its time and its origin. */
const DECIDED = {
  asin: 'coalesce(s.asin, k.asin)',
  parent_asin: 'coalesce(s.parent_asin, k.parent_asin)',
  fnsku: 'coalesce(s.fnsku, k.fnsku)',
  title: 'CASE WHEN t.keep THEN k.title ELSE s.title END',
  // A report that repeats the API's title does not make it the report's.
  title_source: `CASE WHEN t.keep OR (s.title = k.title AND k.title_source = 'api') THEN k.title_source
                      WHEN s.title IS NOT NULL THEN o.source END`,
  image_url: 'coalesce(s.image_url, k.image_url)',
  price: 's.price',
  currency: 's.currency',
  quantity: 's.quantity',
  fulfilled_by: `coalesce(s.fulfilled_by, k.fulfilled_by, 'UNKNOWN')`,
  status: `coalesce(s.status, k.status, 'UNKNOWN')`,
  condition: 'coalesce(s.condition, k.condition)',
  product_type: 'coalesce(s.product_type, k.product_type)',
  issues: `coalesce(s.issues, k.issues, '[]')`,
  opened_at: 'coalesce(s.opened_at, k.opened_at)',
  last_updated_at: 'coalesce(s.last_updated_at, k.last_updated_at)',
  // A source that knows nothing of them leaves them as they are.
  sale: termsOr('sale'),
  b2b: termsOr('b2b'),
  tiers: termsOr('tiers'),
  gone_at: 'NULL::timestamptz',
};
const { columns, known, next, decided, assigned } = decidedColumns(DECIDED, ['source', 'as_of']);

/**
 * Writes the staged rows that differ from what is there, and the changes of price, in one statement. A title in which
 * the report's charset left '?' replaces none that the API gave, nor one that came through whole.
 */
async function merge(ctx: Ctx, of: SnapshotOf): Promise<{ inserted: number; updated: number }> {
  const { rows } = await sql<{ inserted: number; updated: number }>`
    WITH merged AS (
      INSERT INTO listing.listing AS l
        (company_id, account_id, marketplace_id, seller_sku, first_seen_at, source, as_of, ${columns})
      SELECT ${ctx.companyId}::uuid, o.account_id, o.marketplace_id, s.seller_sku, o.as_of, o.source, o.as_of, ${next}
        FROM pg_temp.stage_listing AS s
       CROSS JOIN (SELECT ${of.accountId}::uuid AS account_id, ${of.marketplaceId}::text AS marketplace_id,
                          ${of.source}::text AS source, ${of.asOf}::timestamptz AS as_of) AS o
        LEFT JOIN listing.listing AS k ON k.company_id = ${ctx.companyId} AND k.account_id = o.account_id
         AND k.marketplace_id = o.marketplace_id AND k.seller_sku = s.seller_sku
       CROSS JOIN LATERAL (
         SELECT s.title IS NULL OR (o.source = 'report' AND s.title ~ '[?\uFFFD]' AND k.title IS NOT NULL
                AND (k.title_source = 'api' OR k.title !~ '[?\uFFFD]')) AS keep) AS t
       CROSS JOIN LATERAL (SELECT ${decided}) AS n
       WHERE k.id IS NULL OR (${known}) IS DISTINCT FROM (${next})
      ON CONFLICT (company_id, account_id, marketplace_id, seller_sku) DO UPDATE SET ${assigned}
      RETURNING seller_sku, old.id IS NULL AS fresh, old.price AS old_price, new.price AS new_price, new.currency
    ), logged AS (
      INSERT INTO listing.price_change
        (company_id, account_id, marketplace_id, seller_sku, old_price, new_price, currency, source, seen_at)
      SELECT ${ctx.companyId}, ${of.accountId}, ${of.marketplaceId}, seller_sku, old_price, new_price, currency,
             ${of.source}, ${of.asOf}
        FROM merged WHERE NOT fresh AND old_price IS DISTINCT FROM new_price
    )
    SELECT count(*) FILTER (WHERE fresh) AS inserted, count(*) FILTER (WHERE NOT fresh) AS updated
      FROM merged`.execute(ctx.db);
  return rows[0] ?? { inserted: 0, updated: 0 };
}

/** Marks what a full snapshot no longer holds. The rows stay, because orders and money still point at them. */
async function markGone(ctx: Ctx, of: SnapshotOf): Promise<number> {
  const { numAffectedRows } = await sql`
    UPDATE listing.listing AS l SET gone_at = ${of.asOf}, as_of = ${of.asOf}, source = ${of.source}
     WHERE company_id = ${ctx.companyId} AND account_id = ${of.accountId} AND marketplace_id = ${of.marketplaceId}
       AND gone_at IS NULL
       AND NOT EXISTS (SELECT FROM pg_temp.stage_listing AS s WHERE s.seller_sku = l.seller_sku)`.execute(ctx.db);
  return Number(numAffectedRows ?? 0);
}

/**
 * Writes a snapshot of one marketplace in the caller's transaction. One that is older than the newest written is left
 * alone; a repeated one changes nothing. Whether it is full is asked once all of it has been read.
 */
export async function landListings(ctx: Ctx, of: SnapshotOf, facts: Facts): Promise<LandCounts> {
  if (!(await isNews(ctx, of))) {
    const old = await countOf(facts);
    return { rowsIn: old, inserted: 0, updated: 0, unchanged: old };
  }
  const rowsIn = await stage(ctx, facts);
  const { inserted, updated } = await merge(ctx, of);
  await confirmOffers(ctx, of);
  const { full } = of;
  const gone = full ? await markGone(ctx, of) : 0;
  await landIssues(ctx, of);
  if (inserted + updated + gone > 0) await emit(ctx, listingsTouched, { accountId: of.accountId });
  await sql`
    UPDATE listing.snapshot
       SET as_of = ${of.asOf}, full_at = CASE WHEN ${full} THEN ${of.asOf}::timestamptz ELSE full_at END
     WHERE company_id = ${ctx.companyId} AND account_id = ${of.accountId}
       AND marketplace_id = ${of.marketplaceId}`.execute(ctx.db);
  return { rowsIn, inserted, updated: updated + gone, unchanged: rowsIn - inserted - updated };
}
