import { gunzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { conformance } from '../conformance/check.ts';
import { type Sandbox, type SandboxOptions, sandboxApp, startSandbox } from '../index.ts';
import { type ManualClock, manualClock } from '../wire/clock.ts';
import { fakeBusiness } from './fake-business.ts';

/** First simulated day of the tests. */
export const START = Date.UTC(2026, 0, 1);
export const MINUTE = 60_000;
export const HOUR = 60 * MINUTE;
export const DAY = 24 * HOUR;
/** Data time of the tests: noon of the thirty-first day. */
export const NOW = START + 30 * DAY + 12 * HOUR;

/** A sandbox over the fake business, both clocks standing still unless moved. */
export interface Bench extends Sandbox {
  throttle: ManualClock;
  /** A call with a valid access token of the seller in that region. */
  call(path: string, init?: RequestInit): Promise<Response>;
  json(path: string, init?: RequestInit): Promise<Json>;
  token(region?: string, seller?: string): Promise<string>;
  control(path: string, body?: unknown): Promise<Json>;
  /** Ask for a report, read its document: headers and text of what came. */
  report(region: string, seller: string, body: object): Promise<{ response: Response; bytes: Buffer; link: string }>;
}

/** Parsed JSON whose fields a test reads by name; a missing one is undefined, as in the answer itself. */
export interface Json {
  [field: string]: Json;
}

/** Start a bench; `options` override its defaults (fake business, no report delay, frozen data clock). */
export async function bench(options: SandboxOptions = {}): Promise<Bench> {
  const throttle = manualClock(NOW);
  const models = conformance();
  const sandbox = await startSandbox({
    makeBusiness: fakeBusiness,
    watch: models.watch,
    startAt: START,
    clock: { mode: 'frozen', at: NOW },
    reportDelayMs: [0, 0],
    throttleClock: throttle,
    rateFactor: 1_000_000,
    ...options,
  });
  const tokens = new Map<string, string>();

  const control = async (path: string, body?: unknown): Promise<Json> => {
    const init = body === undefined ? {} : postJson(body);
    return (await fetch(`${sandbox.url}/control${path}`, init)).json() as Promise<Json>;
  };
  const token = async (region = 'na', seller = 'A1FAKE'): Promise<string> => {
    const key = `${region}|${seller}|${Math.floor(throttle.now() / HOUR)}`;
    const known = tokens.get(key);
    if (known !== undefined) return known;
    const granted = await control('/authorise', { sellingPartnerId: seller, region });
    const answer = await tokenRequest(sandbox.url, {
      grant_type: 'refresh_token',
      refresh_token: String(granted.refreshToken),
    });
    const accessToken = String(((await answer.json()) as Json).access_token);
    tokens.set(key, accessToken);
    return accessToken;
  };
  const callAs = async (region: string, seller: string, path: string, init: RequestInit = {}): Promise<Response> => {
    const headers = { 'x-amz-access-token': await token(region, seller), 'user-agent': 'bench/1', ...init.headers };
    // At the bench's rate one millisecond refills every bucket: only tests that set a rate meet the throttle.
    if (options.rateFactor === undefined) throttle.advance(1);
    return fetch(`${sandbox.url}/spapi/${region}${path}`, {
      ...init,
      headers,
    });
  };
  const report = async (region: string, seller: string, body: object) => {
    const path = '/reports/2021-06-30';
    const read = async (rest: string, init: RequestInit = {}): Promise<Json> =>
      (await callAs(region, seller, path + rest, init)).json() as Promise<Json>;
    const { reportId } = await read('/reports', postJson(body));
    const { reportDocumentId } = await read(`/reports/${String(reportId)}`);
    const document = await read(`/documents/${String(reportDocumentId)}`);
    const link = String(document.url);
    const response = await fetch(link);
    const raw = Buffer.from(await response.arrayBuffer());
    return { response, bytes: response.ok ? gunzipSync(raw) : raw, link };
  };
  const call = (path: string, init?: RequestInit): Promise<Response> => callAs('na', 'A1FAKE', path, init);
  return {
    ...sandbox,
    async close() {
      await sandbox.close();
      expect(models.problems()).toEqual([]);
    },
    throttle,
    token,
    control,
    report,
    call,
    json: async (path, init) => (await call(path, init)).json() as Promise<Json>,
  };
}

/** A JSON body for fetch. */
export function postJson(body: unknown): RequestInit {
  return { method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

/** A request to the token endpoint with the sandbox's application unless told otherwise. */
export function tokenRequest(url: string, fields: Record<string, string>): Promise<Response> {
  const { clientId, clientSecret } = sandboxApp;
  const form = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, ...fields });
  return fetch(`${url}/lwa/auth/o2/token`, { method: 'POST', body: form });
}

/** Rows of a tab separated file by column name. */
export function rowsOf(text: string): Record<string, string>[] {
  const [head = '', ...lines] = text.split(/\r?\n/).filter((line) => line !== '');
  const columns = head.split('\t');
  return lines.map((line) => {
    const cells = line.split('\t');
    return Object.fromEntries(columns.map((column, index) => [column, cells[index] ?? '']));
  });
}

/** An array inside parsed JSON. */
export function listOf(value: unknown): Json[] {
  if (!Array.isArray(value)) throw new Error(`Not a list: ${JSON.stringify(value)}`);
  return value;
}
