/** Where a card lies: columns and rows from the top left, 0 first. */
export interface Place {
  id: string;
  x: number;
  y: number;
  w: number;
  h: number;
}

/** The least size of a card. */
export interface Least {
  minW: number;
  minH: number;
}

export const COLUMNS = 12;

const beside = (a: Place, b: Place): boolean => a.x < b.x + b.w && b.x < a.x + a.w;

/** Pushes all cards up in their order from the top: none lies over another one, none has a gap above that it fits into. */
export function settled(places: readonly Place[], order: (place: Place) => number = ({ y }) => y): Place[] {
  const done: Place[] = [];
  for (const place of places.toSorted((a, b) => order(a) - order(b) || a.x - b.x)) {
    const bottoms = done.filter((other) => beside(other, place)).map(({ y, h }) => y + h);
    done.push({ ...place, y: Math.max(0, ...bottoms) });
  }
  return places.flatMap(({ id }) => done.find((one) => one.id === id) ?? []);
}

const clamp = (value: number, least: number, most: number) => Math.min(Math.max(value, least), most);

/** The same cards with one of them changed; it goes first among those of its row, and the others make room. */
function changed(places: readonly Place[], next: Place, rank = next.y - 0.5): Place[] {
  const all = places.map((place) => (place.id === next.id ? next : place));
  return settled(all, (place) => (place.id === next.id ? rank : place.y));
}

export type Direction = 'left' | 'right' | 'up' | 'down';

/** One step of a card: a column to the side, or past the card above or below it. The same array where there is no way. */
export function moved(places: readonly Place[], id: string, to: Direction): readonly Place[] {
  const card = places.find((place) => place.id === id);
  if (!card) return places;
  if (to === 'left' || to === 'right') {
    const x = clamp(card.x + (to === 'left' ? -1 : 1), 0, COLUMNS - card.w);
    return x === card.x ? places : changed(places, { ...card, x });
  }
  const others = places.filter((place) => place.id !== id && beside(place, card));
  const [next] =
    to === 'up'
      ? others.filter(({ y }) => y < card.y).toSorted((a, b) => b.y - a.y)
      : others.filter(({ y }) => y > card.y).toSorted((a, b) => a.y - b.y);
  return next ? changed(places, card, next.y + (to === 'up' ? -0.5 : 0.5)) : places;
}

/** One step of a card's size, within the page and its least size. The same array where there is no way. */
export function resized(places: readonly Place[], id: string, to: Direction, least: Least): readonly Place[] {
  const card = places.find((place) => place.id === id);
  if (!card) return places;
  const [dw, dh] = { left: [-1, 0], right: [1, 0], up: [0, -1], down: [0, 1] }[to] as [number, number];
  const w = clamp(card.w + dw, least.minW, COLUMNS - card.x);
  const h = Math.max(card.h + dh, least.minH);
  return w === card.w && h === card.h ? places : changed(places, { ...card, w, h });
}

/** The cards with a new one at their end, as far left as there is room. */
export function added(places: readonly Place[], card: Omit<Place, 'x' | 'y'>): Place[] {
  const bottom = Math.max(0, ...places.map(({ y, h }) => y + h));
  return settled([...places, { ...card, x: 0, y: bottom }]);
}
