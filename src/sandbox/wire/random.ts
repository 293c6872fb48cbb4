import { hash } from 'node:crypto';

/**
 * A uniform number in [0, 1) that depends on nothing but its arguments: the first 53 bits of the SHA-256 of the texts
 * joined with '|', divided by 2^53. Counter-based, so the order of calls never matters.
 */
export function unitDraw(...parts: (string | number)[]): number {
  const digest = hash('sha256', parts.join('|'), 'buffer');
  return Number(digest.readBigUInt64BE(0) >> 11n) / 2 ** 53;
}
