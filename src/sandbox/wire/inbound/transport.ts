/** Who brings the shipments to the warehouses, and what Amazon's partners ask for it. */
import type { SimMarketplace } from '../../business/types.ts';
import type { Answer, Call, Operation } from '../operation.ts';
import { parseInstant, text } from '../query.ts';
import { unitDraw } from '../random.ts';
import { badRequest, read, selectionBody, transportationBody } from './bodies.ts';
import { kilograms } from './contents.ts';
import {
  accepted,
  checkAlive,
  confirmedShipments,
  failed,
  type PlanJudge,
  pageOf,
  planOf,
  refused,
  type Work,
} from './desk.ts';
import { dispatchAt } from './journey.ts';
import { transportationShape } from './shapes.ts';
import type { Outcome, Plan, Problem, Shipment, ShippingMode, TransportationOption } from './types.ts';

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

export const judgeTransportationChoice: PlanJudge = (work, plan) => {
  const { world, asked, now } = work;
  const { transportationSelections: selections } = read(selectionBody, asked.input);
  const shipments = confirmedShipments(plan);
  if (shipments.length === 0) return failed(`No placement option is confirmed for inboundPlan ${plan.planId}`);
  if (shipments.some(({ transportation }) => transportation))
    return refused(work, 'the transportation is already confirmed');
  const missing = shipments.find(
    ({ shipmentId }) => selections.filter((one) => one.shipmentId === shipmentId).length !== 1,
  );
  if (missing || selections.length !== shipments.length) {
    return refused(work, 'a transportation option must be selected for every shipment of the placement option');
  }
  const chosen: (Partial<Shipment> & { shipmentId: string })[] = [];
  for (const { shipmentId, transportationOptionId, contactInformation } of selections) {
    const shipment = shipments.find((one) => one.shipmentId === shipmentId);
    const option = plan.transportationOptions.find((one) => one.optionId === transportationOptionId);
    if (!shipment || option?.shipmentId !== shipmentId)
      return refused(work, 'the transportation option belongs to another shipment');
    const wrong = choiceProblem(
      work,
      shipment,
      option,
      contactInformation !== undefined || shipment.contact !== undefined,
    );
    if (wrong) return wrong;
    const contact = contactInformation ?? shipment.contact;
    chosen.push({
      shipmentId,
      transportation: option,
      confirmedAt: now,
      ...(contact ? { contact } : {}),
      ...given(work, shipment, option),
    });
  }
  return {
    change: { planId: plan.planId, shipments: chosen.map((one) => ({ ...one, ...pickedUp(world, plan, one, now) })) },
  };
};

function choiceProblem(
  work: Work,
  shipment: Shipment,
  option: TransportationOption,
  hasContact: boolean,
): Outcome | undefined {
  if (option.expiresAt <= work.now) return refused(work, 'the requested transportation option is expired');
  if (!option.partnered && !shipment.window) {
    return refused(work, `shipment ${shipment.shipmentId} requires a confirmed delivery window`);
  }
  if (option.partnered && !hasContact)
    return refused(work, `shipment ${shipment.shipmentId} requires contact information`);
  return undefined;
}

/** Partners bring their own numbers along. */
function given(
  work: Work,
  { confirmationId = '', boxes }: Shipment,
  { mode, partnered }: TransportationOption,
): Partial<Shipment> {
  if (!partnered) return {};
  if (mode === 'FREIGHT_LTL') return { tracking: { parcels: [], freightBills: [`PRO${confirmationId.slice(-7)}`] } };
  const count = boxes.reduce((sum, { quantity }) => sum + quantity, 0);
  const parcels = Array.from({ length: count }, (_, index) => ({
    boxId: `${confirmationId}U${String(index + 1).padStart(6, '0')}`,
    trackingId: `1Z${confirmationId.slice(-7)}${String(index + 1).padStart(9, '0')}`,
    at: work.now,
  }));
  return { tracking: { parcels, freightBills: [] } };
}

/** A partner fetches the goods on the day that they are ready; a seller's own carrier leaves once tracking is told. */
function pickedUp(
  world: Work['world'],
  plan: Plan,
  facts: Partial<Shipment> & { shipmentId: string },
  now: number,
): Partial<Shipment> {
  const before = plan.shipments.find(({ shipmentId }) => shipmentId === facts.shipmentId);
  if (!before || !facts.transportation?.partnered) return {};
  const from = Math.max(now, before.readyAt ?? now) + 10 * HOUR_MS;
  return dispatchAt(world, { ...before, ...facts }, from);
}

function generateTransportationOptions(call: Call): Answer {
  const plan = planOf(call);
  const input = read(transportationBody, call.body);
  checkAlive(plan, call.operation);
  const placement = plan.placementOptions.find(({ optionId }) => optionId === input.placementOptionId);
  if (!placement) throw badRequest('The requested placementOptionId does not exist for the given inbound plan.');
  if (
    input.shipmentTransportationConfigurations.some(({ shipmentId }) => !placement.shipmentIds.includes(shipmentId))
  ) {
    throw badRequest('The requested shipmentId does not exist under the provided placement option.');
  }
  return accepted(call, { planId: plan.planId, input });
}

function confirmTransportationOptions(call: Call): Answer {
  const plan = planOf(call);
  const input = read(selectionBody, call.body);
  checkAlive(plan, call.operation);
  const known = new Set(plan.transportationOptions.map(({ optionId }) => optionId));
  if (input.transportationSelections.some((one) => !known.has(one.transportationOptionId))) {
    throw badRequest('The requested transportationOptionId does not exist under the associated shipment.');
  }
  return accepted(call, { planId: plan.planId, input });
}

function listTransportationOptions(call: Call): Answer {
  const plan = planOf(call);
  const placementId = text(call.query, 'placementOptionId');
  const shipmentId = text(call.query, 'shipmentId');
  if (placementId === undefined && shipmentId === undefined) {
    throw badRequest('Either placementOptionId or shipmentId must be specified.');
  }
  const placement = plan.placementOptions.find(({ optionId }) => optionId === placementId);
  if (placementId !== undefined && !placement) {
    throw badRequest('The requested placementOptionId does not exist for the specified inbound plan.');
  }
  if (shipmentId !== undefined && !plan.shipments.some((one) => one.shipmentId === shipmentId)) {
    throw badRequest('The requested shipmentId does not exist for the specified inbound plan.');
  }
  const wanted = plan.transportationOptions.filter(
    (one) =>
      (shipmentId === undefined || one.shipmentId === shipmentId) &&
      (placement === undefined || placement.shipmentIds.includes(one.shipmentId)),
  );
  return pageOf(call, 'transportationOptions', wanted, 20, (one) =>
    transportationShape(
      one,
      plan.shipments.find((shipment) => shipment.shipmentId === one.shipmentId),
    ),
  );
}

const PATH = '/inbound/fba/2024-03-20/inboundPlans/:inboundPlanId/transportationOptions';
const SELDOM = { rate: 2, burst: 2 };

export const transportOperations: Operation[] = [
  {
    name: 'generateTransportationOptions',
    method: 'POST',
    path: PATH,
    plan: SELDOM,
    handle: generateTransportationOptions,
  },
  {
    name: 'listTransportationOptions',
    method: 'GET',
    path: PATH,
    plan: { rate: 2, burst: 6 },
    handle: listTransportationOptions,
  },
  {
    name: 'confirmTransportationOptions',
    method: 'POST',
    path: `${PATH}/confirmation`,
    plan: SELDOM,
    handle: confirmTransportationOptions,
  },
];
