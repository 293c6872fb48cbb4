import type { ApiPrep } from '../answers.ts';
import { BASE, get } from '../desk.ts';
import type { Prep, View } from '../types.ts';
import { itemsWanted } from '../wanted.ts';
import type { Stage } from './stage.ts';

/** Amazon takes so many MSKUs in one question. */
const MOST = 100;
const PATH = `${BASE}/items/prepDetails`;

/** SKUs of the order that Amazon has no category of preparation for. */
export function unknownPreps(view: View): string[] {
  return itemsWanted(view)
    .map(({ msku }) => msku)
    .filter((msku) => (view.inbound.prep?.[msku]?.category ?? 'UNKNOWN') === 'UNKNOWN');
}

/** Amazon refuses owners that do not fit how a product is prepared, so that is asked first. */
export const readPrep: Stage = {
  key: 'readPrep',
  title: '读取预处理要求',
  done: ({ inbound: { prep }, order }) => prep !== null && order.lines.every(({ msku }) => msku in prep),
  async take(api, { order }) {
    const prep: Record<string, Prep> = {};
    const mskus = order.lines.map(({ msku }) => msku);
    for (let first = 0; first < mskus.length; first += MOST) {
      // A comma or a percent sign in a SKU is told from those of the list by encoding it once more.
      const some = mskus
        .slice(first, first + MOST)
        .map((msku) => (/[%+,]/.test(msku) ? encodeURIComponent(msku) : msku));
      const query = { marketplaceId: order.marketplaceId, mskus: some };
      const { mskuPrepDetails } = await get<{ mskuPrepDetails: ApiPrep[] }>(api, 'listPrepDetails', PATH, query);
      for (const { msku, prepCategory, prepTypes } of mskuPrepDetails) {
        prep[msku] = { category: prepCategory, types: prepTypes ?? [] };
      }
    }
    for (const msku of mskus) prep[msku] ??= { category: 'UNKNOWN', types: [] };
    return { inbound: { prep } };
  },
};

/** What nobody classified yet is classified by the seller. */
export const tellPrep: Stage = {
  key: 'tellPrep',
  title: '设置预处理分类',
  skip: (view) => unknownPreps(view).length === 0,
  gate: (view) => {
    const open = unknownPreps(view).filter((msku) => !view.inbound.prepWish?.[msku]);
    if (open.length === 0) return undefined;
    const named = open.slice(0, 3).join('、');
    return `SKU【${named}】${open.length > 3 ? `等 ${open.length} 个` : ''}没有预处理分类，请设置`;
  },
  request: (view) => ({
    operation: 'setPrepDetails',
    method: 'POST',
    path: PATH,
    body: {
      marketplaceId: view.order.marketplaceId,
      mskuPrepDetails: unknownPreps(view)
        .slice(0, MOST)
        .map((msku) => {
          const wish = view.inbound.prepWish?.[msku];
          return { msku, prepCategory: wish?.category ?? 'NONE', prepTypes: wish?.types ?? ['ITEM_NO_PREP'] };
        }),
    },
  }),
  // Read again, so that what counts is what Amazon shows.
  take: (api, view) => readPrep.take?.(api, view, '') ?? Promise.resolve({}),
};
