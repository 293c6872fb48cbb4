import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import type { ShipLine, ShipOrder } from '../order/load.ts';
import type { InboundBox, Prep, View } from './types.ts';

/** An item in the shape of the API. */
export interface ItemBody {
  msku: string;
  quantity: number;
  labelOwner: string;
  prepOwner: string;
  expiration?: string;
}

/** Types that need no hand on the product. */
const NOTHING: readonly string[] = ['ITEM_NO_PREP', 'ITEM_LABELING', 'ITEM_BLANKSTK'];

/** Since January 2026 Amazon neither prepares nor labels in the United States. */
const amazonMay = (order: ShipOrder) => countryOf(order.marketplaceId) !== 'US';

function ownerOf(order: ShipOrder, isNeeded: boolean, wished: string): string {
  if (!isNeeded) return 'NONE';
  return wished === 'AMAZON' && amazonMay(order) ? 'AMAZON' : 'SELLER';
}

function bodyOf(order: ShipOrder, line: ShipLine, quantity: number, prep: Prep | undefined): ItemBody {
  const types = prep?.types ?? [];
  return {
    msku: line.msku,
    quantity,
    labelOwner: ownerOf(order, types.includes('ITEM_LABELING'), line.labelOwner),
    prepOwner: ownerOf(
      order,
      types.some((type) => !NOTHING.includes(type)),
      line.prepOwner,
    ),
    ...(line.expiresOn === null ? {} : { expiration: line.expiresOn }),
  };
}

/** Before picking is over what was ordered goes, afterwards what was picked. */
export const isPicked = ({ order }: Pick<View, 'order'>): boolean => !['picking', 'held'].includes(order.state);

/** What Amazon is told of: every SKU that goes, with whoever labels and prepares it as its preparation asks for. */
export function itemsWanted({ order, inbound }: View): ItemBody[] {
  return order.lines
    .map((line) => bodyOf(order, line, isPicked({ order }) ? line.picked : line.qty, inbound.prep?.[line.msku]))
    .filter(({ quantity }) => quantity > 0);
}

/** North America is told inches and pounds, everybody else centimetres and kilograms; two decimals. */
const isImperial = (order: ShipOrder) => ['US', 'CA'].includes(countryOf(order.marketplaceId));
const CM_PER_INCH = 2.54;
const KG_PER_POUND = 0.45359237;
const rounded = (value: number) => Math.round(value * 100) / 100;

/** A box in the shape of the API; each is told by itself, as alike ones lose their numbers. */
export function boxBody(view: View, box: InboundBox) {
  const owners = new Map(itemsWanted(view).map((item) => [item.msku, item]));
  const imperial = isImperial(view.order);
  const side = (cm: string | null) => rounded(Number(cm ?? 0) / (imperial ? CM_PER_INCH : 1));
  return {
    contentInformationSource: 'BOX_CONTENT_PROVIDED',
    dimensions: {
      length: side(box.length),
      width: side(box.width),
      height: side(box.height),
      unitOfMeasurement: imperial ? 'IN' : 'CM',
    },
    weight: {
      unit: imperial ? 'LB' : 'KG',
      value: rounded(Number(box.weight ?? 0) / (imperial ? KG_PER_POUND : 1)),
    },
    quantity: 1,
    items: box.items.map(({ msku, qty }) => ({ ...(owners.get(msku) as ItemBody), quantity: qty })),
  };
}

/** A box by what is in it and how large it is: two of the same key are the same to Amazon. */
export function boxKey(body: {
  dimensions: { length: number; width: number; height: number };
  weight: { value: number };
  items: readonly { msku: string; quantity: number }[];
}): string {
  const { length, width, height } = body.dimensions;
  const items = body.items.map(({ msku, quantity }) => `${msku}×${quantity}`).sort();
  return JSON.stringify([length, width, height, body.weight.value, items]);
}
