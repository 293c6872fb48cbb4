/** Ways to send a parcel, and what each asks. */
import { createHash } from 'node:crypto';
import type { SimOrder } from '../../business/types.ts';
import { iso } from '../clock.ts';
import { unitDraw } from '../random.ts';
import { type Details, FORMATS } from './bodies.ts';

const DAY_MS = 86_400_000;

interface Service {
  id: string;
  name: string;
  carrier: string;
  /** How the Orders API names the carrier. */
  code: string;
  /** Hundredths of the currency: for any parcel, and for each 100 g. */
  base: number;
  per100g: number;
  /** Days on the way, the fastest and the slowest. */
  days: readonly [number, number];
  mostG: number;
  prefix: string;
}

const SERVICES: readonly Service[] = [
  {
    id: 'USPS_PTP_GNDADV',
    name: 'USPS Ground Advantage',
    carrier: 'USPS',
    code: 'USPS',
    base: 398,
    per100g: 41,
    days: [3, 6],
    mostG: 9_000,
    prefix: '9400',
  },
  {
    id: 'USPS_PTP_PRI',
    name: 'USPS Priority Mail®',
    carrier: 'USPS',
    code: 'USPS',
    base: 671,
    per100g: 58,
    days: [2, 4],
    mostG: 31_000,
    prefix: '9405',
  },
  {
    id: 'UPS_PTP_GND',
    name: 'UPS® Ground',
    carrier: 'UPS®',
    code: 'UPS',
    base: 742,
    per100g: 33,
    days: [3, 5],
    mostG: 68_000,
    prefix: '1Z17E2',
  },
  {
    id: 'UPS_PTP_2ND_DAY_AIR',
    name: 'UPS 2nd Day Air®',
    carrier: 'UPS®',
    code: 'UPS',
    base: 1889,
    per100g: 96,
    days: [2, 2],
    mostG: 68_000,
    prefix: '1Z17E2',
  },
  {
    id: 'FEDEX_PTP_PRIORITY_OVERNIGHT',
    name: 'FedEx Priority Overnight®',
    carrier: 'FedEx',
    code: 'FedEx',
    base: 4120,
    per100g: 152,
    days: [1, 1],
    mostG: 68_000,
    prefix: '7489',
  },
];

const GRAMS_OF_OUNCE = 28.349523125;
const gramsOf = ({ Weight: { Value, Unit } }: Details): number => (Unit === 'g' ? Value : Value * GRAMS_OF_OUNCE);
const cmOf = ({ PackageDimensions: { Length, Width, Height, Unit } }: Details): number[] =>
  [Length, Width, Height].map((side) => (Unit === 'inches' ? side * 2.54 : side));

/** An offer for one parcel. */
export interface Offer {
  service: Service;
  offerId: string;
  cents: number;
  shipAt: number;
  earliest: number;
  latest: number;
}

/** Big and light parcels pay for their room: 1 kg for each 5,000 cm³. */
const billedGrams = (details: Details): number =>
  Math.max(gramsOf(details), cmOf(details).reduce((room, side) => room * side, 1) / 5);

function offerOf(service: Service, details: Details, order: SimOrder, now: number): Offer {
  const { ShipFromAddress, PackageDimensions, Weight, ItemList, ShipDate } = details;
  const zone = unitDraw('zone', service.carrier, ShipFromAddress.PostalCode, order.shipTo.postalCode);
  const steps = Math.ceil(billedGrams(details) / 100);
  const cents = Math.round((service.base + service.per100g * steps) * (0.9 + zone * 0.4));
  const asked = JSON.stringify([order.orderId, ShipFromAddress.PostalCode, PackageDimensions, Weight, ItemList]);
  const offerId = createHash('sha256').update(`${service.id} ${cents} ${asked}`).digest('base64');
  const shipAt = ShipDate === undefined ? now : Math.max(now, Date.parse(ShipDate));
  const [fast, slow] = service.days;
  return { service, offerId, cents, shipAt, earliest: shipAt + fast * DAY_MS, latest: shipAt + slow * DAY_MS };
}

/** What carriers offer for a parcel, and the services that would not take it. */
export function offersFor(details: Details, order: SimOrder, now: number): { offers: Offer[]; rejected: Service[] } {
  const fits = SERVICES.filter((one) => gramsOf(details) <= one.mostG);
  const due = details.MustArriveByDate === undefined ? Number.POSITIVE_INFINITY : Date.parse(details.MustArriveByDate);
  return {
    offers: fits.map((one) => offerOf(one, details, order, now)).filter(({ latest }) => latest <= due),
    rejected: SERVICES.filter((one) => !fits.includes(one)),
  };
}

/** The service of an id; undefined for one that nobody has. */
export const serviceOf = (id: string): Service | undefined => SERVICES.find((one) => one.id === id);

/** Whether a parcel goes to another country: then customs want to know more. */
export const crossesBorder = (from: { CountryCode: string }, order: SimOrder): boolean =>
  from.CountryCode !== order.shipTo.countryCode;

/** An offer as the wire says it. */
export function offerShape(offer: Offer, details: Details, order: SimOrder, currency: string): object {
  const { service, offerId, cents, shipAt, earliest, latest } = offer;
  const price = { CurrencyCode: currency, Amount: cents / 100 };
  const { LabelFormat: _, ...options } = details.ShippingServiceOptions;
  const inTime = latest <= order.latestDeliverAt;
  return {
    ShippingServiceName: service.name,
    CarrierName: service.carrier,
    ShippingServiceId: service.id,
    ShippingServiceOfferId: offerId,
    ShipDate: iso(shipAt),
    EarliestEstimatedDeliveryDate: iso(earliest),
    LatestEstimatedDeliveryDate: iso(latest),
    Rate: price,
    RateWithAdjustments: price,
    ShippingServiceOptions: options,
    AvailableLabelFormats: [...FORMATS],
    AvailableFormatOptionsForLabel: FORMATS.map((LabelFormat) => ({ LabelFormat })),
    RequiresAdditionalSellerInputs: crossesBorder(details.ShipFromAddress, order),
    Benefits: {
      IncludedBenefits: inTime ? ['CLAIMS_PROTECTED'] : [],
      ExcludedBenefits: inTime ? [] : [{ Benefit: 'CLAIMS_PROTECTED', ReasonCodes: ['LATE_DELIVERY_RISK'] }],
    },
  };
}
