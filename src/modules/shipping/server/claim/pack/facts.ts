import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { boxesOf } from '../../order/boxes.ts';
import { loaded, type ShipOrder } from '../../order/load.ts';
import { type Claim, claimOf } from '../load.ts';

/** A box with pieces of what the claim is about. */
export interface PackedBox {
  no: number;
  /** cm and kg. */
  size: string;
  weight: string;
  /** Pieces of the claim's SKU in it. */
  qty: number;
  /** Everything in it, as "SKU × pieces". */
  content: string;
}

/** All that is known of a claim and of the goods that it is about. */
export interface ClaimFacts {
  claim: Claim;
  order: ShipOrder;
  store: string;
  country: string;
  title: string;
  fnsku: string;
  asin: string;
  /** Fulfilment centre, as the marketplace codes it; empty where it told none. */
  centre: string;
  /** The company's days on which it left, was at the door, and was closed. */
  shippedOn: string | null;
  deliveredOn: string | null;
  /** Every box of the order; weights in kg. */
  boxes: PackedBox[];
  totalWeight: string | null;
}

interface Days {
  centre: string | null;
  shippedOn: string | null;
  deliveredOn: string | null;
}

async function daysOf(ctx: Ctx, claim: Claim): Promise<Days> {
  const { rows } = await sql<Days>`
    SELECT s.center AS centre, kit.day(o.shipped_at) AS "shippedOn", kit.day(s.delivered_at) AS "deliveredOn"
      FROM shipping.ship_order AS o
      LEFT JOIN shipping.fba_shipment AS s ON s.company_id = o.company_id AND s.account_id = o.account_id
        AND s.shipment_no = ${claim.shipmentNo}
     WHERE o.company_id = ${ctx.companyId} AND o.id = ${claim.orderId}`.execute(ctx.db);
  return rows[0] ?? { centre: null, shippedOn: null, deliveredOn: null };
}

/** Reads all that is known of a claim. @throws notFound */
export async function factsOf(ctx: Ctx, id: string): Promise<ClaimFacts> {
  const claim = await claimOf(ctx, id, false);
  const order = await loaded(ctx, claim.orderId);
  const line = order.lines.find((one) => one.msku === claim.msku);
  const msku = new Map(order.lines.map((one) => [one.id, one.msku]));
  const raw = await boxesOf(ctx, order.id);
  const boxes = raw.map(
    (box, index): PackedBox => ({
      no: index + 1,
      size: box.length === null ? '' : `${box.length} × ${box.width} × ${box.height}`,
      weight: box.weight ?? '',
      qty: box.items.filter((item) => item.lineId === line?.id).reduce((total, item) => total + item.qty, 0),
      content: box.items.map((item) => `${msku.get(item.lineId) ?? ''} × ${item.qty}`).join(', '),
    }),
  );
  const { centre, shippedOn, deliveredOn } = await daysOf(ctx, claim);
  const weight = await sql<{ kg: string | null }>`
    SELECT trim_scale(sum(weight))::text AS kg FROM shipping.box
     WHERE company_id = ${ctx.companyId} AND order_id = ${order.id}`.execute(ctx.db);
  return {
    claim,
    order,
    store: (await storeNames(ctx)).get(order.account) ?? '',
    country: countryOf(order.marketplaceId),
    title: line?.title ?? '',
    fnsku: line?.fnsku ?? '',
    asin: line?.asin ?? '',
    centre: centre ?? '',
    shippedOn,
    deliveredOn,
    boxes,
    totalWeight: weight.rows[0]?.kg ?? null,
  };
}
