import { afterAll, beforeAll, beforeEach, expect } from 'vitest';
import { z } from 'zod';
import { type Sandbox, sandboxAdsApp, startSandbox } from '../index.ts';
import { type ManualClock, manualClock } from '../wire/clock.ts';
import { DAY, HOUR, type Json, listOf, MINUTE, START } from './wire-support.ts';

export const Id = z.string().regex(/^\d{1,20}$/);
export const State = z.enum(['ENABLED', 'PAUSED', 'ARCHIVED']);
export const Money = z.number().positive().multipleOf(0.01);
export const mediaOf = (name: string) => `application/vnd.${name}.v3+json`;

export const SELLER = 'A1SANDBOX0001';
export const NOW = START + 45 * DAY + 7 * HOUR;
export const BACK = 'http://erp.example/advresult';
export const REPORT_MEDIA = 'application/vnd.createasyncreportrequest.v3+json';

export let sandbox: Sandbox;
export let throttle: ManualClock;
export let accessToken: string;
export let profiles: Json[];

/** A sandbox of a seller with advertising for the tests of one file, with a fresh token before each. */
export function adsSandbox(): void {
  beforeAll(async () => {
    throttle = manualClock(NOW);
    sandbox = await startSandbox({
      scenario: 'tiny',
      seed: 'test-1',
      startAt: START,
      clock: { mode: 'frozen', at: NOW },
      throttleClock: throttle,
      reportDelayMs: [30_000, 30_000],
    });
    accessToken = String((await tokens()).access_token);
    profiles = listOf(await (await call('/v2/profiles', { scope: '' })).json());
  });
  afterAll(() => sandbox.close());
  beforeEach(async () => {
    sandbox.world.faults.clear();
    // Buckets are full again, and no token grows old.
    throttle.advance(MINUTE);
    accessToken = String((await tokens()).access_token);
  });
}

/** The token that calls carry until the next test. */
export function setToken(token: string): void {
  accessToken = token;
}

/** What the consent page answers. */
export async function consent(fields: Record<string, string> = {}): Promise<Response> {
  const body = new URLSearchParams({
    client_id: sandboxAdsApp.clientId,
    scope: 'advertising::campaign_management',
    response_type: 'code',
    redirect_uri: BACK,
    state: 'state-1',
    selling_partner_id: SELLER,
    decision: 'agree',
    ...fields,
  });
  return fetch(`${sandbox.url}/ads-consent/na/ap/oa`, { method: 'POST', body, redirect: 'manual' });
}

/** A code of a consent. */
export async function code(): Promise<string> {
  const target = new URL((await consent()).headers.get('location') ?? '');
  return target.searchParams.get('code') ?? '';
}

/** What the token endpoint answers. */
export function exchange(fields: Record<string, string>): Promise<Response> {
  const { clientId, clientSecret } = sandboxAdsApp;
  const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields });
  return fetch(`${sandbox.url}/lwa/auth/o2/token`, { method: 'POST', body });
}

/** Tokens of a new consent. */
export async function tokens(): Promise<Json> {
  const fields = { grant_type: 'authorization_code', code: await code(), redirect_uri: BACK };
  return (await exchange(fields)).json() as Promise<Json>;
}

interface CallOptions {
  body?: unknown;
  media?: string;
  /** '' sends none. */
  scope?: string;
  token?: string;
  client?: string;
}

/** A call of the advertising API. */
export function call(path: string, options: CallOptions = {}): Promise<Response> {
  const { body, media = 'application/json', token = accessToken, client = sandboxAdsApp.clientId } = options;
  const { scope = String(profiles[0]?.profileId) } = options;
  return fetch(`${sandbox.url}/ads/na${path}`, {
    method: body === undefined ? 'GET' : 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'Amazon-Advertising-API-ClientId': client,
      ...(scope === '' ? {} : { 'Amazon-Advertising-API-Scope': scope }),
      accept: media,
      ...(body === undefined ? {} : { 'content-type': media }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
}

/** Status and code of a refusal, which has the form that all have. */
export async function refusal(answer: Response): Promise<[number, string]> {
  const body = (await answer.json()) as Json;
  expect(body.details).toBeTypeOf('string');
  expect(body.requestId).toBe(answer.headers.get('x-amz-request-id'));
  return [answer.status, String(body.code)];
}
