import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { emit } from '#kit/server/events.ts';
import type { AccountRef } from '#modules/marketplace/server/index.ts';
import { packagesMoved } from './packages.ts';

/**
 * Whether order `o` shows the reported package `s`, or is shipped as a whole. One that the marketplace numbered itself is
 * known by its tracking number alone.
 */
export const SHOWN = sql`(o.status = 'SHIPPED' OR EXISTS (
  SELECT FROM jsonb_array_elements(o.packages) AS p
   WHERE (s.reference IS NULL OR p ->> 'reference' = s.reference::text) AND p ->> 'tracking' = s.tracking_number))`;

/** Whether packages of a store were reported that the marketplace has yet to show. */
export async function packagesWait(ctx: Ctx, accountId: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM "order".shipment WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}
       AND state IN ('accepted', 'unknown') LIMIT 1`.execute(ctx.db);
  return rows.length > 0;
}

/** What the marketplace shows of the orders of a delivery confirms the packages that were reported. */
export async function confirmLanded(ctx: Ctx, account: AccountRef): Promise<void> {
  const { rows } = await sql`
    UPDATE "order".shipment AS s SET state = 'confirmed', confirmed_at = kit.now(), problem = NULL
      FROM pg_temp.landing_order n, "order".amazon_order o
     WHERE s.company_id = ${ctx.companyId} AND s.account_id = ${account.id} AND s.state IN ('accepted', 'unknown')
       AND n.amazon_order_id = s.amazon_order_id AND o.company_id = s.company_id
       AND o.selling_partner_id = s.selling_partner_id AND o.amazon_order_id = s.amazon_order_id
       AND s.selling_partner_id = ${account.sellingPartnerId} AND ${SHOWN}
    RETURNING s.id`.execute(ctx.db);
  if (rows.length > 0) await emit(ctx, packagesMoved, { accountId: account.id });
}
