import { sql } from 'kysely';
import type { ListingEvent, ListingEvents } from '#modules/listing/server/index.ts';

/** Contents of a listing that changed: what a draft brought, and what somebody did in Seller Central before one. */
export const contentEvents: ListingEvents = {
  of: async (ctx, { accountId, marketplaceId, sellerSku }, from) => {
    const here = sql`company_id = ${ctx.companyId} AND account_id = ${accountId} AND marketplace_id = ${marketplaceId}
       AND seller_sku = ${sellerSku}`;
    const { rows } = await sql<ListingEvent>`
      SELECT live_at AS at, 'content' AS kind, coalesce(submitted_by_name, '') AS by,
             '刊登内容已生效：' || (SELECT string_agg(name, '、' ORDER BY name) FROM jsonb_object_keys(sent) AS name) AS text
        FROM publish.draft WHERE ${here} AND live_at >= ${from} AND sent <> '{}'
      UNION ALL
      SELECT created_at, 'content', '', '发现卖家后台修改过刊登内容，记为版本 ' || number
        FROM publish.version WHERE ${here} AND source = 'found' AND number > 1 AND created_at >= ${from}`.execute(
      ctx.db,
    );
    return rows;
  },
};
