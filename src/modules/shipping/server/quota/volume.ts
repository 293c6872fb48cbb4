import { Decimal } from '#kit/contract/decimal.ts';
import type { RoomState, RoomUnit, StorageType } from '../../contract/quota/fields.ts';

/** m³ in a cubic foot, exactly: (0.3048 m)³. */
const M3_PER_FT3 = new Decimal('0.028316846592');
const CM3_PER_M3 = 1_000_000;

/** Room in m³. */
export const toM3 = (room: string | Decimal, unit: RoomUnit): Decimal =>
  unit === 'FT3' ? new Decimal(room).times(M3_PER_FT3) : new Decimal(room);

/** m³ in cubic feet. */
export const toFt3 = (m3: Decimal): Decimal => m3.dividedBy(M3_PER_FT3);

/** cm³ in m³. */
export const cm3ToM3 = (cm3: string): Decimal => new Decimal(cm3).dividedBy(CM3_PER_M3);

const TIGHT = new Decimal('0.9');

/** Whether there is room left; room that is taken to the last drop is not exceeded. */
export function stateOf(room: Decimal, used: Decimal | undefined): RoomState {
  if (!used) return 'past';
  if (used.greaterThan(room)) return 'over';
  return used.greaterThan(0) && used.greaterThanOrEqualTo(room.times(TIGHT)) ? 'tight' : 'ok';
}

// What is more special comes first; "Large standard-size" is standard.
const WORDS: readonly (readonly [RegExp, StorageType])[] = [
  [/flammable/, 'FLAMMABLE'],
  [/aerosol/, 'AEROSOL'],
  [/apparel|clothing/, 'APPAREL'],
  [/footwear|shoe/, 'FOOTWEAR'],
  [/standard/, 'STANDARD'],
  [/extra.?large/, 'EXTRA_LARGE'],
  [/over.?size|large|bulky|non.?sort/, 'OVERSIZE'],
];

/** Type of goods by the word of Amazon's planning report; standard where it says nothing that is known. */
export function typeOf(word: string | undefined): StorageType {
  const text = (word ?? '').toLowerCase();
  return WORDS.find(([pattern]) => pattern.test(text))?.[1] ?? 'STANDARD';
}
