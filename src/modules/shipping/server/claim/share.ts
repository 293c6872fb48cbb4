import type { ShipmentOfOrder } from '../shipment/of-order.ts';

/** Pieces of one SKU that differ in one shipment. */
export interface Share {
  shipmentNo: string;
  shipped: number;
  received: number;
  qty: number;
}

type Told = Pick<ShipmentOfOrder, 'shipmentNo' | 'items'>;

const itemOf = ({ items }: Told, msku: string) =>
  items.find((item) => item.msku === msku) ?? { msku, shipped: 0, received: 0 };

/**
 * Which shipments the lost pieces of a line are missing in: each up to what it is short of, the one that lacks most first.
 * What no shipment is short of (fewer were announced than left) goes to the one that most were announced for; where the
 * marketplace has told of none, to `fallback`.
 */
export function shortsOf(
  line: { msku: string; shipped: number; received: number; lost: number },
  shipments: readonly Told[],
  fallback: string,
): Share[] {
  const told = shipments
    .map((shipment) => ({ shipmentNo: shipment.shipmentNo, ...itemOf(shipment, line.msku) }))
    .filter((item) => item.shipped > 0 || shipments.length === 1);
  if (told.length === 0) {
    const { shipped, received, lost } = line;
    return lost > 0 ? [{ shipmentNo: fallback, shipped, received, qty: lost }] : [];
  }
  let rest = line.lost;
  const lacking = told.toSorted((a, b) => b.shipped - b.received - (a.shipped - a.received));
  const shares = lacking.map((item) => {
    const qty = Math.max(0, Math.min(rest, item.shipped - item.received));
    rest -= qty;
    return { shipmentNo: item.shipmentNo, shipped: item.shipped, received: item.received, qty };
  });
  const largest = shares.toSorted((a, b) => b.shipped - a.shipped)[0];
  if (largest) largest.qty += rest;
  return shares.filter((share) => share.qty > 0);
}

/** Pieces of a SKU that came beyond what left, in the shipment that has most too many; nothing where none did. */
export function overOf(msku: string, left: number, shipments: readonly Told[]): Share | undefined {
  const told = shipments.map((shipment) => ({ shipmentNo: shipment.shipmentNo, ...itemOf(shipment, msku) }));
  const qty = told.reduce((total, item) => total + item.received, 0) - left;
  const [most] = told.toSorted((a, b) => b.received - b.shipped - (a.received - a.shipped));
  if (qty <= 0 || !most) return undefined;
  return { shipmentNo: most.shipmentNo, shipped: left, received: left + qty, qty };
}
