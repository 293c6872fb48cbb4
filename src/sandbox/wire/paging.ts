import { createHash } from 'node:crypto';
import { invalidInput } from './errors.ts';
import type { Call } from './operation.ts';
import type { RawQuery } from './query.ts';

interface PagePosition {
  offset: number;
  /** Data time of the first page; all pages show the world of that moment, so that they tile exactly. */
  asOf: number;
  /** Throttle time the token was made at. */
  issuedAt: number;
  /** Of the operation, the account and every other parameter: a token is good for the search it came from only. */
  fingerprint: string;
}

/** Where a page begins, and as of when. */
export interface OpenPage {
  offset: number;
  asOf: number;
  fingerprint: string;
}

function fingerprintOf(call: Call, tokenName: string): string {
  const query: RawQuery = call.query;
  const names = Object.keys(query)
    .filter((name) => name !== tokenName && name !== '_')
    .sort();
  const { sellingPartnerId, region } = call.account;
  const text = JSON.stringify([call.operation, sellingPartnerId, region, names.map((name) => [name, query[name]])]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}

/**
 * Begin a page: from the start without a token, else from where the token says. 400 when the token is forged, older
 * than `lifeMs` on the throttle clock, or sent with other parameters than those that produced it.
 */
export function openPage(call: Call, tokenName: string, token: string | undefined, lifeMs: number): OpenPage {
  const fingerprint = fingerprintOf(call, tokenName);
  if (token === undefined) return { offset: 0, asOf: call.now, fingerprint };
  const position = call.world.mint.open(token);
  if (!isPosition(position)) throw invalidInput(`${tokenName}: the token is not valid`);
  const expired = call.world.throttleClock.now() - position.issuedAt > lifeMs;
  if (expired || call.strike('expiredPageToken')) throw invalidInput(`${tokenName}: the token has expired`);
  if (position.fingerprint !== fingerprint) {
    throw invalidInput(`${tokenName}: the other parameters must be the same as in the call that returned the token`);
  }
  return { offset: position.offset, asOf: position.asOf, fingerprint };
}

/**
 * Cut the page out of the whole list. `nextToken` is absent on the last page. The fault `emptyPage` answers nothing
 * yet but a token that goes on at the same place, as Amazon sometimes does.
 */
export function cutPage<T>(
  call: Call,
  open: OpenPage,
  items: readonly T[],
  size: number,
): { page: readonly T[]; nextToken?: string } {
  const empty = items.length > open.offset && call.strike('emptyPage') !== undefined;
  const end = empty ? open.offset : open.offset + size;
  const page = items.slice(open.offset, end);
  if (end >= items.length) return { page };
  const { asOf, fingerprint } = open;
  const position: PagePosition = { offset: end, asOf, fingerprint, issuedAt: call.world.throttleClock.now() };
  return { page, nextToken: call.world.mint.seal(position) };
}

function isPosition(value: unknown): value is PagePosition {
  return typeof value === 'object' && value !== null && 'offset' in value && 'asOf' in value && 'fingerprint' in value;
}
