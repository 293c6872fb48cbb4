import * as oidc from 'openid-client';
import { EMAIL } from '../../contract/account.ts';
import type { Flow } from './flow.ts';
import { SsoProblem } from './problem.ts';

/** Somebody as the provider vouches for him. */
export interface SsoPerson {
  issuer: string;
  sub: string;
  /** Lower case; undefined where the provider gives none that it verified. */
  email: string | undefined;
  name: string | undefined;
  /** The provider's own session. */
  sid: string | undefined;
  /** The provider asked for more than one factor (RFC 8176). */
  severalFactors: boolean;
  idToken: string;
}

type Claims = Readonly<Record<string, unknown>>;

const MAX_NAME = 100;

function textOf(claims: Claims, name: string): string | undefined {
  const value = claims[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

function verifiedEmail(claims: Claims): string | undefined {
  const email = textOf(claims, 'email')?.toLowerCase();
  // Some providers write the truth as text.
  const verified = claims.email_verified === true || claims.email_verified === 'true';
  return email && verified && email.length <= 254 && EMAIL.test(email) ? email : undefined;
}

async function moreOf(provider: oidc.Configuration, accessToken: string, claims: oidc.IDToken): Promise<Claims> {
  if (claims.email !== undefined || !provider.serverMetadata().userinfo_endpoint) return claims;
  return { ...(await oidc.fetchUserInfo(provider, accessToken, claims.sub)), ...claims };
}

/**
 * Redeems what the browser came back with. Signature, issuer, audience, times, nonce, state and the code verifier are
 * checked. @throws SsoProblem "denied" where the provider let nobody in, "provider" where something does not fit
 */
export async function personFrom(
  provider: oidc.Configuration,
  url: URL,
  state: string,
  flow: Flow,
): Promise<SsoPerson> {
  try {
    const tokens = await oidc.authorizationCodeGrant(provider, url, {
      expectedState: state,
      expectedNonce: flow.nonce,
      pkceCodeVerifier: flow.verifier,
      idTokenExpected: true,
    });
    const claims = tokens.claims();
    if (!claims || !tokens.id_token) throw new SsoProblem('provider');
    const all = await moreOf(provider, tokens.access_token, claims);
    return {
      issuer: claims.iss,
      sub: claims.sub,
      email: verifiedEmail(all),
      name: (textOf(all, 'name') ?? textOf(all, 'preferred_username'))?.slice(0, MAX_NAME),
      sid: textOf(claims, 'sid'),
      severalFactors: Array.isArray(claims.amr) && claims.amr.includes('mfa'),
      idToken: tokens.id_token,
    };
  } catch (error) {
    if (error instanceof SsoProblem) throw error;
    if (error instanceof oidc.AuthorizationResponseError) throw new SsoProblem('denied', error);
    throw new SsoProblem('provider', error);
  }
}
