import type { ApiPlacementOption } from '../answers.ts';
import { all, boxesAt, feeOf, itemsAt, pathOf, shipmentAt } from '../desk.ts';
import type { Patch, PlacementOffer, View } from '../types.ts';
import { boxBody, boxKey } from '../wanted.ts';
import { type Stage, says } from './stage.ts';

type Api = Parameters<NonNullable<Stage['take']>>[0];

const listed = (api: Api, view: View): Promise<ApiPlacementOption[]> =>
  all<ApiPlacementOption>(api, 'listPlacementOptions', `${pathOf(view)}/placementOptions`, 'placementOptions', 20);

async function offerOf(api: Api, view: View, option: ApiPlacementOption): Promise<PlacementOffer> {
  const shipments: PlacementOffer['shipments'] = [];
  for (const shipmentId of option.shipmentIds) {
    const { destination } = await shipmentAt(api, view, shipmentId);
    shipments.push({
      shipmentId,
      center: destination?.warehouseId ?? '',
      items: await itemsAt(api, view, shipmentId),
    });
  }
  const named = (sign: number) => (one: ApiPlacementOption['fees'][number]) => ({
    name: one.target ?? one.type,
    amount: sign * one.value.amount,
    code: one.value.code,
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

/** Numbers of the boxes that a shipment got: boxes of the same size and content are the same to Amazon. */
async function homes(api: Api, view: View, shipmentIds: readonly string[]): Promise<Patch['boxes']> {
  const free = Map.groupBy(view.boxes, (box) => boxKey(boxBody(view, box)));
  const found: NonNullable<Patch['boxes']> = [];
  for (const shipmentId of shipmentIds) {
    for (const box of await boxesAt(api, view, shipmentId)) {
      const key = boxKey({
        dimensions: box.dimensions ?? { length: 0, width: 0, height: 0 },
        weight: box.weight ?? { value: 0 },
        items: box.items,
      });
      const mine = free.get(key)?.splice(0, box.quantity) ?? [];
      found.push(...mine.map(({ no }) => ({ no, shipmentId, amazonBoxId: null })));
    }
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
  return { shipments, boxes: (await homes(api, view, shipmentIds)) ?? [] };
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
