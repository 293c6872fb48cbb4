import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sandboxApp } from '../index.ts';
import { type Bench, bench, HOUR, type Json, MINUTE, tokenRequest } from './wire-support.ts';

let shop: Bench;
beforeAll(async () => {
  shop = await bench({
    apps: [
      { ...sandboxApp, loginUri: 'http://erp.example/login' },
      { applicationId: 'amzn1.sp.solution.other', clientId: 'other-client', clientSecret: 'other-secret' },
    ],
  });
});
afterAll(() => shop.close());

const consentPath = '/consent/us/apps/authorize/consent';

async function agree(fields: Record<string, string> = {}, country = 'us'): Promise<Response> {
  const body = new URLSearchParams({
    application_id: sandboxApp.applicationId,
    state: 'state-1',
    redirect_uri: 'http://erp.example/authresult?keep=1',
    selling_partner_id: 'A1FAKE',
    decision: 'agree',
    ...fields,
  });
  const url = `${shop.url}/consent/${country}/apps/authorize/consent`;
  return fetch(url, { method: 'POST', body, redirect: 'manual' });
}

async function codeOf(answer: Response): Promise<string> {
  return new URL(answer.headers.get('location') ?? '').searchParams.get('spapi_oauth_code') ?? '';
}

async function refusal(answer: Response): Promise<unknown> {
  const body = (await answer.json()) as Json;
  expect(body.error_description).toBeTypeOf('string');
  return [answer.status, body.error];
}

describe('consent', () => {
  it('offers the sellers of the country and keeps the address private', async () => {
    const page = await fetch(`${shop.url}${consentPath}?application_id=${sandboxApp.applicationId}&state=s`);
    const html = await page.text();
    expect(page.status).toBe(200);
    expect(page.headers.get('referrer-policy')).toBe('no-referrer');
    expect(html).toContain('同意授权');
    expect(html).toContain('A1FAKE');
    expect(html).toContain('A2FAKE');
    const europe = await fetch(
      `${shop.url}/consent/uk/apps/authorize/consent?application_id=${sandboxApp.applicationId}&state=s`,
    );
    expect(await europe.text()).not.toContain('A2FAKE');
  });

  it('sends the seller back with state, id and code, keeping what the address already carried', async () => {
    const answer = await agree();
    expect(answer.status).toBe(302);
    const back = new URL(answer.headers.get('location') ?? '');
    expect(back.origin + back.pathname).toBe('http://erp.example/authresult');
    const { spapi_oauth_code: code, ...rest } = Object.fromEntries(back.searchParams);
    expect(rest).toEqual({ keep: '1', state: 'state-1', selling_partner_id: 'A1FAKE', mws_auth_token: '' });
    expect(code).toMatch(/^SC.{40,}/);
  });

  it('falls back to the registered login address', async () => {
    const answer = await agree({ redirect_uri: '' });
    expect(answer.headers.get('location')).toMatch(/^http:\/\/erp\.example\/login\?state=state-1/);
  });

  it('refuses a stranger, a missing state, a bad address, a seller of another region, and does nothing on cancel', async () => {
    for (const [fields, country] of [
      [{ application_id: 'amzn1.sp.solution.nobody' }, 'us'],
      [{ state: '' }, 'us'],
      [{ redirect_uri: 'javascript:alert(1)' }, 'us'],
      [{ selling_partner_id: 'A1FAKE' }, 'jp'],
      [{}, 'atlantis'],
    ] as const) {
      const answer = await agree(fields, country);
      expect([fields, country, answer.status, answer.headers.get('location')]).toEqual([fields, country, 400, null]);
    }
    const cancelled = await agree({ decision: 'cancel' });
    expect(cancelled.status).toBe(200);
    expect(await cancelled.text()).toContain('已取消授权');
  });

  it('shows what it was given as text, never as markup', async () => {
    const state = '"><script>alert(1)</script>';
    const query = new URLSearchParams({ application_id: sandboxApp.applicationId, state });
    const html = await (await fetch(`${shop.url}${consentPath}?${query}`)).text();
    expect(html).not.toContain('<script>');
    expect(html).toContain('&lt;script&gt;');
  });
});

describe('tokens', () => {
  it('turns a code into tokens once, and the refresh token into access tokens', async () => {
    const code = await codeOf(await agree());
    const first = await tokenRequest(shop.url, { grant_type: 'authorization_code', code });
    const tokens = (await first.json()) as Json;
    expect(first.status).toBe(200);
    expect(tokens).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(tokens.access_token).toMatch(/^Atza\|/);
    expect(tokens.refresh_token).toMatch(/^Atzr\|/);
    expect(await refusal(await tokenRequest(shop.url, { grant_type: 'authorization_code', code }))).toEqual([
      400,
      'invalid_grant',
    ]);
    const again = await tokenRequest(shop.url, {
      grant_type: 'refresh_token',
      refresh_token: String(tokens.refresh_token),
    });
    expect(((await again.json()) as Json).access_token).toMatch(/^Atza\|/);
  });

  it('lets a code die after five minutes', async () => {
    const code = await codeOf(await agree());
    shop.throttle.advance(5 * MINUTE + 1);
    expect(await refusal(await tokenRequest(shop.url, { grant_type: 'authorization_code', code }))).toEqual([
      400,
      'invalid_grant',
    ]);
  });

  it('names each mistake as the real endpoint does', async () => {
    const granted = await shop.control('/authorise', { sellingPartnerId: 'A1FAKE', region: 'na' });
    const refresh_token = String(granted.refreshToken);
    const cases: [Record<string, string>, number, string][] = [
      [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
      [{}, 400, 'invalid_request'],
      [{ grant_type: 'refresh_token', refresh_token, client_secret: 'wrong' }, 401, 'invalid_client'],
      [{ grant_type: 'refresh_token', refresh_token, client_id: 'nobody' }, 401, 'invalid_client'],
      [{ grant_type: 'refresh_token', refresh_token: `${refresh_token}x` }, 400, 'invalid_grant'],
      [{ grant_type: 'refresh_token' }, 400, 'invalid_request'],
      [
        { grant_type: 'refresh_token', refresh_token, client_id: 'other-client', client_secret: 'other-secret' },
        400,
        'unauthorized_client',
      ],
      [{ grant_type: 'client_credentials', scope: 'everything' }, 400, 'invalid_scope'],
    ];
    for (const [fields, status, error] of cases) {
      expect([fields, ...((await refusal(await tokenRequest(shop.url, fields))) as [])]).toEqual([
        fields,
        status,
        error,
      ]);
    }
    const grantless = await tokenRequest(shop.url, {
      grant_type: 'client_credentials',
      scope: 'sellingpartnerapi::notifications',
    });
    expect(grantless.status).toBe(200);
  });

  it('refuses JSON: the endpoint speaks forms only', async () => {
    const answer = await fetch(`${shop.url}/lwa/auth/o2/token`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ grant_type: 'refresh_token' }),
    });
    expect(await refusal(answer)).toEqual([400, 'invalid_request']);
  });

  it('lets an access token die after an hour of the throttle clock', async () => {
    const participations = '/spapi/na/sellers/v1/marketplaceParticipations';
    const headers = { 'x-amz-access-token': await shop.token(), 'user-agent': 'bench/1' };
    expect((await fetch(shop.url + participations, { headers })).status).toBe(200);
    shop.throttle.advance(HOUR);
    const late = await fetch(shop.url + participations, { headers });
    expect(late.status).toBe(403);
    expect(((await late.json()) as Json).errors).toMatchObject([
      { code: 'Unauthorized', details: 'The access token you provided has expired.' },
    ]);
  });

  it('lets revocation kill every token of the old consent, and a new consent live', async () => {
    const granted = await shop.control('/authorise', { sellingPartnerId: 'A1FAKE', region: 'eu' });
    const before = { grant_type: 'refresh_token', refresh_token: String(granted.refreshToken) };
    const access = await shop.token('eu');
    shop.throttle.advance(1);
    await shop.control('/revoke', { sellingPartnerId: 'A1FAKE', region: 'eu' });
    expect(await refusal(await tokenRequest(shop.url, before))).toEqual([400, 'invalid_grant']);
    const headers = { 'x-amz-access-token': access, 'user-agent': 'bench/1' };
    const refused = await fetch(`${shop.url}/spapi/eu/sellers/v1/marketplaceParticipations`, { headers });
    expect(refused.status).toBe(403);
    shop.throttle.advance(1);
    const again = await shop.control('/authorise', { sellingPartnerId: 'A1FAKE', region: 'eu' });
    const after = { grant_type: 'refresh_token', refresh_token: String(again.refreshToken) };
    expect((await tokenRequest(shop.url, after)).status).toBe(200);
  });
});
