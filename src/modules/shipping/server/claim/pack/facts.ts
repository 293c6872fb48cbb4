import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { loaded, type ShipOrder } from '../../order/load.ts';
import { type Sent, sentBoxes } from '../../receipt/load.ts';
import { type SharedBox, shareOut } from '../../receipt/share.ts';
import { englishReason } from '../../receipt/words.ts';
import { type Claim, claimOf } from '../load.ts';

/** A box of the claim's shipment. */
export interface PackedBox {
  no: number;
  /** What the marketplace calls it, and its own number with the carrier; empty where there is none. */
  amazonBoxId: string;
  trackingNo: string;
  /** cm and kg. */
  size: string;
  weight: string;
  /** Pieces of the claim's SKU in it, and of these what did not come. */
  qty: number;
  missing: number;
  /** Everything in it, as "SKU × pieces". */
  content: string;
  /** The day on which the carrier had it signed for. */
  deliveredOn: string | null;
  /** In English: that it did not come, as people found or as it seems; empty where nothing is held against it. */
  finding: string;
  /** How well a box that is suspected fits what is missing, 0 to 100; null where people say so, or nobody. */
  score: number | null;
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
  /** Every box of the shipment; weights in kg. */
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

const FOUND: Readonly<Record<string, string>> = { MISSING: 'not received', PARTLY: 'received in part' };

/** What is held against a box with pieces of the claim's SKU. */
function findingOf(
  shared: SharedBox | undefined,
  mark: string,
  hasGoods: boolean,
): Pick<PackedBox, 'finding' | 'score'> {
  if (!hasGoods || !shared) return { finding: '', score: null };
  if (shared.suspicion === null) return { finding: FOUND[mark] ?? '', score: null };
  return { finding: `suspected missing: ${englishReason(shared.suspicion)}`, score: shared.suspicion.score };
}

function packedBoxes({ boxes, counted }: Sent, msku: string): PackedBox[] {
  const shared = new Map(shareOut(boxes, counted).boxes.map((box) => [box.no, box]));
  return boxes.map((box): PackedBox => {
    const qty = box.items.get(msku) ?? 0;
    const mine = shared.get(box.no);
    return {
      no: box.no,
      amazonBoxId: box.amazonBoxId ?? '',
      trackingNo: box.trackingNo,
      size: box.size,
      weight: box.weight ?? '',
      qty,
      missing: qty - (mine?.received.get(msku) ?? 0),
      content: box.lines.map((line) => `${line.msku} × ${line.qty}`).join(', '),
      deliveredOn: box.deliveredOn,
      ...findingOf(mine, box.mark, qty > 0),
    };
  });
}

/** kg altogether; null where a box was not weighed. */
function weightOf(boxes: readonly PackedBox[]): string | null {
  if (boxes.length === 0 || boxes.some(({ weight }) => weight === '')) return null;
  return boxes.reduce((total, { weight }) => total.plus(weight), new Decimal(0)).toFixed();
}

/** Reads all that is known of a claim. @throws notFound */
export async function factsOf(ctx: Ctx, id: string): Promise<ClaimFacts> {
  const claim = await claimOf(ctx, id, false);
  const order = await loaded(ctx, claim.orderId);
  const line = order.lines.find((one) => one.msku === claim.msku);
  const sent = (await sentBoxes(ctx, order)).find(({ shipmentNo }) => shipmentNo === claim.shipmentNo);
  const boxes = sent ? packedBoxes(sent, claim.msku) : [];
  const { centre, shippedOn, deliveredOn } = await daysOf(ctx, claim);
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
    totalWeight: weightOf(boxes),
  };
}
