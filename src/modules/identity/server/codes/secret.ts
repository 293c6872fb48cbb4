import { createHmac, randomBytes, randomInt, timingSafeEqual } from 'node:crypto';
import { hashOf } from '../sessions.ts';

const DIGITS = 6;

/** Six digits from the system's CSPRNG. */
export function newCode(): string {
  return String(randomInt(10 ** DIGITS)).padStart(DIGITS, '0');
}

/** What the browser keeps between the calls of one code: 192 random bits. */
export function newKey(): string {
  return randomBytes(24).toString('base64url');
}

export function keyHash(key: string): string {
  return hashOf(key);
}

/** A million codes are soon tried; nobody who has only the table can, because the key in it is a hash as well. */
export function codeHash(key: string, code: string): string {
  return createHmac('sha256', key).update(code).digest('hex');
}

/** Compares two hashes in a time that tells nothing. */
export function sameHash(one: string, other: string): boolean {
  return one.length === other.length && timingSafeEqual(Buffer.from(one), Buffer.from(other));
}
