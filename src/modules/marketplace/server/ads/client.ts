import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime } from '#kit/server/runtime.ts';
import { slowDown, speedUp } from '../api/adaptive.ts';
import { type BucketKey, takeToken } from '../api/buckets.ts';
import type { Usage } from '../api/client.ts';
import { logCall } from '../api/log.ts';
import { maskedBody } from '../api/masked.ts';
import { ApiRefused, AuthLost, ComeBackLater } from '../api/port.ts';
import type { AdsApi, AdsConnectionRef, AdsRequest } from './port.ts';
import { adsConfigOf } from './settings.ts';
import { adsAccessToken } from './tokens.ts';

const USER_AGENT = 'CrossborderErp/1.0 (Language=TypeScript; Platform=Node.js)';
const TIMEOUT_MS = 60_000;
const MAX_TRIES = 6;
const CAP_MS = 5 * 60_000;
/** A wait up to here is sat through; a longer one gives the worker back. */
const SIT_MS = 15_000;
/**
 * Limits are not published, move, and are shared by region: this is where we begin; what refuses halves the rate, and each
 * minute without a refusal adds a little. Reports are asked for by the dozen.
 */
const PLAN = { rate: 5, burst: 10 };
const REPORT_PLAN = { rate: 15, burst: 30 };
const REPORTING = new Set(['createReport', 'getReport']);

type Outcome =
  | { kind: 'answer'; body: unknown }
  | { kind: 'throttled'; afterMs: number }
  | { kind: 'token' }
  | { kind: 'retry'; reason: string }
  | { kind: 'refused'; error: ApiRefused };

/** What the log notes of an answer, besides how it is taken. */
interface Seen {
  status: number | null;
  requestId: string | null;
  text: string | null;
}

/** What Retry-After asks for, ms; 0 where it is missing, which it often is. */
function retryAfterMs(response: Response): number {
  const seconds = Number(response.headers.get('retry-after') ?? 0);
  return Number.isFinite(seconds) && seconds > 0 ? Math.min(seconds * 1000, CAP_MS) : 0;
}

async function wait(ms: number, reason: string): Promise<void> {
  if (ms > SIT_MS) throw new ComeBackLater(ms, reason);
  await sleep(ms);
}

function urlOf(base: string, { path, query = {} }: AdsRequest): string {
  const entries = Object.entries(query).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]]));
  return entries.length === 0 ? `${base}${path}` : `${base}${path}?${new URLSearchParams(entries)}`;
}

function headersOf(clientId: string, token: string, request: AdsRequest): Record<string, string> {
  const { mediaType = 'application/json', accept = mediaType, profileId, body } = request;
  return {
    authorization: `Bearer ${token}`,
    'Amazon-Advertising-API-ClientId': clientId,
    ...(profileId === undefined ? {} : { 'Amazon-Advertising-API-Scope': profileId }),
    accept,
    'user-agent': USER_AGENT,
    ...(body === undefined ? {} : { 'content-type': mediaType }),
  };
}

async function attempt(
  url: string,
  headers: Record<string, string>,
  request: AdsRequest,
  seen: Seen,
): Promise<Outcome> {
  let status: number;
  let text: string;
  let afterMs: number;
  try {
    const response = await fetch(url, {
      method: request.method,
      headers,
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    status = response.status;
    seen.status = status;
    seen.requestId = response.headers.get('x-amzn-requestid') ?? response.headers.get('x-amz-request-id');
    afterMs = retryAfterMs(response);
    text = await response.text();
    if (!response.ok) seen.text = text;
  } catch (error) {
    return { kind: 'retry', reason: error instanceof Error ? error.message : String(error) };
  }
  if (status === 429) return { kind: 'throttled', afterMs };
  if (status === 401) return { kind: 'token' };
  if (status >= 500) return { kind: 'retry', reason: `HTTP ${status}` };
  let body: { code?: string; details?: string; detail?: string } | null;
  try {
    body = text === '' ? null : ((request.parse ?? JSON.parse)(text) as typeof body);
  } catch {
    seen.text = text;
    return { kind: 'retry', reason: '响应不是完整的 JSON' };
  }
  if (status >= 400) {
    const words = body?.details ?? body?.detail ?? `HTTP ${status}`;
    return { kind: 'refused', error: new ApiRefused(status, body?.code ?? 'Unknown', words) };
  }
  return { kind: 'answer', body };
}

function problemOf(outcome: Outcome): string | null {
  if (outcome.kind === 'retry') return outcome.reason.slice(0, 500);
  if (outcome.kind === 'refused') return outcome.error.message.slice(0, 500);
  return outcome.kind === 'token' ? '令牌失效' : null;
}

/** Where calls get their access token; `forceNew` after one was refused. */
export type TokenSource = (forceNew: boolean) => Promise<string>;

/**
 * The advertising API of one consent; its limits are shared by all workers per application and region. `token` is where
 * calls get theirs, by default from the stored consent; `accountId` is whose calls the log says that they are, by default the
 * consent's own.
 */
export function createAdsApi(
  runtime: Runtime,
  connection: AdsConnectionRef,
  usage: Usage,
  tokenOf: TokenSource = (forceNew) => adsAccessToken(runtime, connection, forceNew),
  accountId = connection.id,
): AdsApi {
  const config = adsConfigOf(runtime);
  const { retryBaseMs } = runtime.config;

  function note(
    whose: string,
    request: AdsRequest,
    seen: Seen,
    outcome: Outcome,
    run: { begun: number; attempt: number },
  ) {
    // A call that is only too early says nothing with its body.
    const well = outcome.kind === 'answer' || outcome.kind === 'throttled';
    logCall(runtime, {
      companyId: connection.companyId,
      accountId: whose,
      operation: `ads.${request.operation}`,
      method: request.method,
      path: urlOf('', request),
      status: seen.status,
      requestId: seen.requestId,
      rate: null,
      ms: Math.round(performance.now() - run.begun),
      attempt: run.attempt,
      problem: problemOf(outcome),
      requestBody: well ? null : maskedBody(request.body),
      responseBody: well ? null : maskedBody(seen.text),
    });
  }

  async function call<T>(request: AdsRequest): Promise<T> {
    const sellerKey = `ads/${connection.region}`;
    const key: BucketKey = { applicationId: config.clientId, sellerKey, operation: request.operation };
    const plan = REPORTING.has(request.operation) ? REPORT_PLAN : PLAN;
    let renewed = false;
    let reason = '';
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      for (let delay = await takeToken(runtime, key, plan); delay > 0; delay = await takeToken(runtime, key, plan)) {
        await wait(delay, `${request.operation} 限流等待`);
      }
      const token = await tokenOf(renewed && reason === 'token');
      usage.calls += 1;
      const url = urlOf(config.base[connection.region], request);
      const seen: Seen = { status: null, requestId: null, text: null };
      const begun = performance.now();
      const outcome = await attempt(url, headersOf(config.clientId, token, request), request, seen);
      // While a consent is being given there is nobody yet whose call this would be.
      if (accountId !== '') note(accountId, request, seen, outcome, { begun, attempt: tries + 1 });
      // What comes back is as wide as the caller says; it is checked where it is read.
      if (outcome.kind === 'answer') {
        await speedUp(runtime, key, plan);
        return outcome.body as T;
      }
      if (outcome.kind === 'refused') throw outcome.error;
      if (outcome.kind === 'token') {
        if (renewed) throw new AuthLost('广告授权失效');
        renewed = true;
        reason = 'token';
        continue;
      }
      if (outcome.kind === 'throttled') {
        usage.throttled += 1;
        const refusal = { attempt: tries, baseMs: retryBaseMs, afterMs: outcome.afterMs };
        await wait(await slowDown(runtime, key, plan, refusal), `${request.operation} 被限流`);
        continue;
      }
      reason = outcome.kind === 'retry' ? outcome.reason : '';
      await wait(Math.random() * Math.min(CAP_MS, retryBaseMs * 2 ** tries), `${request.operation} 失败：${reason}`);
    }
    throw new ComeBackLater(Math.min(CAP_MS, retryBaseMs * 150), `${request.operation} 多次失败：${reason}`);
  }

  return { call };
}
