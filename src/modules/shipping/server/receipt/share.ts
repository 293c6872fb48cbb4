import { type Suspicion, suspectsOf } from './suspect.ts';

/** A box as its receipt is reckoned. */
export interface SentBox {
  no: number;
  /** Pieces packed, by MSKU. */
  items: ReadonlyMap<string, number>;
  /** The carrier had it signed for. */
  delivered: boolean;
  /** Pieces that somebody says came, by MSKU; what is not named did not come. Null: nobody says. */
  marked: ReadonlyMap<string, number> | null;
}

/** A shipment as Amazon counts it. */
export interface Counted {
  /** Pieces received, by MSKU. */
  received: ReadonlyMap<string, number>;
  /** Whether pieces are still being counted in, and whether nothing more is awaited. */
  stage: 'away' | 'counting' | 'closed';
}

export interface SharedBox {
  no: number;
  received: Map<string, number>;
  /** Amazon's counts do not allow what somebody said. */
  conflict: boolean;
  suspicion: Suspicion | null;
}

export interface SharedSku {
  msku: string;
  packed: number;
  received: number;
  inBoxes: number;
  beyond: number;
  missing: number;
}

export interface Shared {
  boxes: SharedBox[];
  skus: SharedSku[];
}

const has = (box: Pick<SentBox, 'items'>, msku: string): number => box.items.get(msku) ?? 0;

/** Pieces of a SKU that somebody says came in a box, never more than it held; undefined where nobody says. */
const markOf = (box: SentBox, msku: string): number | undefined =>
  box.marked === null ? undefined : Math.min(has(box, msku), box.marked.get(msku) ?? 0);

/** Every SKU that is packed or was received, in the order of its first box. */
export const skusOf = (boxes: readonly SentBox[], { received }: Counted): string[] => [
  ...new Set([...boxes.flatMap(({ items }) => [...items.keys()]), ...received.keys()]),
];

const packedOf = (boxes: readonly SentBox[], msku: string): number =>
  boxes.reduce((total, box) => total + has(box, msku), 0);

/** What unmarked boxes lack of each SKU, once the marked ones have what people say. */
function lackOf(boxes: readonly SentBox[], counted: Counted): Map<string, number> {
  const free = boxes.filter(({ marked }) => marked === null);
  return new Map(
    skusOf(boxes, counted).map((msku) => {
      const said = boxes.reduce((total, box) => total + (markOf(box, msku) ?? 0), 0);
      const left = Math.max(0, (counted.received.get(msku) ?? 0) - said);
      return [msku, Math.max(0, packedOf(free, msku) - left)] as const;
    }),
  );
}

/**
 * Shares what Amazon received of a shipment out over its boxes, SKU by SKU. In this order: boxes that people marked, up to
 * what they say; boxes that the carrier had signed for; others by their number; boxes that are suspected to be lost. What
 * is left goes to marked boxes beyond their mark, which then stand in conflict, and what no box can hold is `beyond`. For each
 * SKU the pieces in boxes and those beyond are together what Amazon received.
 */
export function shareOut(boxes: readonly SentBox[], counted: Counted): Shared {
  const byNo = boxes.toSorted((a, b) => a.no - b.no);
  const suspects = suspectsOf(
    byNo.filter(({ marked }) => marked === null),
    lackOf(byNo, counted),
    counted.stage,
  );
  const rank = (box: SentBox): number => (suspects.has(box.no) ? 2 : 0) + (box.delivered ? 0 : 1);
  const free = byNo.filter(({ marked }) => marked === null).toSorted((a, b) => rank(a) - rank(b));
  const marked = byNo.filter((box) => box.marked !== null);
  const shared = new Map(
    byNo.map(({ no }) => [
      no,
      { no, received: new Map<string, number>(), conflict: false, suspicion: suspects.get(no) ?? null },
    ]),
  );
  const skus = skusOf(byNo, counted).map((msku): SharedSku => {
    const received = counted.received.get(msku) ?? 0;
    let left = received;
    const give = (box: SentBox, most: number): number => {
      const into = shared.get(box.no);
      const pieces = Math.min(left, most);
      left -= pieces;
      into?.received.set(msku, (into.received.get(msku) ?? 0) + pieces);
      return pieces;
    };
    const clash = (box: SentBox) => Object.assign(shared.get(box.no) ?? {}, { conflict: true });
    for (const box of marked) {
      const said = markOf(box, msku) ?? 0;
      if (has(box, msku) > 0 && give(box, said) < said) clash(box);
    }
    for (const box of free) if (has(box, msku) > 0) give(box, has(box, msku));
    for (const box of marked) {
      const room = has(box, msku) - (markOf(box, msku) ?? 0);
      if (room > 0 && give(box, room) > 0) clash(box);
    }
    const packed = packedOf(byNo, msku);
    return { msku, packed, received, inBoxes: received - left, beyond: left, missing: packed - (received - left) };
  });
  return { boxes: [...shared.values()], skus };
}
