import { dayAfter } from '#kit/contract/day.ts';
import { Decimal } from '#kit/contract/decimal.ts';
import type { ApiTransport, ApiWindow } from '../answers.ts';
import { all, boxesAt, costOf, pathOf, shipmentAt } from '../desk.ts';
import type { Patch, TransportOffer, View, Way, WindowOffer } from '../types.ts';
import { boxBody, boxKey } from '../wanted.ts';
import { type Stage, says } from './stage.ts';

type Api = Parameters<NonNullable<Stage['take']>>[0];

const idsOf = ({ shipments }: View): string[] => shipments.map(({ shipmentId }) => shipmentId);

const offerOf = (option: ApiTransport): TransportOffer => ({
  optionId: option.transportationOptionId,
  shipmentId: option.shipmentId,
  mode: option.shippingMode,
  solution: option.shippingSolution,
  carrier: option.carrier.name ?? option.carrier.alphaCode ?? '',
  carrierCode: option.carrier.alphaCode ?? option.carrier.name ?? '',
  cost: option.quote ? costOf(option.quote.cost) : null,
  expiresAt: option.quote?.expiration ?? null,
  needsWindow: option.preconditions?.includes('CONFIRMED_DELIVERY_WINDOW') ?? false,
});

async function offersFor(api: Api, view: View, shipmentId: string): Promise<TransportOffer[]> {
  const path = `${pathOf(view)}/transportationOptions`;
  const query = { shipmentId };
  const found = await all<ApiTransport>(api, 'listTransportationOptions', path, 'transportationOptions', 20, query);
  return found.map(offerOf);
}

/** Instant at which the goods are ready: the day that was chosen, tomorrow where nobody did. */
export const readyAt = ({ inbound, today }: View): string => `${inbound.readyOn ?? dayAfter(today, 1)}T00:00:00Z`;

export const offerTransport: Stage = {
  key: 'offerTransport',
  title: '生成承运方式',
  request: (view) => ({
    operation: 'generateTransportationOptions',
    method: 'POST',
    path: `${pathOf(view)}/transportationOptions`,
    body: {
      placementOptionId: view.inbound.chosenPlacement,
      shipmentTransportationConfigurations: idsOf(view).map((shipmentId) => ({
        shipmentId,
        readyToShipWindow: { start: readyAt(view) },
        contactInformation: {
          name: view.address?.name ?? '',
          phoneNumber: view.address?.phoneNumber ?? '',
          ...(view.address?.email ? { email: view.address.email } : {}),
        },
      })),
    },
  }),
  // Tomorrow is another day tomorrow: what was asked without a day stands until somebody names one.
  current: (view, { request }) =>
    view.inbound.readyOn === null || JSON.stringify(request.body).includes(`"${readyAt(view)}"`),
  async take(api, view) {
    const offers: TransportOffer[] = [];
    for (const shipmentId of idsOf(view)) offers.push(...(await offersFor(api, view, shipmentId)));
    return { inbound: { transport: offers } };
  },
  forget: { transport: null, windows: null },
};

export const offerWindow: Stage = {
  key: 'offerWindow',
  title: '生成送达窗口',
  gate: ({ inbound }) => (inbound.transport?.length === 0 ? '亚马逊没有给出承运方式，请稍后重新生成' : undefined),
  subjects: idsOf,
  request: (view, shipmentId) => ({
    operation: 'generateDeliveryWindowOptions',
    method: 'POST',
    path: `${pathOf(view)}/shipments/${shipmentId}/deliveryWindowOptions`,
  }),
  async take(api, view, shipmentId) {
    const path = `${pathOf(view)}/shipments/${shipmentId}/deliveryWindowOptions`;
    const found = await all<ApiWindow>(api, 'listDeliveryWindowOptions', path, 'deliveryWindowOptions', 100);
    const windows = found.map(
      (one): WindowOffer => ({
        optionId: one.deliveryWindowOptionId,
        availability: one.availabilityType,
        from: one.startDate,
        to: one.endDate,
        validUntil: one.validUntil,
      }),
    );
    return { inbound: { windows: { ...view.inbound.windows, [shipmentId]: windows } } };
  },
};

/** The offer that somebody chose for a shipment; undefined where it is offered no more, or dearer than it was. */
export function chosenTransport({ inbound }: View, way: Way): TransportOffer | undefined {
  return inbound.transport?.find(
    (offer) =>
      offer.shipmentId === way.shipmentId &&
      offer.mode === way.mode &&
      offer.solution === way.solution &&
      offer.carrierCode === way.carrierCode &&
      new Decimal(offer.cost?.amount ?? 0).lte(way.cost?.amount ?? 0),
  );
}

const chosenWindow = ({ inbound }: View, way: Way): WindowOffer | undefined =>
  inbound.windows?.[way.shipmentId]?.find(({ from }) => from === way.windowFrom);

const wayOf = ({ inbound }: View, shipmentId: string) => inbound.ways?.find((way) => way.shipmentId === shipmentId);

function undecided(view: View): string | undefined {
  for (const { shipmentId, shipmentNo } of view.shipments) {
    const way = wayOf(view, shipmentId);
    if (!way) return '请为每个货件选择承运方式与送达窗口';
    const offer = chosenTransport(view, way);
    if (!offer) return `货件 ${shipmentNo} 的承运报价已变化，请重新选择`;
    if (offer.needsWindow && !chosenWindow(view, way)) return `货件 ${shipmentNo} 请重新选择送达窗口`;
  }
  return undefined;
}

export const takeWindow: Stage = {
  key: 'takeWindow',
  title: '确认送达窗口',
  gate: undecided,
  // Before anything was chosen it waits for the choice as a whole.
  subjects: ({ inbound: { ways } }) =>
    ways?.filter((way) => way.windowFrom !== null).map(({ shipmentId }) => shipmentId) ?? [''],
  request: (view, shipmentId) => {
    const way = wayOf(view, shipmentId);
    const window = way && chosenWindow(view, way);
    return {
      operation: 'confirmDeliveryWindowOptions',
      method: 'POST',
      path: `${pathOf(view)}/shipments/${shipmentId}/deliveryWindowOptions/${window?.optionId ?? ''}/confirmation`,
    };
  },
  again: (_, problems) => (says(problems, 'FBA_INB_0469', /window.* expired/i) ? 'offerWindow' : undefined),
};

/** Boxes of a shipment with the numbers that Amazon gave them, in the order of ours. */
async function numbered(api: Api, view: View, shipmentId: string): Promise<NonNullable<Patch['boxes']>> {
  const mine = view.boxes.filter((box) => box.shipmentId === shipmentId);
  const free = Map.groupBy(mine, (box) => boxKey(boxBody(view, box)));
  const found: NonNullable<Patch['boxes']> = [];
  for (const { boxId, packageId, dimensions, weight, items } of await boxesAt(api, view, shipmentId)) {
    if (!boxId || !dimensions || !weight) continue;
    const box = free.get(boxKey({ dimensions, weight, items }))?.shift();
    if (box) found.push({ no: box.no, shipmentId, amazonBoxId: boxId, packageId });
  }
  return found;
}

/** Every shipment gets its transport at once; a partner's price is owed from then on. */
export const takeTransport: Stage = {
  key: 'takeTransport',
  title: '确认承运',
  gate: undecided,
  request: (view) => ({
    operation: 'confirmTransportationOptions',
    method: 'POST',
    path: `${pathOf(view)}/transportationOptions/confirmation`,
    body: {
      transportationSelections: (view.inbound.ways ?? []).map((way) => ({
        shipmentId: way.shipmentId,
        transportationOptionId: chosenTransport(view, way)?.optionId ?? '',
      })),
    },
  }),
  async seen(api, view) {
    for (const shipmentId of idsOf(view)) {
      if (!(await shipmentAt(api, view, shipmentId)).selectedTransportationOptionId) return undefined;
    }
    return {};
  },
  async take(api, view) {
    const shipments: NonNullable<Patch['shipments']> = [];
    const boxes: NonNullable<Patch['boxes']> = [];
    for (const shipmentId of idsOf(view)) {
      const { status, selectedDeliveryWindow: window } = await shipmentAt(api, view, shipmentId);
      const way = wayOf(view, shipmentId);
      shipments.push({
        shipmentId,
        status: status ?? 'WORKING',
        transport: (way && chosenTransport(view, way)) ?? null,
        window: window
          ? { from: window.startDate, to: window.endDate, editableUntil: window.editableUntil ?? null }
          : null,
      });
      boxes.push(...(await numbered(api, view, shipmentId)));
    }
    return { shipments, boxes };
  },
  again: (_, problems) => {
    if (says(problems, /transportation option is expired/i)) return 'offerTransport';
    return says(problems, /requires a confirmed delivery window/i) ? 'offerWindow' : undefined;
  },
};
