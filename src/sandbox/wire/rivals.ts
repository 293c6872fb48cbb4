import { unitDraw } from './random.ts';

/** An offer of another seller of the same product. Money in minor units of the marketplace's currency. */
export interface Rival {
  sellerId: string;
  price: number;
  shipping: number;
  fba: boolean;
  /** Positive ratings of a year, percent. */
  positive: number;
  ratings: number;
}

/** Where and of what offers are. */
export interface Subject {
  marketplaceId: string;
  asin: string;
}

/** Somebody says who offers a product beside the seller, from `at` (data time) on: no others do any more. */
export interface RivalsCommand extends Subject {
  type: 'rivals';
  at: number;
  rivals: Rival[];
}

/** A rival thinks about his price so often. */
const PERIOD_MS = 6 * 3_600_000;
/** The share of those moments at which he changes it. */
const CHANGES = 0.25;
/** So far back a price may have been made. */
const MOST_PERIODS = 40;
const MOST_RIVALS = 3;
const BASE36 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ';

const keyOf = ({ marketplaceId, asin }: Subject): string => `${marketplaceId}|${asin}`;

function sellerIdOf(seed: string, subject: Subject, place: number): string {
  const letters = Array.from(
    { length: 12 },
    (_, index) => BASE36[Math.floor(unitDraw(seed, 'rival id', keyOf(subject), place, index) * 36)] ?? 'X',
  );
  return `A${letters.join('')}`;
}

/** Whether a rival changes his price at the beginning of a period. */
function changesIn(seed: string, subject: Subject, place: number, period: number): boolean {
  return unitDraw(seed, 'rival moves', keyOf(subject), place, period) < CHANGES;
}

function madeIn(seed: string, subject: Subject, place: number, period: number): number {
  for (let back = 0; back < MOST_PERIODS; back += 1) {
    if (changesIn(seed, subject, place, period - back)) return period - back;
  }
  return Math.floor(period / MOST_PERIODS) * MOST_PERIODS;
}

/**
 * The offers of other sellers: drawn from the seed around what the seller asked when the business began, each moving some
 * times a week, or said by a command.
 */
export class Rivals {
  readonly #said = new Map<string, RivalsCommand[]>();
  readonly #seed: () => string;

  constructor(seed: () => string) {
    this.#seed = seed;
  }

  /** Takes a command that is about them; others change nothing. */
  apply(command: { type: string }): void {
    if (command.type !== 'rivals') return;
    const said = command as RivalsCommand;
    this.#said.set(keyOf(said), [...(this.#said.get(keyOf(said)) ?? []), said]);
  }

  /** Who offers a product beside the seller at an instant; `base` is what the seller asked at the beginning. */
  of(subject: Subject, base: number, at: number): Rival[] {
    const said = this.#said.get(keyOf(subject))?.findLast((one) => one.at <= at);
    if (said) return said.rivals;
    const seed = this.#seed();
    const count = Math.floor(unitDraw(seed, 'rivals', keyOf(subject)) * (MOST_RIVALS + 1));
    return Array.from({ length: count }, (_, place) => this.#drawn(seed, subject, place, base, at));
  }

  /** Instants of [from, to) at which something changed; what is said twice at an instant is there twice. */
  changes(subject: Subject, from: number, to: number): number[] {
    const said = this.#said.get(keyOf(subject)) ?? [];
    const until = Math.min(to, said[0]?.at ?? to);
    const seed = this.#seed();
    const count = Math.floor(unitDraw(seed, 'rivals', keyOf(subject)) * (MOST_RIVALS + 1));
    const drawn: number[] = [];
    for (let period = Math.ceil(from / PERIOD_MS); period * PERIOD_MS < until; period += 1) {
      const moves = Array.from({ length: count }, (_, place) => changesIn(seed, subject, place, period));
      if (moves.includes(true)) drawn.push(period * PERIOD_MS);
    }
    return [...drawn, ...said.map(({ at }) => at).filter((at) => at >= from && at < to)];
  }

  #drawn(seed: string, subject: Subject, place: number, base: number, at: number): Rival {
    const made = madeIn(seed, subject, place, Math.floor(at / PERIOD_MS));
    const fba = unitDraw(seed, 'rival fba', keyOf(subject), place) < 0.6;
    const factor = 0.9 + 0.24 * unitDraw(seed, 'rival price', keyOf(subject), place, made);
    return {
      sellerId: sellerIdOf(seed, subject, place),
      price: Math.max(1, Math.round(base * factor)),
      shipping: fba ? 0 : Math.round(base * 0.08),
      fba,
      positive: 78 + Math.floor(22 * unitDraw(seed, 'rival rating', keyOf(subject), place)),
      ratings: 5 + Math.floor(3_000 * unitDraw(seed, 'rival ratings', keyOf(subject), place) ** 2),
    };
  }
}
