import { createHash, createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { Region } from '../business/types.ts';

/** What a seller agreed to: this application may act for this seller in this region, since this consent. */
export interface Grant {
  clientId: string;
  sellingPartnerId: string;
  region: Region;
  /** Throttle clock at the moment of consent, epoch ms; a later revocation kills every older grant. */
  consentAt: number;
}

interface Signed<Kind extends string, Body> {
  kind: Kind;
  /** Throttle clock, epoch ms; absent = never. */
  expiresAt?: number;
  /** Makes every token different even within one millisecond. */
  nonce: string;
  body: Body;
}

export type CodeToken = Signed<'code', Grant & { redirectUri: string }>;
export type RefreshToken = Signed<'refresh', Grant>;
export type AccessToken = Signed<'access', Grant>;
/** The same three for the advertising API: another consent, taken back on its own. */
export type AdsCodeToken = Signed<'adsCode', Grant & { redirectUri: string }>;
export type AdsRefreshToken = Signed<'adsRefresh', Grant>;
export type AdsAccessToken = Signed<'adsAccess', Grant>;
export type GrantlessToken = Signed<'grantless', { clientId: string; scope: string }>;
export type AnyToken =
  | CodeToken
  | RefreshToken
  | AccessToken
  | AdsCodeToken
  | AdsRefreshToken
  | AdsAccessToken
  | GrantlessToken;

/**
 * Makes and reads self-describing tokens, so that the sandbox needs no token store and tokens survive its restart.
 * The key follows from the seed: a sandbox begun anew from another seed accepts none of the old tokens.
 */
export class TokenMint {
  readonly #key: Buffer;

  constructor(seed: string) {
    this.#key = createHash('sha256').update(`sandbox-tokens|${seed}`).digest();
  }

  /** Signature over any text, base64url; also used for pre-signed document addresses and page tokens. */
  sign(text: string): string {
    return createHmac('sha256', this.#key).update(text).digest('base64url').slice(0, 32);
  }

  /** Whether `signature` was made by `sign(text)`; constant time. */
  verify(text: string, signature: string): boolean {
    const expected = Buffer.from(this.sign(text));
    const given = Buffer.from(signature);
    return expected.length === given.length && timingSafeEqual(expected, given);
  }

  /** Any JSON value as a signed opaque text. */
  seal(value: unknown): string {
    const payload = Buffer.from(JSON.stringify(value)).toString('base64url');
    return `${payload}.${this.sign(payload)}`;
  }

  /** The value that `seal` hid, or undefined when the text is forged, cut or foreign. */
  open(text: string): unknown {
    const dot = text.lastIndexOf('.');
    if (dot <= 0) return undefined;
    const payload = text.slice(0, dot);
    if (!this.verify(payload, text.slice(dot + 1))) return undefined;
    return JSON.parse(Buffer.from(payload, 'base64url').toString('utf8'));
  }

  /** A token in the spelling of its kind: `Atza|…` access, `Atzr|…` refresh, a bare text for the one-time code. */
  issue(token: WithoutNonce<AnyToken>): string {
    const sealed = this.seal({ ...token, nonce: randomBytes(6).toString('base64url') });
    return `${prefixOf(token.kind)}${sealed}`;
  }

  /** Read a token of one kind; undefined when it is forged or of another kind. Expiry is the caller's to judge. */
  read<Kind extends AnyToken['kind']>(kind: Kind, text: string): Extract<AnyToken, { kind: Kind }> | undefined {
    const prefix = prefixOf(kind);
    if (!text.startsWith(prefix)) return undefined;
    const value = this.open(text.slice(prefix.length));
    return isTokenOf(kind, value) ? value : undefined;
  }
}

type WithoutNonce<T> = T extends AnyToken ? Omit<T, 'nonce'> : never;

function prefixOf(kind: AnyToken['kind']): string {
  if (kind === 'refresh' || kind === 'adsRefresh') return 'Atzr|';
  if (kind === 'code') return 'SC';
  return kind === 'adsCode' ? 'AN' : 'Atza|';
}

function isTokenOf<Kind extends AnyToken['kind']>(
  kind: Kind,
  value: unknown,
): value is Extract<AnyToken, { kind: Kind }> {
  return typeof value === 'object' && value !== null && 'kind' in value && value.kind === kind;
}
