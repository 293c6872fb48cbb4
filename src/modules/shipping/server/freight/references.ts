import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { SHIPMENT_NOS } from '../shipment/of-order.ts';

/** The ship order that a number of a carrier's means. */
export interface Meant {
  reference: string;
  orderId: string;
  number: string;
  state: string;
  account: string;
  marketplaceId: string;
  shipmentNo: string;
  /** How many orders the number means. */
  orders: number;
}

/**
 * Ship orders within the caller's reach by our number, the shipment's or the tracking number, however it is written; an order
 * that was cancelled is meant by our number alone.
 */
export async function meantBy(ctx: Ctx, references: readonly string[]): Promise<Map<string, Meant>> {
  const wanted = [...new Set(references.map((one) => one.trim()).filter(Boolean))];
  if (wanted.length === 0) return new Map();
  const { rows } = await sql<Meant>`
    WITH asked AS (
      SELECT reference, upper(reference) AS plain FROM unnest(${wanted}::text[]) AS reference
    ), found AS (
      SELECT a.reference, o.id FROM asked AS a JOIN shipping.ship_order AS o
          ON o.company_id = ${ctx.companyId} AND o.number = a.plain
      UNION
      SELECT a.reference, o.id FROM asked AS a JOIN shipping.ship_order AS o
          ON o.company_id = ${ctx.companyId} AND o.shipment_no = a.plain AND o.shipment_no <> '' AND o.state <> 'cancelled'
      UNION
      SELECT a.reference, o.id FROM asked AS a
        JOIN shipping.inbound_shipment AS i ON i.company_id = ${ctx.companyId} AND i.shipment_no = a.plain
        JOIN shipping.ship_order AS o ON o.company_id = i.company_id AND o.id = i.order_id AND o.state <> 'cancelled'
      UNION
      SELECT a.reference, o.id FROM asked AS a JOIN shipping.ship_order AS o
          ON o.company_id = ${ctx.companyId} AND o.tracking_no IN (a.reference, a.plain) AND o.tracking_no <> ''
             AND o.state <> 'cancelled'
    )
    SELECT DISTINCT ON (f.reference) f.reference, o.id AS "orderId", o.number, o.state, o.account_id AS account,
           o.marketplace_id AS "marketplaceId", ${SHIPMENT_NOS} AS "shipmentNo",
           (count(*) OVER (PARTITION BY f.reference))::int AS orders
      FROM found AS f JOIN shipping.ship_order AS o ON o.company_id = ${ctx.companyId} AND o.id = f.id
     ORDER BY f.reference, o.id DESC`.execute(ctx.db);
  return new Map(rows.map((row) => [row.reference, row]));
}

/** Why a number cannot stand on a bill, in words; undefined where it can. */
export function notBillable(reference: string, meant: Meant | undefined): string | undefined {
  if (!meant) return `没有单号为【${reference}】的发货单`;
  if (meant.orders > 1) return `单号【${reference}】对应 ${meant.orders} 张发货单，请改填发货单号`;
  if (meant.state === 'cancelled') return `发货单【${meant.number}】已取消`;
  return undefined;
}

/** What numbers mean, as the form of a bill shows it beside them. */
export async function findOrders(ctx: Ctx, references: readonly string[]) {
  const found = await meantBy(ctx, references);
  const stores = await storeNames(ctx);
  return [...found.values()].map(({ account, marketplaceId, state: _, ...one }) => ({
    ...one,
    store: { name: stores.get(account) ?? '—', country: countryOf(marketplaceId) },
  }));
}
