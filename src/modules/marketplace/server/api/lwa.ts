import { type FetchInit, fetchVia } from './proxy.ts';

/** An application at the token endpoint; the proxy is that of the store whose tokens it asks for. */
export interface LwaClient {
  tokenUrl: string;
  clientId: string;
  clientSecret: string;
  proxyUrl?: string | undefined;
}

export interface Tokens {
  accessToken: string;
  refreshToken: string | undefined;
  expiresInSec: number;
}

/** The token endpoint refused: `error` is the code of RFC 6749, e.g. "invalid_grant" or "invalid_client". */
export class LwaRefused extends Error {
  readonly error: string;
  constructor(error: string, description: string) {
    super(description);
    this.error = error;
  }
}

const TIMEOUT_MS = 20_000;

/** An access token of the application itself, for calls that no seller consents to. @throws LwaRefused */
export function grantlessAccess(client: LwaClient, scope: string): Promise<Tokens> {
  return ask(client, { grant_type: 'client_credentials', scope });
}

async function ask(client: LwaClient, form: Record<string, string>): Promise<Tokens> {
  const init: FetchInit = {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    body: new URLSearchParams({ ...form, client_id: client.clientId, client_secret: client.clientSecret }).toString(),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  };
  const response = await fetchVia(client.proxyUrl, client.tokenUrl, init);
  const text = await response.text();
  let body: Record<string, unknown> = {};
  try {
    body = JSON.parse(text) as Record<string, unknown>;
  } catch {
    throw new Error(`token endpoint answered ${response.status} without JSON`);
  }
  if (response.status >= 500) throw new Error(`token endpoint answered ${response.status}`);
  if (!response.ok) throw new LwaRefused(String(body.error ?? 'unknown'), String(body.error_description ?? ''));
  if (typeof body.access_token !== 'string') throw new Error('token endpoint sent no token');
  return {
    accessToken: body.access_token,
    refreshToken: typeof body.refresh_token === 'string' ? body.refresh_token : undefined,
    expiresInSec: Number(body.expires_in ?? 3600),
  };
}

/** Exchanges the one-time code of a consent; advertising wants to hear once more where the code was sent. */
export function exchangeCode(client: LwaClient, code: string, redirectUri?: string): Promise<Tokens> {
  const form = redirectUri === undefined ? {} : { redirect_uri: redirectUri };
  return ask(client, { grant_type: 'authorization_code', code, ...form });
}

/** A new access token of a seller. */
export function refreshAccess(client: LwaClient, refreshToken: string): Promise<Tokens> {
  return ask(client, { grant_type: 'refresh_token', refresh_token: refreshToken });
}
