import type { MarketplaceConfig } from '#kit/server/config.ts';

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

async function ask(config: MarketplaceConfig, form: Record<string, string>): Promise<Tokens> {
  const response = await fetch(config.lwaTokenUrl, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded;charset=UTF-8' },
    body: new URLSearchParams({ ...form, client_id: config.clientId, client_secret: config.clientSecret }),
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
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

/** Exchanges the one-time code of a consent. */
export function exchangeCode(config: MarketplaceConfig, code: string): Promise<Tokens> {
  return ask(config, { grant_type: 'authorization_code', code });
}

/** A new access token of a seller. */
export function refreshAccess(config: MarketplaceConfig, refreshToken: string): Promise<Tokens> {
  return ask(config, { grant_type: 'refresh_token', refresh_token: refreshToken });
}
