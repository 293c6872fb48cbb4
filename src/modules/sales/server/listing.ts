import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { ordersReadUpToSelect } from '#modules/order/server/index.ts';

const ZONES = MARKETPLACES.map((one) => one.id);
const ZONE_NAMES = MARKETPLACES.map((one) => one.timeZone);

/** A marketplace of an account: its zone, its present day, and whether anything is known of its sales. */
export interface SalesSite {
  marketplace_id: string;
  zone: string;
  today: string;
  known: boolean;
}

/**
 * SELECT of an account's marketplaces with the day up to which its orders have been read, in marketplace time; sales of
 * "the last N days" are those of the N days before it. Without a feed it is today, and `known` tells whether an upload has
 * brought orders all the same.
 */
export function salesSitesSelect(ctx: Pick<Ctx, 'companyId'>, accountId: string): RawBuilder<SalesSite> {
  return sql<SalesSite>`
    SELECT m.marketplace_id, coalesce(z.zone, 'UTC') AS zone,
           (coalesce(c.read_to, kit.now()) AT TIME ZONE coalesce(z.zone, 'UTC'))::date AS today,
           c.read_to IS NOT NULL OR EXISTS (
             SELECT FROM sales.sku_day AS s WHERE s.company_id = m.company_id AND s.account_id = m.account_id
                AND s.marketplace_id = m.marketplace_id) AS known
      FROM marketplace.seller_marketplace AS m
      LEFT JOIN unnest(${ZONES}::text[], ${ZONE_NAMES}::text[]) AS z (id, zone) ON z.id = m.marketplace_id
      LEFT JOIN (${ordersReadUpToSelect(ctx)}) AS c ON c.account_id = m.account_id
     WHERE m.company_id = ${ctx.companyId} AND m.account_id = ${accountId}`;
}
