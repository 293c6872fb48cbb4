import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type CopyValue, copyRows } from '#kit/server/db/copy.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { publish } from './publish.ts';
import type { Stock } from './stocks.ts';

/** Columns of an item in the order in which they are copied; of arrays as PostgreSQL writes them. */
const COLUMNS = [
  'seller_sku',
  'marketplace_id',
  'class',
  'model',
  'mean',
  'distances',
  'daily7',
  'daily15',
  'daily30',
  'pace',
  'out_days',
  'is_out',
  'sold30',
  'next30',
  'p80',
  'p90',
  'p95',
  'month1',
  'month2',
  'month3',
] as const;
export type ItemRow = Record<(typeof COLUMNS)[number], CopyValue>;

const names = sql.raw(COLUMNS.join(', '));
const assigned = sql.raw(
  [
    ...COLUMNS.filter((name) => name !== 'seller_sku'),
    'published',
    'sites',
    'fulfilled_by',
    'asin',
    'search',
    'cutoff',
    'run_id',
    'as_of',
  ]
    .map((name) => `${name} = excluded.${name}`)
    .join(', '),
);

/**
 * Puts the items of a stock's part in place, publishes what people changed of them as it stands now, and keeps what they say of
 * the days to come where `keep` says so. A change that somebody saves meanwhile waits for these rows, or they wait for it: it is
 * read after they are locked, in the order in which people lock them.
 */
export async function storeItems(
  ctx: Ctx,
  stock: Stock,
  runId: string,
  items: readonly ItemRow[],
  keep: boolean,
): Promise<void> {
  if (items.length === 0) return;
  const { accountId, pool, sites, fulfilledBy, cutoff } = stock;
  await sql`
    CREATE TEMP TABLE made (
      seller_sku text, marketplace_id text, class text, model text, mean int[], distances float8[],
      daily7 int, daily15 int, daily30 int, pace int, out_days int, is_out boolean, sold30 bigint, next30 bigint,
      p80 bigint, p90 bigint, p95 bigint, month1 bigint, month2 bigint, month3 bigint) ON COMMIT DROP`.execute(ctx.db);
  await copyRows(
    ctx,
    `made (${COLUMNS.join(', ')})`,
    items.map((item) => COLUMNS.map((name) => item[name])),
  );
  await sql`
    SELECT FROM forecast.item
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND pool = ${pool}
       AND seller_sku IN (SELECT seller_sku FROM made) ORDER BY id FOR UPDATE`.execute(ctx.db);
  await sql`
    INSERT INTO forecast.item (company_id, account_id, pool, sites, fulfilled_by, ${names}, asin, search, cutoff, run_id, as_of)
    SELECT ${ctx.companyId}::uuid, ${accountId}::uuid, ${pool}, ${sites}::text[], ${fulfilledBy}, ${sql.raw(COLUMNS.map((name) => `m.${name}`).join(', '))},
           p.asin, coalesce(p.search, lower(m.seller_sku)), ${cutoff}::date, ${runId}::uuid, kit.now()
      FROM (SELECT ${accountId}::uuid AS account_id, made.* FROM made) AS m LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'm')}
    ON CONFLICT (company_id, account_id, pool, seller_sku) DO UPDATE SET ${assigned}`.execute(ctx.db);
  const { rows: changed } = await sql<{ id: string }>`
    SELECT DISTINCT i.id FROM made AS m
      JOIN forecast.override AS o ON o.company_id = ${ctx.companyId} AND o.account_id = ${accountId} AND o.pool = ${pool}
       AND o.seller_sku = m.seller_sku AND o.cleared_at IS NULL AND o.to_day > ${cutoff}::date
      JOIN forecast.item AS i ON i.company_id = ${ctx.companyId} AND i.account_id = ${accountId} AND i.pool = ${pool}
       AND i.seller_sku = m.seller_sku`.execute(ctx.db);
  await publish(
    ctx,
    changed.map(({ id }) => id),
  );
  if (keep) {
    await sql`
      INSERT INTO forecast.kept (company_id, account_id, pool, seller_sku, origin, class, model, mean, published, distances)
      SELECT company_id, account_id, pool, seller_sku, cutoff, class, model, mean, published, distances
        FROM forecast.item
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND pool = ${pool}
         AND seller_sku IN (SELECT seller_sku FROM made)
      ON CONFLICT (company_id, account_id, pool, seller_sku, origin) DO UPDATE
         SET class = excluded.class, model = excluded.model, mean = excluded.mean, published = excluded.published,
             distances = excluded.distances`.execute(ctx.db);
  }
}

/** Items that no run says anything of any more: they have not sold in all of the history. */
export async function dropOthers(ctx: Ctx, accountId: string, runId: string): Promise<void> {
  await sql`
    DELETE FROM forecast.item WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND run_id <> ${runId}`.execute(
    ctx.db,
  );
}

/** What people said of items of a stock, by SKU. */
export interface Care {
  model: string | null;
  locked: string | null;
  references: string[];
}

/** What SKUs of a stock are forecast with now, and what people said of them; of a SKU without either nothing. */
export async function careOf(
  ctx: Ctx,
  stock: Pick<Stock, 'accountId' | 'pool'>,
  skus: readonly string[],
): Promise<Map<string, Care>> {
  const { rows } = await sql<Care & { sku: string }>`
    SELECT k.sku, i.model, c.locked_model AS locked, coalesce(c.reference_skus, '{}') AS "references"
      FROM unnest(${skus}::text[]) AS k (sku)
      LEFT JOIN forecast.item AS i ON i.company_id = ${ctx.companyId} AND i.account_id = ${stock.accountId}
       AND i.pool = ${stock.pool} AND i.seller_sku = k.sku
      LEFT JOIN forecast.care AS c ON c.company_id = ${ctx.companyId} AND c.account_id = ${stock.accountId}
       AND c.pool = ${stock.pool} AND c.seller_sku = k.sku
     WHERE i.model IS NOT NULL OR c.seller_sku IS NOT NULL`.execute(ctx.db);
  return new Map(rows.map((row) => [row.sku, row]));
}
