/** Ways of transport that are offered for a shipment, and what Amazon's partners ask for it. */
import type { SimMarketplace } from '../../business/types.ts';
import { parseInstant } from '../query.ts';
import { unitDraw } from '../random.ts';
import { read, transportationBody } from './bodies.ts';
import { kilograms } from './contents.ts';
import { confirmedShipments, type PlanJudge, refused, type Work } from './desk.ts';
import type { Problem, Shipment, ShippingMode, TransportationOption } from './types.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

type Carrier = readonly [name: string, alphaCode: string];
/** Carriers that sellers book themselves; whoever is none of them is "Other". */
const PARCEL: readonly Carrier[] = [
  ['UPS', 'UPSN'],
  ['FedEx', 'FDEG'],
  ['USPS', 'USPS'],
  ['DHL EXPRESS (USA) INC', 'DHLC'],
  ['Other', 'OTHR'],
];
const FREIGHT: readonly Carrier[] = [
  ['UPS FREIGHT', 'UPGF'],
  ['FEDEX FREIGHT', 'FXFE'],
  ['ESTES EXPRESS LINES', 'EXLA'],
  ['XPO LOGISTICS', 'CNWY'],
  ['OLD DOMINION', 'ODFL'],
  ['YRC FREIGHT', 'RDWY'],
  ['SAIA', 'SAIA'],
  ['TFORCE FREIGHT', 'TFIN'],
  ['ABF FREIGHT', 'ABFS'],
  ['DAYTON FREIGHT', 'DAFG'],
  ['Other', 'OTHR'],
];
/** Prices of Amazon's partners: a parcel and each of its kilograms, a pallet and each of its kilograms. */
const PRICES: Readonly<Record<ShippingMode, readonly [each: number, kilogram: number]>> = {
  GROUND_SMALL_PARCEL: [4.2, 0.62],
  FREIGHT_LTL: [78, 0.24],
};
const WORTH: Readonly<Record<string, number>> = { USD: 1, CAD: 1.35, GBP: 0.8, EUR: 0.92, JPY: 148 };

function quote(work: Work, market: SimMarketplace, mode: ShippingMode, shipment: Shipment) {
  const packages = mode === 'FREIGHT_LTL' ? shipment.pallets : shipment.boxes;
  const [each, kilogram] = PRICES[mode];
  const count = packages.reduce((sum, one) => sum + one.quantity, 0);
  const weight = packages.reduce(
    (sum, one) => sum + (one.weight ? kilograms({ weight: one.weight }) * one.quantity : 0),
    0,
  );
  const swing = 0.95 + 0.1 * unitDraw('inbound quote', work.world.seed, shipment.shipmentId, mode);
  const amount = (count * each + weight * kilogram) * swing * (WORTH[market.currency] ?? 1);
  return { amount: Number(amount.toFixed(market.currency === 'JPY' ? 0 : 2)), code: market.currency };
}

function optionsOf(work: Work, market: SimMarketplace, shipment: Shipment, readyAt: number): TransportationOption[] {
  const hours = work.asked.fate?.expired ? 0 : work.world.inbound.settings.offerHours.transportation;
  const expiresAt = work.now + hours * HOUR_MS;
  const { shipmentId } = shipment;
  const option = (mode: ShippingMode, partnered: boolean, [name, alphaCode]: Carrier): TransportationOption => ({
    optionId: work.id('to', shipmentId, mode, String(partnered), alphaCode),
    shipmentId,
    mode,
    partnered,
    carrier: { name, alphaCode },
    expiresAt,
  });
  const own = [
    ...PARCEL.map((carrier) => option('GROUND_SMALL_PARCEL', false, carrier)),
    ...FREIGHT.map((carrier) => option('FREIGHT_LTL', false, carrier)),
  ];
  // Partners fetch goods in the country that they go to only, and price what they know the weight of.
  if (shipment.sourceAddress.countryCode !== market.countryCode) return own;
  const parcel =
    shipment.boxes.length > 0 ? [option('GROUND_SMALL_PARCEL', true, ['United Parcel Service, Inc.', 'UPSN'])] : [];
  const canFreight = shipment.pallets.length > 0 && shipment.freight !== undefined;
  const freight = canFreight
    ? [0, 1].map((later) => ({
        ...option('FREIGHT_LTL', true, later === 0 ? ['Tforce Freight', 'TFIN'] : ['ARNOLD TRANSPORTATION', 'ARNL']),
        appointment: [readyAt + later * DAY_MS, readyAt + (later + 1) * DAY_MS - 60_000] as [number, number],
      }))
    : [];
  const partnered = [...parcel, ...freight].map((one) => ({ ...one, cost: quote(work, market, one.mode, shipment) }));
  return [...partnered, ...own];
}

/** Instants to the minute: seconds are dropped, as the model says of ready-to-ship windows. */
const minuteOf = (value: string): number =>
  Math.floor(parseInstant('readyToShipWindow.start', value) / 60_000) * 60_000;

/** Offers transport for the shipments that are named, in place of what was offered for them before. */
export const judgeTransportationOptions: PlanJudge = (work, plan) => {
  const { world, asked, now } = work;
  const market = world.marketplace(plan.marketplaceId);
  const { placementOptionId, shipmentTransportationConfigurations: configurations } = read(
    transportationBody,
    asked.input,
  );
  const placement = plan.placementOptions.find(({ optionId }) => optionId === placementOptionId);
  if (!placement || (!placement.accepted && placement.expiresAt <= now)) {
    return refused(work, 'the requested placement option is expired');
  }
  if (confirmedShipments(plan).some(({ transportation }) => transportation)) {
    return refused(work, 'the transportation is already confirmed');
  }
  const past = configurations.find(({ readyToShipWindow: { start } }) => minuteOf(start) < now - DAY_MS);
  if (past) return refused(work, `the ready to ship window of shipment ${past.shipmentId} lies in the past`);
  const shipments = configurations.flatMap((one) => {
    const shipment = plan.shipments.find(({ shipmentId }) => shipmentId === one.shipmentId);
    const { contactInformation, freightInformation, pallets } = one;
    return shipment
      ? [
          {
            ...shipment,
            readyAt: minuteOf(one.readyToShipWindow.start),
            ...(contactInformation ? { contact: contactInformation } : {}),
            ...(freightInformation ? { freight: freightInformation } : {}),
            pallets: (pallets ?? []).map((pallet, index) => ({
              ...pallet,
              packageId: work.id('pk', one.shipmentId, 'pallet', index),
            })),
          },
        ]
      : [];
  });
  const ids = shipments.map(({ shipmentId }) => shipmentId);
  const options = asked.fate?.empty
    ? []
    : shipments.flatMap((shipment) => optionsOf(work, market, shipment, shipment.readyAt));
  return {
    problems: freightWarnings(shipments),
    change: {
      planId: plan.planId,
      plan: {
        transportationOptions: [
          ...plan.transportationOptions.filter((one) => !ids.includes(one.shipmentId)),
          ...options,
        ],
      },
      shipments: shipments.map(({ shipmentId, readyAt, contact, freight, pallets }) => ({
        shipmentId,
        readyAt,
        pallets,
        ...(contact ? { contact } : {}),
        ...(freight ? { freight } : {}),
      })),
    },
  };
};

/** As callers report: said beside success of everything that is no freight. */
function freightWarnings(shipments: readonly Shipment[]): Problem[] {
  const bare = shipments.filter(({ pallets, freight }) => pallets.length === 0 || !freight);
  if (bare.length === 0) return [];
  const ids = bare.map(({ shipmentId }) => shipmentId).join(', ');
  const message = `WARNING: Since pallet and freight info has not been provided, we may not be able to produce PCP-LTL options as part of GenerateTransportationOptions for the following shipment IDs: [${ids}]`;
  return [{ code: 'BadRequest', message, severity: 'WARNING' }];
}
