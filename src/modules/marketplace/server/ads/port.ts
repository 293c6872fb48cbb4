import type { Region } from '../../contract/marketplaces.ts';

/** An advertising consent as calls need it. */
export interface AdsConnectionRef {
  companyId: string;
  id: string;
  storeId: string;
  region: Region;
}

/** One advertiser in one marketplace. */
export interface AdsProfileRef {
  /** Decimal text of up to 16 digits. */
  profileId: string;
  marketplaceId: string;
  /** ISO 4217. */
  currency: string;
  /** IANA zone of the advertiser's business day. */
  timeZone: string;
}

export interface AdsRequest {
  /** Name of its rate limit, e.g. "listProfiles". */
  operation: string;
  method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  /** e.g. "/v2/profiles". */
  path: string;
  query?: Record<string, string | number | undefined>;
  /** The profile that the call is about; calls about the consent itself have none. */
  profileId?: string;
  body?: unknown;
  /** Versioned media type of body and answer; JSON by default. */
  mediaType?: string;
  /** Media type of the answer where it is another one than the body's. */
  accept?: string;
  /** How the answer's text is read where JSON's own numbers would lose digits. Throws SyntaxError for what is no JSON. */
  parse?: (text: string) => unknown;
}

/**
 * The advertising API of one consent: tokens, shared limits and retries are behind it. Throws ApiRefused, AuthLost and
 * ComeBackLater as SpApi does.
 */
export interface AdsApi {
  call<T>(request: AdsRequest): Promise<T>;
}
