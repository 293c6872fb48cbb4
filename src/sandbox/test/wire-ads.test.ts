import { describe, expect, it } from 'vitest';
import {
  adsSandbox,
  BACK,
  call,
  code,
  consent,
  exchange,
  profiles,
  refusal,
  SELLER,
  sandbox,
  setToken,
  throttle,
  tokens,
} from './wire-ads-support.ts';
import { type Json, MINUTE } from './wire-support.ts';

adsSandbox();

describe('consent to advertising', () => {
  it('gives a code with state and scope, which works once, for its own address and within five minutes', async () => {
    const target = new URL((await consent()).headers.get('location') ?? '');
    expect(Object.fromEntries(target.searchParams)).toMatchObject({
      state: 'state-1',
      scope: 'advertising::campaign_management',
    });
    const once = { grant_type: 'authorization_code', code: await code(), redirect_uri: BACK };
    const other = await exchange({ ...once, redirect_uri: 'http://erp.example/elsewhere' });
    expect([other.status, await other.json()]).toMatchObject([400, { error: 'invalid_grant' }]);
    const first = (await (await exchange(once)).json()) as Json;
    expect(first).toMatchObject({ token_type: 'bearer', expires_in: 3600 });
    expect(String(first.access_token)).toMatch(/^Atza\|/);
    expect(String(first.refresh_token)).toMatch(/^Atzr\|/);
    expect((await exchange(once)).status).toBe(400);
    const late = { ...once, code: await code() };
    throttle.advance(5 * MINUTE + 1);
    expect((await exchange(late)).status).toBe(400);
  });

  it('sends who declines back with the reason, and shows a page for what it cannot answer', async () => {
    const declined = new URL((await consent({ decision: 'cancel' })).headers.get('location') ?? '');
    expect(declined.searchParams.get('error')).toBe('access_denied');
    for (const fields of [
      { client_id: 'nobody' },
      { scope: 'profile' },
      { response_type: 'token' },
      { redirect_uri: 'x' },
    ]) {
      expect((await consent(fields as Record<string, string>)).status).toBe(400);
    }
  });
});

describe('every call', () => {
  it('needs a token that is of advertising, of this application, young and not taken back', async () => {
    const other = (await (
      await fetch(`${sandbox.url}/control/authorise`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ sellingPartnerId: SELLER, region: 'na' }),
      })
    ).json()) as Json;
    for (const token of ['', 'Atza|forged', String(other.refreshToken)]) {
      expect(await refusal(await call('/v2/profiles', { token, scope: '' }))).toEqual([401, 'UNAUTHORIZED']);
    }
    expect(await refusal(await call('/v2/profiles', { client: 'another', scope: '' }))).toEqual([401, 'UNAUTHORIZED']);
    const { access_token: young, refresh_token: refresh } = await tokens();
    throttle.advance(3600_000);
    expect((await call('/v2/profiles', { token: String(young), scope: '' })).status).toBe(401);
    const renewed = await (await exchange({ grant_type: 'refresh_token', refresh_token: String(refresh) })).json();
    setToken(String((renewed as Json).access_token));
    expect((await call('/v2/profiles', { scope: '' })).status).toBe(200);
  });

  it('about entities and reports needs the scope of an own profile', async () => {
    const media = 'application/vnd.spCampaign.v3+json';
    const list = (scope: string) => call('/sp/campaigns/list', { body: {}, media, scope });
    expect(await refusal(await list(''))).toEqual([400, 'BAD_REQUEST']);
    expect(await refusal(await list('100000000000001'))).toEqual([401, 'UNAUTHORIZED']);
    expect((await list(String(profiles[1]?.profileId))).status).toBe(200);
  });

  it('too many at once are refused with how long to wait, and go on after that; storms strike as told', async () => {
    const answers = await Promise.all(Array.from({ length: 15 }, () => call('/v2/profiles', { scope: '' })));
    const refused = answers.filter(({ status }) => status === 429);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
    expect(refused).toHaveLength(5);
    for (const answer of refused) expect(answer.headers.get('retry-after')).toBe('1');
    throttle.advance(1000);
    expect((await call('/v2/profiles', { scope: '' })).status).toBe(200);
    sandbox.world.faults.add({ kind: 'throttleStorm', operation: 'listProfiles', count: 1 });
    expect(await refusal(await call('/v2/profiles', { scope: '' }))).toEqual([429, 'TOO_MANY_REQUESTS']);
    sandbox.world.faults.add({ kind: 'serverError', operation: 'listProfiles', count: 1 });
    const broken = await call('/v2/profiles', { scope: '' });
    expect([broken.status, broken.headers.get('content-type')]).toEqual([503, expect.stringContaining('text/html')]);
  });

  it('that is not simulated says so', async () => {
    const answer = await call('/sb/v4/budgets/usage', { body: {} });
    expect([answer.status, await answer.json()]).toMatchObject([501, { code: 'NOT_IMPLEMENTED' }]);
  });
});
