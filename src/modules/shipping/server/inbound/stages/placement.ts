import { ApiRefused } from '#modules/marketplace/server/index.ts';
import type { ApiPlacementOption } from '../answers.ts';
import { all, boxesAt, costOf, feeOf, itemsAt, pathOf, shipmentAt } from '../desk.ts';
import type { InboundBox, Patch, PlacementOffer, View } from '../types.ts';
import { boxBody, boxKey } from '../wanted.ts';
import { type Stage, says } from './stage.ts';

type Api = Parameters<NonNullable<Stage['take']>>[0];

const listed = (api: Api, view: View): Promise<ApiPlacementOption[]> =>
  all<ApiPlacementOption>(api, 'listPlacementOptions', `${pathOf(view)}/placementOptions`, 'placementOptions', 20);

/** Our boxes that no shipment has got yet: boxes of the same size and content are the same to Amazon. */
type Free = Map<string, InboundBox[]>;
const freeBoxes = (view: View): Free => Map.groupBy(view.boxes, (box) => boxKey(boxBody(view, box)));

/** Numbers of the boxes that a shipment gets, taken from those that are free. */
async function boxesFor(api: Api, view: View, free: Free, shipmentId: string): Promise<number[]> {
  const taken: number[] = [];
  for (const box of await boxesAt(api, view, shipmentId)) {
    const key = boxKey({
      dimensions: box.dimensions ?? { length: 0, width: 0, height: 0 },
      weight: box.weight ?? { value: 0 },
      items: box.items,
    });
    taken.push(...(free.get(key)?.splice(0, box.quantity) ?? []).map(({ no }) => no));
  }
  return taken;
}

/** Boxes only help to compare: an offer of which Amazon does not list them yet is an offer all the same. */
async function boxesOffered(api: Api, view: View, free: Free, shipmentId: string): Promise<{ boxes?: number[] }> {
  try {
    return { boxes: await boxesFor(api, view, free, shipmentId) };
  } catch (error) {
    if (error instanceof ApiRefused) return {};
    throw error;
  }
}

async function offerOf(api: Api, view: View, option: ApiPlacementOption): Promise<PlacementOffer> {
  const free = freeBoxes(view);
  const shipments: PlacementOffer['shipments'] = [];
  for (const shipmentId of option.shipmentIds) {
    const { destination } = await shipmentAt(api, view, shipmentId);
    shipments.push({
      shipmentId,
      center: destination?.warehouseId ?? '',
      postalCode: destination?.address?.postalCode ?? '',
      items: await itemsAt(api, view, shipmentId),
      ...(await boxesOffered(api, view, free, shipmentId)),
    });
  }
  const named = (sign: number) => (one: ApiPlacementOption['fees'][number]) => ({
    name: one.target ?? one.type,
    ...costOf({ ...one.value, amount: sign * one.value.amount }),
  });
  return {
    optionId: option.placementOptionId,
    expiresAt: option.expiration ?? null,
    fees: [...option.fees.map(named(1)), ...option.discounts.map(named(-1))],
    fee: feeOf(option.fees, option.discounts),
    shipments,
  };
}

export const offerPlacement: Stage = {
  key: 'offerPlacement',
  title: '生成配送方案',
  request: (view) => ({
    operation: 'generatePlacementOptions',
    method: 'POST',
    path: `${pathOf(view)}/placementOptions`,
    body: {},
  }),
  async take(api, view) {
    const offers: PlacementOffer[] = [];
    for (const option of await listed(api, view)) {
      if (option.status !== 'EXPIRED') offers.push(await offerOf(api, view, option));
    }
    return { inbound: { placement: offers, chosenPlacement: null } };
  },
  forget: { placement: null, chosenPlacement: null },
  again: (_, problems) => (says(problems, 'FBA_INB_0364') ? 'offerPacking' : undefined),
};

/** Where each of our boxes goes. */
async function homes(api: Api, view: View, shipmentIds: readonly string[]): Promise<NonNullable<Patch['boxes']>> {
  const free = freeBoxes(view);
  const found: NonNullable<Patch['boxes']> = [];
  for (const shipmentId of shipmentIds) {
    const mine = await boxesFor(api, view, free, shipmentId);
    found.push(...mine.map((no) => ({ no, shipmentId, amazonBoxId: null })));
  }
  return found;
}

async function placed(api: Api, view: View, shipmentIds: readonly string[]): Promise<Patch> {
  const shipments: NonNullable<Patch['shipments']> = [];
  for (const shipmentId of shipmentIds) {
    const { shipmentConfirmationId, status, destination } = await shipmentAt(api, view, shipmentId);
    shipments.push({
      shipmentId,
      shipmentNo: shipmentConfirmationId ?? '',
      center: destination?.warehouseId ?? '',
      status: status ?? 'WORKING',
      items: await itemsAt(api, view, shipmentId),
    });
  }
  return { shipments, boxes: await homes(api, view, shipmentIds) };
}

/** From here on warehouses and shipments are fixed, and the fee is owed. */
export const takePlacement: Stage = {
  key: 'takePlacement',
  title: '确认配送方案',
  gate: ({ inbound }) => {
    if (inbound.placement?.length === 0) return '亚马逊没有给出配送方案，请重新生成';
    return inbound.chosenPlacement === null ? '请比较并选择配送方案' : undefined;
  },
  request: (view) => ({
    operation: 'confirmPlacementOption',
    method: 'POST',
    path: `${pathOf(view)}/placementOptions/${view.inbound.chosenPlacement}/confirmation`,
  }),
  async seen(api, view) {
    const taken = (await listed(api, view)).find(({ status }) => status === 'ACCEPTED');
    return taken ? { inbound: { chosenPlacement: taken.placementOptionId } } : undefined;
  },
  async take(api, view) {
    const taken = (await listed(api, view)).find(({ status }) => status === 'ACCEPTED');
    return placed(api, view, taken?.shipmentIds ?? []);
  },
  again: (_, problems) => (says(problems, /expired/i) ? 'offerPlacement' : undefined),
};
