import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { shipFromAddresses } from '#modules/marketplace/server/index.ts';
import { mayMove, maySee, warehouses } from '#modules/warehouse/server/index.ts';
import type { shipChoices } from '../../contract/order-calls.ts';

interface DbStore {
  id: string;
  name: string;
  storeId: string;
  sites: string[];
}

/** Stores with their sites and addresses, and warehouses that can send, as far as the caller may see them. */
export async function choices(ctx: Ctx): Promise<Reply<typeof shipChoices>> {
  const { rows } = await sql<DbStore>`
    SELECT a.id, s.id AS "storeId", s.name, array_agg(m.marketplace_id ORDER BY m.marketplace_id) AS sites
      FROM marketplace.seller_account AS a
      JOIN marketplace.store AS s ON s.company_id = a.company_id AND s.id = a.store_id
      JOIN marketplace.seller_marketplace AS m ON m.company_id = a.company_id AND m.account_id = a.id
       AND m.enabled AND m.is_participating
     WHERE a.company_id = ${ctx.companyId} AND a.status <> 'deleted'
     GROUP BY a.company_id, a.id, s.company_id, s.id ORDER BY s.sort_index, s.name`.execute(ctx.db);
  const addresses = await shipFromAddresses(ctx);
  const places = [...(await warehouses(ctx)).values()].filter(
    (one) => !one.disabled && one.quality === 'GOOD' && one.kind !== 'FBA' && one.kind !== 'AWD' && maySee(ctx, one.id),
  );
  return {
    stores: rows.map(({ sites, storeId, ...store }) => ({
      ...store,
      addresses: addresses.flatMap(({ storeId: owner, ...one }) => (owner === storeId ? [one] : [])),
      sites: sites.map((marketplaceId) => ({ marketplaceId, country: countryOf(marketplaceId) })),
    })),
    warehouses: places.map(({ id, name }) => ({ id, name, mine: mayMove(ctx, id) })),
  };
}
