import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { storageTypeOf } from '#modules/inventory/server/index.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { stockOf } from '#modules/marketplace/server/index.ts';
import { matchedVolumesSelect, namedVolumesSelect } from '#modules/product/server/index.ts';
import type { StorageType } from '../../contract/quota/fields.ts';
import { cm3ToM3, typeOf } from './volume.ts';

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

const IDS = MARKETPLACES.map((one) => one.id);
const STOCKS = IDS.map(stockOf);

/** What is taken of a room by SKUs of one storage type, cm³. */
interface Taken {
  account: string;
  stock: string;
  word: string | null;
  onHand: string;
  transit: string;
  waiting: string;
  unmeasured: number;
}

/**
 * What each storage type takes in each stock, summed where the rows are: a company has tens of thousands of SKUs and a few
 * rooms. Sites of one stock each state all of it, so the largest counts. Amazon's inbound beyond what our orders named to it
 * belongs to shipments that no order made. A SKU is as large as what it is matched with on the first of its sites that is,
 * else as the product of the same name.
 */
async function takenOf(ctx: Ctx, accounts: readonly string[]): Promise<Taken[]> {
  const { rows } = await sql<Taken>`
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
       GROUP BY 1, 2, 3),
    piece AS MATERIALIZED (
      SELECT account_id, stock, msku, coalesce(own.sites, '{}') || coalesce(fba.sites, '{}') AS sites,
             coalesce(fba.on_hand, 0) AS on_hand, coalesce(own.waiting, 0) AS waiting,
             coalesce(own.transit, 0) + greatest(0, coalesce(fba.inbound, 0) - coalesce(own.numbered, 0)) AS transit
        FROM fba FULL JOIN own USING (account_id, stock, msku)
       WHERE coalesce(fba.on_hand, 0) + coalesce(fba.inbound, 0) + coalesce(own.transit, 0) + coalesce(own.waiting, 0) > 0),
    named AS MATERIALIZED (${namedVolumesSelect(ctx)}),
    matched AS MATERIALIZED (
      SELECT DISTINCT ON (p.account_id, p.stock, p.msku) p.account_id, p.stock, p.msku, m.volume
        FROM piece AS p
        CROSS JOIN unnest(p.sites) WITH ORDINALITY AS u (site, place)
        JOIN (${matchedVolumesSelect(ctx)}) AS m ON m.account_id = p.account_id AND m.marketplace_id = u.site AND m.msku = p.msku
        LEFT JOIN named AS n ON n.sku_key = lower(btrim(p.msku))
       WHERE n.sku_key IS NULL OR u.place = 1
       ORDER BY 1, 2, 3, u.place),
    sized AS (
      SELECT p.*, CASE WHEN m.msku IS NULL THEN n.volume ELSE m.volume END AS volume,
             ${storageTypeOf(ctx, { account: sql`p.account_id`, stock: sql`p.stock`, msku: sql`p.msku` })} AS word
        FROM piece AS p
        LEFT JOIN matched AS m USING (account_id, stock, msku)
        LEFT JOIN named AS n ON n.sku_key = lower(btrim(p.msku)))
    SELECT account_id AS account, stock, word, coalesce(sum(on_hand * volume), 0)::text AS "onHand",
           coalesce(sum(transit * volume), 0)::text AS transit, coalesce(sum(waiting * volume), 0)::text AS waiting,
           coalesce(sum(on_hand + transit + waiting) FILTER (WHERE volume IS NULL), 0)::int AS unmeasured
      FROM sized GROUP BY 1, 2, 3`.execute(ctx.db);
  return rows;
}

/**
 * What stores take of their rooms now, by roomKey(): Amazon's stock, what is on its way and what ship orders still plan, each at
 * the packed volume of the local products that a SKU is made of. A room of which nothing is taken is absent.
 */
export async function usageOf(ctx: Ctx, accounts: readonly string[]): Promise<Map<string, Usage>> {
  if (accounts.length === 0) return new Map();
  const found = new Map<string, Usage>();
  const zero = new Decimal(0);
  for (const { account, stock, word, unmeasured, ...taken } of await takenOf(ctx, accounts)) {
    const key = roomKey(account, stock, typeOf(word ?? undefined));
    const mine = found.get(key) ?? { onHand: zero, transit: zero, waiting: zero, unmeasured: 0 };
    found.set(key, {
      onHand: mine.onHand.plus(cm3ToM3(taken.onHand)),
      transit: mine.transit.plus(cm3ToM3(taken.transit)),
      waiting: mine.waiting.plus(cm3ToM3(taken.waiting)),
      unmeasured: mine.unmeasured + unmeasured,
    });
  }
  return found;
}
