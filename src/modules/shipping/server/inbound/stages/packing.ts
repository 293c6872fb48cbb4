import { Decimal } from '#kit/contract/decimal.ts';
import type { ApiItem, ApiPackingOption } from '../answers.ts';
import { all, feeOf, hashOf, pathOf, summed } from '../desk.ts';
import type { Ask, PackingOffer, View } from '../types.ts';
import { boxBody, isPicked } from '../wanted.ts';
import { type Stage, says } from './stage.ts';

type Api = Parameters<NonNullable<Stage['take']>>[0];

const listed = (api: Api, view: View): Promise<ApiPackingOption[]> =>
  all<ApiPackingOption>(api, 'listPackingOptions', `${pathOf(view)}/packingOptions`, 'packingOptions', 20);

async function offerOf(api: Api, view: View, option: ApiPackingOption): Promise<PackingOffer> {
  const groups: PackingOffer['groups'] = [];
  for (const groupId of option.packingGroups) {
    const path = `${pathOf(view)}/packingGroups/${groupId}/items`;
    groups.push({ groupId, items: summed(await all<ApiItem>(api, 'listPackingGroupItems', path, 'items', 100)) });
  }
  const weight = option.supportedConfigurations?.[0]?.boxRequirements?.weight;
  return {
    optionId: option.packingOptionId,
    expiresAt: option.expiration ?? null,
    fee: feeOf(option.fees, option.discounts),
    groups,
    maxWeight: weight ? { value: weight.maximum, unit: weight.unit } : null,
  };
}

/** The option with the smallest fee, of those the one with the fewest groups: fewer sorts of boxes to pack. */
export function bestPacking(offers: readonly PackingOffer[]): PackingOffer | undefined {
  const fee = (offer: PackingOffer) => new Decimal(offer.fee?.amount ?? 0);
  return offers.toSorted((a, b) => fee(a).comparedTo(fee(b)) || a.groups.length - b.groups.length)[0];
}

/** The option that was taken: it says which SKUs may lie in one box. */
export const packingOf = ({ packing, chosenPacking }: View['inbound']): PackingOffer | undefined =>
  packing?.find(({ optionId }) => optionId === chosenPacking);

export const offerPacking: Stage = {
  key: 'offerPacking',
  title: '生成装箱方案',
  gate: (view) => (isPicked(view) ? undefined : '等待完成配货'),
  request: (view) => ({ operation: 'generatePackingOptions', method: 'POST', path: `${pathOf(view)}/packingOptions` }),
  async take(api, view) {
    const offers: PackingOffer[] = [];
    for (const option of await listed(api, view)) {
      if (option.status !== 'EXPIRED') offers.push(await offerOf(api, view, option));
    }
    return { inbound: { packing: offers, chosenPacking: bestPacking(offers)?.optionId ?? null } };
  },
  forget: { packing: null, chosenPacking: null },
  // A plan that was found by its name, its answer lost, may still be in the making.
  again: (_, problems) => (says(problems, /not in a valid state/i) ? 'offerPacking' : undefined),
};

export const takePacking: Stage = {
  key: 'takePacking',
  title: '确认装箱方案',
  gate: ({ inbound }) => (inbound.chosenPacking === null ? '亚马逊没有给出装箱方案，请重新生成' : undefined),
  request: (view) => ({
    operation: 'confirmPackingOption',
    method: 'POST',
    path: `${pathOf(view)}/packingOptions/${view.inbound.chosenPacking}/confirmation`,
  }),
  async seen(api, view) {
    const taken = (await listed(api, view)).find(({ status }) => status === 'ACCEPTED');
    return taken ? { inbound: { chosenPacking: taken.packingOptionId } } : undefined;
  },
  again: (_, problems) => (says(problems, /expired/i) ? 'offerPacking' : undefined),
};

/** Boxes by the group that their SKUs belong to; what lies in no group alone is named. */
export function boxesByGroup(view: View): { groups: Map<string, number[]>; wrong: string | undefined } {
  const groupOf = new Map(
    (packingOf(view.inbound)?.groups ?? []).flatMap(({ groupId, items }) =>
      items.map(({ msku }) => [msku, groupId] as const),
    ),
  );
  const groups = new Map<string, number[]>();
  for (const box of view.boxes) {
    const mine = [...new Set(box.items.map(({ msku }) => groupOf.get(msku) ?? ''))];
    const [group = ''] = mine;
    if (mine.length > 1 || group === '') {
      return { groups, wrong: `第 ${box.no} 箱混装了不同装箱组的SKU，请按装箱组分箱` };
    }
    groups.set(group, [...(groups.get(group) ?? []), box.no]);
  }
  return { groups, wrong: undefined };
}

function unmeasured({ boxes }: View): string | undefined {
  const open = boxes.find((box) => !(box.length && box.width && box.height && box.weight));
  return open && `第 ${open.no} 箱缺少尺寸或重量`;
}

function boxesAsked(view: View): Ask {
  const boxes = new Map(view.boxes.map((box) => [box.no, box]));
  return {
    operation: 'setPackingInformation',
    method: 'POST',
    path: `${pathOf(view)}/packingInformation`,
    body: {
      packageGroupings: [...boxesByGroup(view).groups].map(([packingGroupId, numbers]) => ({
        packingGroupId,
        boxes: numbers.flatMap((no) => {
          const box = boxes.get(no);
          return box ? [boxBody(view, box)] : [];
        }),
      })),
    },
  };
}

export const tellBoxes: Stage = {
  key: 'tellBoxes',
  title: '提交装箱',
  gate: (view) => {
    if (!isPicked(view)) return '等待完成配货';
    if (view.order.state === 'packing') return '等待完成装箱';
    return unmeasured(view) ?? boxesByGroup(view).wrong;
  },
  // Boxes that somebody opened again are told anew once they are closed.
  current: (view, { hash }) => isPicked(view) && view.order.state !== 'packing' && hash === hashOf(boxesAsked(view)),
  request: boxesAsked,
  again: (_, problems) => (says(problems, 'FBA_INB_0364') ? 'offerPacking' : undefined),
};
