import { timingSafeEqual } from 'node:crypto';
import type { AppCredential, World } from './world.ts';

const CODE_LIFE_MS = 5 * 60_000;
const ACCESS_LIFE_S = 3600;
const GRANTLESS_SCOPES = ['sellingpartnerapi::notifications', 'sellingpartnerapi::client_credential:rotation'];

/** The answer of the token endpoint: HTTP status and JSON body. */
export interface LwaAnswer {
  status: number;
  body: Record<string, string | number>;
}

/** Form fields of a token request. */
export type TokenForm = Record<string, string | undefined>;

function refuse(status: number, error: string, description: string): LwaAnswer {
  return { status, body: { error, error_description: description } };
}

/** Milliseconds a one-time authorisation code is good for. */
export const codeLifeMs = CODE_LIFE_MS;

/**
 * Login with Amazon's token endpoint: authorization_code, refresh_token and client_credentials. Errors carry the names
 * and statuses of RFC 6749 as Amazon sends them; access tokens live 3600 s on the throttle clock.
 */
export function exchangeToken(world: World, form: TokenForm): LwaAnswer {
  const known = ['authorization_code', 'refresh_token', 'client_credentials'];
  const grantType = form.grant_type;
  if (grantType === undefined) return refuse(400, 'invalid_request', 'The request is missing: grant_type');
  if (!known.includes(grantType)) {
    return refuse(400, 'unsupported_grant_type', 'The authorization grant type is not supported by the server');
  }
  const app = authenticate(world, form);
  if (!app) return refuse(401, 'invalid_client', 'Client authentication failed');
  if (grantType === 'authorization_code') return byCode(world, app, form);
  if (grantType === 'refresh_token') return byRefreshToken(world, app, form.refresh_token);
  return byScope(world, app, form.scope);
}

function authenticate(world: World, form: TokenForm): AppCredential | undefined {
  const app = world.appByClientId(form.client_id ?? '');
  if (!app) return undefined;
  const given = Buffer.from(form.client_secret ?? '');
  const isIt = (secret: string): boolean => {
    const expected = Buffer.from(secret);
    return given.length === expected.length && timingSafeEqual(given, expected);
  };
  return world.secrets.usable(app, world.now()).some(isIt) ? app : undefined;
}

/** A code or refresh token of either API, with the names of what follows from it. */
function grantOf(world: World, text: string, kinds: 'codes' | 'refreshes') {
  const [plain, ads] = kinds === 'codes' ? (['code', 'adsCode'] as const) : (['refresh', 'adsRefresh'] as const);
  const token = world.mint.read(plain, text) ?? world.mint.read(ads, text);
  return token && { token, ads: token.kind.startsWith('ads') };
}

function byCode(world: World, app: AppCredential, form: TokenForm): LwaAnswer {
  if (form.code === undefined) return refuse(400, 'invalid_request', 'The request is missing: code');
  const found = grantOf(world, form.code, 'codes');
  const invalid = refuse(400, 'invalid_grant', 'The request has an invalid grant parameter : code');
  if (!found) return invalid;
  const { token, ads } = found;
  if (token.expiresAt === undefined || world.throttleClock.now() > token.expiresAt) return invalid;
  const { sellingPartnerId } = token.body;
  if (world.faults.strike('codeReused', { operation: ads ? 'adsToken' : 'token', sellingPartnerId })) return invalid;
  if (token.body.clientId !== app.clientId) {
    return refuse(400, 'unauthorized_client', 'Not authorized for requested operation');
  }
  // The general flow insists on the address that the code was sent to; the seller flow never asked for it.
  if (ads && 'redirectUri' in token.body && token.body.redirectUri !== form.redirect_uri) return invalid;
  if (!world.stands(token.body, ads) || !world.spendCode(token.nonce)) return invalid;
  const { clientId, region, consentAt } = token.body;
  const grant = { clientId, sellingPartnerId, region, consentAt };
  const refreshToken = world.mint.issue({ kind: ads ? 'adsRefresh' : 'refresh', body: grant });
  return { status: 200, body: { ...accessFor(world, grant, ads), refresh_token: refreshToken } };
}

function byRefreshToken(world: World, app: AppCredential, refreshToken: string | undefined): LwaAnswer {
  if (refreshToken === undefined) return refuse(400, 'invalid_request', 'The request is missing: refresh_token');
  const found = grantOf(world, refreshToken, 'refreshes');
  const invalid = refuse(400, 'invalid_grant', 'The request has an invalid grant parameter : refresh_token');
  if (!found) return invalid;
  const { token, ads } = found;
  if (token.body.clientId !== app.clientId) {
    return refuse(400, 'unauthorized_client', 'Not authorized for requested operation');
  }
  const { sellingPartnerId } = token.body;
  const operation = ads ? 'adsToken' : 'token';
  const revoked = world.faults.strike('tokenRevoked', { operation, sellingPartnerId });
  if (revoked || !world.stands(token.body, ads)) return invalid;
  return { status: 200, body: { ...accessFor(world, token.body, ads), refresh_token: refreshToken } };
}

function byScope(world: World, app: AppCredential, scope: string | undefined): LwaAnswer {
  if (scope === undefined || !scope.split(' ').every((one) => GRANTLESS_SCOPES.includes(one))) {
    return refuse(400, 'invalid_scope', 'The request has an invalid parameter : scope');
  }
  const accessToken = world.mint.issue({
    kind: 'grantless',
    expiresAt: world.throttleClock.now() + ACCESS_LIFE_S * 1000,
    body: { clientId: app.clientId, scope },
  });
  return { status: 200, body: { access_token: accessToken, token_type: 'bearer', expires_in: ACCESS_LIFE_S, scope } };
}

function accessFor(world: World, grant: Parameters<World['stands']>[0], ads: boolean): Record<string, string | number> {
  const { clientId, sellingPartnerId, region, consentAt } = grant;
  const accessToken = world.mint.issue({
    kind: ads ? 'adsAccess' : 'access',
    expiresAt: world.throttleClock.now() + ACCESS_LIFE_S * 1000,
    body: { clientId, sellingPartnerId, region, consentAt },
  });
  return { access_token: accessToken, token_type: 'bearer', expires_in: ACCESS_LIFE_S };
}
