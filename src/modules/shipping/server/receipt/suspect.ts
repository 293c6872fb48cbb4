import type { Counted, SentBox } from './share.ts';

/** Why a box is suspected to be lost. */
export interface Suspicion {
  /** From 0 to 100: how well the box fits what is missing. */
  score: number;
  /** Boxes of the same content, and how many of them are missing. */
  alike: number;
  lost: number;
  /** The carrier had it signed for; others of the shipment were signed for and it was not. */
  signed: boolean;
  unsigned: boolean;
  /** Amazon is still counting. */
  counting: boolean;
}

/** Points: the content is exactly what is missing; no other box fits as well; others were delivered; nothing more will come. */
const FITS = 60;
const ALONE = 10;
const UNSIGNED = 15;
const CLOSED = 15;
/** A box that was handed over is less likely to be lost as a whole. */
const SIGNED = -40;

const contentOf = ({ items }: Pick<SentBox, 'items'>): string =>
  JSON.stringify([...items].sort(([a], [b]) => (a < b ? -1 : 1)));

/** How many boxes of this content make up exactly what is missing of each of their SKUs; 0 where no number does. */
function timesOf({ items }: Pick<SentBox, 'items'>, lack: ReadonlyMap<string, number>): number {
  const times = [...items].map(([msku, pieces]) => (lack.get(msku) ?? 0) / pieces);
  const [first = 0] = times;
  return Number.isInteger(first) && times.every((one) => one === first) ? first : 0;
}

/** Boxes of one content, and how many of them would make up what is missing. */
interface Fit {
  alike: SentBox[];
  lost: number;
  /** Pieces that this explains. */
  pieces: number;
}

function fitsOf(boxes: readonly SentBox[], lack: ReadonlyMap<string, number>): Fit[] {
  const groups = Map.groupBy(boxes, contentOf).values();
  return [...groups].flatMap((alike): Fit[] => {
    const [one] = alike;
    const lost = one ? timesOf(one, lack) : 0;
    if (!one || lost < 1 || lost > alike.length) return [];
    return [{ alike, lost, pieces: lost * [...one.items.values()].reduce((total, qty) => total + qty, 0) }];
  });
}

/**
 * Boxes that are suspected to be lost as a whole, by number. A box is where all that lies in it is exactly what is missing of
 * each of its SKUs, or where so many boxes of the same content are; then each of them is suspected as far as it may be one of
 * the lost. What explains more pieces, then what needs fewer boxes, goes before another explanation of the same pieces. Nothing
 * is suspected before Amazon begins to count.
 */
export function suspectsOf(
  boxes: readonly SentBox[],
  lack: ReadonlyMap<string, number>,
  stage: Counted['stage'],
): Map<number, Suspicion> {
  const found = new Map<number, Suspicion>();
  if (stage === 'away') return found;
  const counting = stage === 'counting';
  const anySigned = boxes.some(({ delivered }) => delivered);
  const full = boxes.filter(({ items }) => items.size > 0);
  const explained = new Set<string>();
  for (const { alike, lost } of fitsOf(full, lack).sort((a, b) => b.pieces - a.pieces || a.lost - b.lost)) {
    const mskus = alike.flatMap(({ items }) => [...items.keys()]);
    if (mskus.some((msku) => explained.has(msku))) continue;
    for (const msku of mskus) explained.add(msku);
    for (const { no, delivered } of alike) {
      const unsigned = anySigned && !delivered;
      const points =
        FITS +
        (alike.length === lost ? ALONE : 0) +
        (unsigned ? UNSIGNED : 0) +
        (delivered ? SIGNED : 0) +
        (counting ? 0 : CLOSED);
      const score = Math.floor((points * lost) / alike.length);
      found.set(no, { score, alike: alike.length, lost, signed: delivered, unsigned, counting });
    }
  }
  return found;
}
