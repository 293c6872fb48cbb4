import { formatMinor } from '../../business/amounts.ts';
import { iso } from '../clock.ts';
import type { Answer, Call } from '../operation.ts';
import { previewBody, read, wrong } from './bodies.ts';
import { checkAddress, feeOf, filledLines, siteOf, whyNotLine, whyNotThere } from './judge.ts';
import { PACE } from './status.ts';
import type { OutboundItem, Speed } from './types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

interface Asked {
  call: Call;
  site: string;
  items: OutboundItem[];
  why: string | undefined;
  weightKg: number;
}

function shipmentOf({ call, items }: Asked, speed: Speed): object {
  const { picking, road } = PACE[speed];
  return {
    earliestShipDate: iso(call.now + picking[0] * HOUR_MS),
    latestShipDate: iso(call.now + (picking[1] + 4) * HOUR_MS),
    earliestArrivalDate: iso(call.now + picking[0] * HOUR_MS + road[0] * DAY_MS),
    latestArrivalDate: iso(call.now + (picking[1] + 4) * HOUR_MS + road[1] * DAY_MS),
    fulfillmentPreviewItems: items
      .filter(({ filled }) => filled > 0)
      .map(({ sku, itemId, filled }) => ({ sellerSku: sku, sellerFulfillmentOrderItemId: itemId, quantity: filled })),
  };
}

function previewOf(asked: Asked, speed: Speed | 'ScheduledDelivery'): object {
  const { call, site, items, why, weightKg } = asked;
  const { currency } = call.world.marketplace(site);
  const missing = items.flatMap((item) => {
    const reason = whyNotLine(call, site, item);
    const quantity = item.quantity - item.filled;
    const about = { sellerSku: item.sku, sellerFulfillmentOrderItemId: item.itemId, quantity };
    return reason ? [{ ...about, itemUnfulfillableReasons: [reason] }] : [];
  });
  // Days of the buyer's choice are offered in Japan alone, which is not simulated.
  const reason = speed === 'ScheduledDelivery' ? 'DeliverySLAUnavailable' : why;
  const head = { marketplaceId: site, shippingSpeedCategory: speed, isCODCapable: false };
  if (reason || speed === 'ScheduledDelivery') {
    return { ...head, isFulfillable: false, orderUnfulfillableReasons: [reason], unfulfillablePreviewItems: missing };
  }
  const canSend = items.some(({ filled }) => filled > 0);
  return {
    ...head,
    isFulfillable: missing.length === 0,
    estimatedShippingWeight: { unit: 'KILOGRAMS', value: weightKg.toFixed(2) },
    ...(canSend
      ? {
          estimatedFees: [
            {
              name: 'FBAPerUnitFulfillmentFee',
              amount: { currencyCode: currency, value: formatMinor(feeOf(call, site, items, speed), currency) },
            },
          ],
          fulfillmentPreviewShipments: [shipmentOf(asked, speed)],
        }
      : {}),
    unfulfillablePreviewItems: missing,
    orderUnfulfillableReasons: [],
  };
}

/** getFulfillmentPreview: what an order would cost and when it would arrive, at each speed. */
export function getFulfillmentPreview(call: Call): Answer {
  const said = read(previewBody, call.body);
  const site = siteOf(call, said.marketplaceId);
  checkAddress('address', said.address);
  const speeds = said.shippingSpeedCategories ?? (['Standard', 'Expedited', 'Priority'] as const);
  if (speeds.length === 0) throw wrong('shippingSpeedCategories', 'it is empty');
  const items = filledLines(call, site, said.items);
  const stock = call.world.business.stock(call.account, site, call.now);
  const weightOf = (sku: string): number => stock.find(({ product }) => product.sku === sku)?.product.weightKg ?? 0;
  const weightKg = items.reduce((sum, { sku, filled }) => sum + filled * weightOf(sku), 0);
  const asked = { call, site, items, why: whyNotThere(call, site, said.address), weightKg };
  return { body: { payload: { fulfillmentPreviews: speeds.map((speed) => previewOf(asked, speed)) } } };
}
