import { randomBytes } from 'node:crypto';

/** Uniform numbers in [0, 1). */
export type Random = () => number;

const BLOCK = 4096;

/** Numbers from the system's CSPRNG, read in blocks: the answer of a captcha must not be predictable. */
export function createSecureRandom(): Random {
  let block = Buffer.alloc(0);
  let offset = 0;
  return () => {
    if (offset + 4 > block.length) {
      block = randomBytes(BLOCK);
      offset = 0;
    }
    const value = block.readUInt32LE(offset) / 2 ** 32;
    offset += 4;
    return value;
  };
}

/** Repeatable numbers from a 32-bit seed (mulberry32); for grain and for tests, never for answers. */
export function createSeededRandom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A real number in [low, high). */
export function between(random: Random, low: number, high: number): number {
  return low + random() * (high - low);
}

/** A whole number from low to high, both included. */
export function whole(random: Random, low: number, high: number): number {
  return low + Math.floor(random() * (high - low + 1));
}

/** One of a list that is not empty. */
export function pick<T>(random: Random, list: readonly [T, ...T[]]): T {
  return list[Math.floor(random() * list.length)] ?? list[0];
}

/** `count` different entries in random order (Fisher-Yates on a copy). */
export function sample<T>(random: Random, list: readonly T[], count: number): T[] {
  const rest = [...list];
  const taken: T[] = [];
  while (taken.length < count && rest.length > 0) {
    taken.push(...rest.splice(Math.floor(random() * rest.length), 1));
  }
  return taken;
}

export function chance(random: Random, probability: number): boolean {
  return random() < probability;
}
