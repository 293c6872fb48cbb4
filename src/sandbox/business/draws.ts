/**
 * Counter-based draws. Every random choice is a pure function of its own key, never of a shared stream, so any seller
 * and any day can be generated alone and the order of generation changes nothing.
 */
import { hash } from 'node:crypto';

type KeyPart = string | number;

const TWO_21 = 2 ** 21;
const TWO_32 = 2 ** 32;
const TWO_53 = 2 ** 53;
const WORDS_PER_DIGEST = 8;

/** Uniform in [0, 1): the first 53 bits of SHA-256 of the '|'-joined UTF-8 text, divided by 2^53. */
export function draw(...key: KeyPart[]): number {
  const digest = hash('sha256', key.join('|'), 'buffer');
  return (digest.readUInt32BE(0) * TWO_21 + (digest.readUInt32BE(4) >>> 11)) / TWO_53;
}

/**
 * Several draws of one key, for entities that need many cheap ones. Draw number k is word k mod 8 (32 bits, big
 * endian) of SHA-256(key) for the first eight and of SHA-256(key + '|+n') for the n-th following eight, divided by 2^32.
 */
export class Dice {
  private readonly key: string;
  private digest: Buffer;
  private word = 0;
  private block = 0;

  constructor(...key: KeyPart[]) {
    this.key = key.join('|');
    this.digest = hash('sha256', this.key, 'buffer');
  }

  /** Uniform in [0, 1) with 32 bits. */
  next(): number {
    if (this.word === WORDS_PER_DIGEST) {
      this.block += 1;
      this.word = 0;
      this.digest = hash('sha256', `${this.key}|+${this.block}`, 'buffer');
    }
    const value = this.digest.readUInt32BE(this.word * 4);
    this.word += 1;
    return value / TWO_32;
  }

  /** Whole number in [from, to], both included. */
  int(from: number, to: number): number {
    return from + Math.floor(this.next() * (to - from + 1));
  }

  /** Real number in [from, to). */
  between(from: number, to: number): number {
    return from + this.next() * (to - from);
  }

  chance(probability: number): boolean {
    return this.next() < probability;
  }

  /** One element of a list; throws RangeError on an empty list. */
  pick<T>(list: readonly T[]): T {
    const value = list[Math.floor(this.next() * list.length)];
    if (value === undefined) throw new RangeError('cannot pick from an empty list');
    return value;
  }
}

/** Smallest k with P(X <= k) >= u for X ~ Poisson(lambda); 0 for lambda <= 0. Exact enough for lambda below 600. */
export function poisson(u: number, lambda: number): number {
  if (lambda <= 0) return 0;
  const ceiling = Math.ceil(lambda * 10 + 100);
  let k = 0;
  let term = Math.exp(-lambda);
  let sum = term;
  // The ceiling ends the walk when rounding keeps the sum of terms a hair below a u close to 1.
  while (u > sum && k < ceiling) {
    k += 1;
    term *= lambda / k;
    sum += term;
  }
  return k;
}

/** Standard normal value of two uniform draws (Box-Muller). */
export function normal(u1: number, u2: number): number {
  return Math.sqrt(-2 * Math.log(1 - u1)) * Math.cos(2 * Math.PI * u2);
}

/** Text of `length` characters of an alphabet, drawn from a key. At most 32 characters. */
export function code(length: number, alphabet: string, ...key: KeyPart[]): string {
  const digest = hash('sha256', key.join('|'), 'buffer');
  let text = '';
  for (let i = 0; i < length; i += 1) text += alphabet[(digest[i % digest.length] ?? 0) % alphabet.length];
  return text;
}

/** Opaque url-safe id of 43 characters, as Amazon's transaction and group ids look. */
export function opaqueId(...key: KeyPart[]): string {
  return hash('sha256', key.join('|'), 'base64url');
}

const ID_SPACE = 10n ** 14n;

/**
 * Fourteen digits that look drawn but cannot collide: n -> (a·n + b) mod 10^14 is one to one because a has no factor
 * 2 or 5. `n` must be a whole number in [0, 10^14).
 */
export function uniqueDigits(n: number, shift: number, kind: 'order' | 'item'): string {
  const factor = kind === 'order' ? 61_803_398_874_989n : 27_182_818_284_591n;
  return ((factor * BigInt(n) + BigInt(shift)) % ID_SPACE).toString().padStart(14, '0');
}
