/** Counting what boxes and items hold. */
import type { BoxInput, ItemInput } from './bodies.ts';

/** What makes two items the same to the warehouse: product, date, lot, and who prepares and labels it. */
const kindOf = ({ msku, expiration = '', manufacturingLotCode = '', labelOwner, prepOwner }: ItemInput): string =>
  JSON.stringify([msku, expiration, manufacturingLotCode, labelOwner, prepOwner]);

/** The same items, each kind once. */
export function summed(items: readonly ItemInput[]): ItemInput[] {
  const kinds = new Map<string, ItemInput>();
  for (const item of items) {
    const known = kinds.get(kindOf(item));
    kinds.set(kindOf(item), known ? { ...known, quantity: known.quantity + item.quantity } : item);
  }
  return [...kinds.values()];
}

/** What boxes hold, all of those that are alike counted. */
export function contentsOf(boxes: readonly BoxInput[]): ItemInput[] {
  const all = boxes.flatMap(({ items = [], quantity }) =>
    items.map((item) => ({ ...item, quantity: item.quantity * quantity })),
  );
  return summed(all);
}

/** Whether the contents of all boxes are told, so that they can be counted. */
export function isTold(boxes: readonly BoxInput[]): boolean {
  return boxes.every(({ contentInformationSource }) => contentInformationSource === 'BOX_CONTENT_PROVIDED');
}

/** What should be there, "SKU-1: 12, SKU-2: 5", where boxes hold anything else; undefined where they hold that. */
export function unlike(wanted: readonly ItemInput[], boxes: readonly BoxInput[]): string | undefined {
  const count = (items: readonly ItemInput[]) => new Map(items.map((item) => [kindOf(item), item.quantity]));
  const [should, is] = [count(summed(wanted)), count(contentsOf(boxes))];
  const isSame = should.size === is.size && [...should].every(([kind, quantity]) => is.get(kind) === quantity);
  if (isSame) return undefined;
  return `Expected item quantities ${summed(wanted)
    .map(({ msku, quantity }) => `${msku}: ${quantity}`)
    .join(', ')}`;
}

/** Kilograms of a box. */
export function kilograms({ weight }: Pick<BoxInput, 'weight'>): number {
  return weight.unit === 'KG' ? weight.value : weight.value * 0.45359237;
}
