import { iso } from '../clock.ts';
import { notFound } from '../errors.ts';
import type { Answer, Call } from '../operation.ts';
import { text } from '../query.ts';
import { wrong } from './bodies.ts';
import { packagesOf } from './shapes.ts';
import { hasLeft } from './status.ts';
import type { OutboundOrder } from './types.ts';

const HOUR_MS = 3_600_000;

interface Step {
  code: string;
  words: string;
  at: number;
  status: string;
  atHome: boolean;
}

/** What a carrier tells of a package, from the warehouse to the door. */
function stepsOf({ way }: OutboundOrder): Step[] {
  if (!way) return [];
  const { shippedAt, deliveredAt } = way;
  const road = (share: number): number => Math.round(shippedAt + (deliveredAt - shippedAt) * share);
  return [
    {
      code: 'EVENT_101',
      words: 'Carrier notified to pick up package',
      at: shippedAt,
      status: 'IN_TRANSIT',
      atHome: false,
    },
    { code: 'EVENT_201', words: 'Departed origin terminal', at: road(0.15), status: 'IN_TRANSIT', atHome: false },
    { code: 'EVENT_202', words: 'Arrived at destination terminal', at: road(0.8), status: 'IN_TRANSIT', atHome: true },
    {
      code: 'EVENT_302',
      words: 'Out for delivery',
      at: deliveredAt - 5 * HOUR_MS,
      status: 'OUT_FOR_DELIVERY',
      atHome: true,
    },
    { code: 'EVENT_301', words: 'Delivered', at: deliveredAt, status: 'DELIVERED', atHome: true },
  ];
}

/** getPackageTrackingDetails: where a package of an order that has left is. */
export function getPackageTrackingDetails(call: Call): Answer {
  const asked = text(call.query, 'packageNumber') ?? '';
  if (!/^\d{1,10}$/.test(asked)) throw wrong('packageNumber', 'it is no package number');
  for (const order of call.world.outbound.of(call.account)) {
    const { way, destination } = order;
    if (!way || !hasLeft(order, call.now)) continue;
    const found = packagesOf(call.world, order).find(({ packageNumber }) => packageNumber === Number(asked));
    if (!found) continue;
    const past = stepsOf(order).filter(({ at }) => at <= call.now);
    const home = {
      city: destination.city ?? '',
      state: destination.stateOrRegion ?? '',
      country: destination.countryCode,
    };
    const { packageNumber, carrierCode, trackingNumber } = found;
    return {
      body: {
        payload: {
          packageNumber,
          trackingNumber,
          carrierCode,
          customerTrackingLink: `https://www.swiship.com/track?id=${trackingNumber}`,
          shipDate: iso(way.shippedAt),
          estimatedArrivalDate: iso(way.deliveredAt),
          shipToAddress: home,
          currentStatus: past.at(-1)?.status ?? 'IN_TRANSIT',
          trackingEvents: past.toReversed().map(({ at, code, words, atHome }) => ({
            eventDate: iso(at),
            eventAddress: atHome ? home : { city: 'Phoenix', state: 'AZ', country: 'US' },
            eventCode: code,
            eventDescription: words,
          })),
        },
      },
    };
  }
  throw notFound(`package ${asked}`);
}
