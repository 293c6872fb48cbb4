import type { SpApi } from '#modules/marketplace/server/index.ts';
import type { Recipient, WishedLine } from '../../contract/create.ts';
import type { Speed } from '../../contract/states.ts';
import { addressOf, ORDERS, SPEED_WORDS, speedOf } from './words.ts';

interface ApiPreview {
  shippingSpeedCategory?: string;
  isFulfillable?: boolean;
  estimatedFees?: { amount?: { currencyCode?: string; value?: string } }[];
  fulfillmentPreviewShipments?: { earliestArrivalDate?: string; latestArrivalDate?: string }[];
  unfulfillablePreviewItems?: { sellerSku?: string; quantity?: number; itemUnfulfillableReasons?: string[] }[];
  orderUnfulfillableReasons?: string[];
}

/** What Amazon says of an order at one speed. */
export interface Preview {
  speed: Speed;
  fulfillable: boolean;
  /** Decimal texts of one currency, to be added up. */
  fees: string[];
  currency: string | null;
  /** ISO instants. */
  arrivesFrom: string | null;
  arrivesTo: string | null;
  /** Amazon's codes. */
  reasons: string[];
  lacking: { sku: string; quantity: number; reasons: string[] }[];
}

/** Asks what an order would cost and when it would arrive at some speeds. Nothing is made by it. */
export async function askPreviews(
  api: SpApi,
  wish: { marketplaceId: string; to: Recipient; lines: readonly WishedLine[]; speeds: readonly Speed[] },
): Promise<Preview[]> {
  const { body } = await api.call<{ payload?: { fulfillmentPreviews?: ApiPreview[] } }>({
    operation: 'getFulfillmentPreview',
    method: 'POST',
    path: `${ORDERS}/preview`,
    body: {
      marketplaceId: wish.marketplaceId,
      address: addressOf(wish.to),
      shippingSpeedCategories: wish.speeds.map((speed) => SPEED_WORDS[speed]),
      items: wish.lines.map(({ sku, quantity }, index) => ({
        sellerSku: sku,
        sellerFulfillmentOrderItemId: String(index + 1),
        quantity,
      })),
    },
  });
  return (body.payload?.fulfillmentPreviews ?? []).map((one) => {
    const fees = (one.estimatedFees ?? []).flatMap(({ amount }) => (amount?.value ? [amount] : []));
    const shipments = one.fulfillmentPreviewShipments ?? [];
    const dates = (key: 'earliestArrivalDate' | 'latestArrivalDate') =>
      shipments.flatMap((each) => each[key] ?? []).sort();
    return {
      speed: speedOf(one.shippingSpeedCategory),
      fulfillable: one.isFulfillable === true,
      fees: fees.map(({ value = '0' }) => value),
      currency: fees[0]?.currencyCode ?? null,
      arrivesFrom: dates('earliestArrivalDate')[0] ?? null,
      arrivesTo: dates('latestArrivalDate').at(-1) ?? null,
      reasons: one.orderUnfulfillableReasons ?? [],
      lacking: (one.unfulfillablePreviewItems ?? []).map(
        ({ sellerSku = '', quantity = 0, itemUnfulfillableReasons }) => ({
          sku: sellerSku,
          quantity,
          reasons: itemUnfulfillableReasons ?? [],
        }),
      ),
    };
  });
}
