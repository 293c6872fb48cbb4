import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { storageTypes } from '#modules/inventory/server/index.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { stockOf } from '#modules/marketplace/server/index.ts';
import { type ListingPart, listingKey, packedSizes, partsOfAllListings } from '#modules/product/server/index.ts';
import type { StorageType } from '../../contract/quota/fields.ts';
import { sizeOf } from '../order/listings.ts';
import { piecesM3, typeOf } from './volume.ts';

/** What is taken of the room of a store in a stock for a type of goods, in m³. */
export interface Usage {
  onHand: Decimal;
  transit: Decimal;
  waiting: Decimal;
  /** Pieces whose size nobody knows; they are in none of the figures. */
  unmeasured: number;
}

/** Key of a room in the answers about many. */
export const roomKey = (account: string, stock: string, type: StorageType): string => `${account} ${stock} ${type}`;

interface Pieces {
  account: string;
  stock: string;
  msku: string;
  sites: string[];
  onHand: number;
  transit: number;
  waiting: number;
}

const IDS = MARKETPLACES.map((one) => one.id);
const STOCKS = IDS.map(stockOf);

/**
 * Pieces of each SKU in each stock. Sites of one stock each state all of it, so the largest counts. Amazon's inbound beyond what
 * our orders named to it belongs to shipments that no order made.
 */
async function piecesOf(ctx: Ctx, accounts: readonly string[]): Promise<Pieces[]> {
  const { rows } = await sql<Pieces>`
    WITH site AS MATERIALIZED (SELECT * FROM unnest(${IDS}::text[], ${STOCKS}::text[]) AS s (marketplace_id, stock)),
    fba AS (
      SELECT account_id, stock, seller_sku AS msku, array_agg(marketplace_id ORDER BY marketplace_id) AS sites,
             max(on_hand)::int AS on_hand, max(inbound)::int AS inbound
        FROM (SELECT f.account_id, f.marketplace_id, coalesce(s.stock, f.marketplace_id) AS stock, f.seller_sku,
                     sum(f.on_hand) AS on_hand, sum(f.inbound) AS inbound
                FROM inventory.fba_stock AS f LEFT JOIN site AS s ON s.marketplace_id = f.marketplace_id
               WHERE f.company_id = ${ctx.companyId} AND f.account_id = ANY (${[...accounts]}::uuid[])
               GROUP BY 1, 2, 3, 4) AS each
       GROUP BY 1, 2, 3),
    own AS (
      SELECT c.account_id, coalesce(s.stock, c.marketplace_id) AS stock, c.msku,
             array_agg(DISTINCT c.marketplace_id) AS sites, sum(c.transit)::int AS transit, sum(c.waiting)::int AS waiting,
             sum(c.numbered)::int AS numbered
        FROM shipping.coming() AS c LEFT JOIN site AS s ON s.marketplace_id = c.marketplace_id
       WHERE c.account_id = ANY (${[...accounts]}::uuid[])
       GROUP BY 1, 2, 3)
    SELECT account_id AS account, stock, msku, coalesce(own.sites, '{}') || coalesce(fba.sites, '{}') AS sites,
           coalesce(fba.on_hand, 0) AS "onHand", coalesce(own.waiting, 0) AS waiting,
           coalesce(own.transit, 0) + greatest(0, coalesce(fba.inbound, 0) - coalesce(own.numbered, 0)) AS transit
      FROM fba FULL JOIN own USING (account_id, stock, msku)
     WHERE coalesce(fba.on_hand, 0) + coalesce(fba.inbound, 0) + coalesce(own.transit, 0) + coalesce(own.waiting, 0) > 0`.execute(
    ctx.db,
  );
  return rows;
}

const listingsOf = (row: Pieces) =>
  row.sites.map((marketplaceId) => ({ accountId: row.account, marketplaceId, msku: row.msku }));

function add(all: Map<string, Usage>, key: string, row: Pieces, volume: string | null): void {
  const zero = new Decimal(0);
  const mine = all.get(key) ?? { onHand: zero, transit: zero, waiting: zero, unmeasured: 0 };
  all.set(
    key,
    volume === null
      ? { ...mine, unmeasured: mine.unmeasured + row.onHand + row.transit + row.waiting }
      : {
          onHand: mine.onHand.plus(piecesM3(row.onHand, volume)),
          transit: mine.transit.plus(piecesM3(row.transit, volume)),
          waiting: mine.waiting.plus(piecesM3(row.waiting, volume)),
          unmeasured: mine.unmeasured,
        },
  );
}

/**
 * What stores take of their rooms now, by roomKey(): Amazon's stock, what is on its way and what ship orders still plan, each at
 * the packed volume of the local products that a SKU is made of. A room of which nothing is taken is absent.
 */
export async function usageOf(ctx: Ctx, accounts: readonly string[]): Promise<Map<string, Usage>> {
  if (accounts.length === 0) return new Map();
  const rows = await piecesOf(ctx, accounts);
  const words = new Map(
    (await storageTypes(ctx, accounts)).map((one) => [`${one.account} ${one.stock} ${one.msku}`, one.word]),
  );
  const parts = await partsOfAllListings(ctx, rows.flatMap(listingsOf));
  const sizes = await packedSizes(
    ctx,
    [...parts.values()].flat().map(({ productId }) => productId),
  );
  const found = new Map<string, Usage>();
  for (const row of rows) {
    const mine = listingsOf(row)
      .map((listing) => parts.get(listingKey(listing)))
      .find((some): some is ListingPart[] => some !== undefined);
    const type = typeOf(words.get(`${row.account} ${row.stock} ${row.msku}`));
    add(found, roomKey(row.account, row.stock, type), row, sizeOf(mine ?? [], sizes).volume);
  }
  return found;
}
