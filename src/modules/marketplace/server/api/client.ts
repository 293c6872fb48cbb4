import { setTimeout as sleep } from 'node:timers/promises';
import type { Runtime } from '#kit/server/runtime.ts';
import { configOf } from '../settings.ts';
import type { AccountRef } from '../streams.ts';
import { type BucketKey, blockBucket, learnRate, paceOf, takeToken } from './buckets.ts';
import { planOf, reserveOf } from './limits.ts';
import { logCall } from './log.ts';
import { maskedBody } from './masked.ts';
import {
  type ApiAnswer,
  ApiRefused,
  type ApiRequest,
  AuthLost,
  ComeBackLater,
  OutcomeUnknown,
  OutOfCalls,
  type SpApi,
} from './port.ts';
import { fetchVia } from './proxy.ts';
import { accessToken } from './tokens.ts';

const USER_AGENT = 'CrossborderErp/1.0 (Language=TypeScript; Platform=Node.js)';
const TIMEOUT_MS = 60_000;
const MAX_TRIES = 8;
const CAP_MS = 5 * 60_000;
/** A wait up to here is sat through; a longer one gives the worker back. */
const SIT_MS = 15_000;
/** The same before the first call of a run: nothing is read yet that would be read again. */
const SIT_AT_FIRST_MS = 1_000;

/** Who sits through a wait looks again so often: the bucket may have been filled, or its rate raised, by somebody else's answer. */
const LOOK_AGAIN_MS = 2_000;

/** What a run used of the limits, for its record. */
export interface Usage {
  calls: number;
  throttled: number;
}

/** What the log notes of an answer, besides how it is taken. */
interface Seen {
  status: number | null;
  requestId: string | null;
  rate: number | null;
  /** The answer as it came, where it was a failure. */
  text: string | null;
}

type Outcome<T> =
  | { kind: 'answer'; answer: ApiAnswer<T>; rate: number | undefined }
  | { kind: 'throttled' }
  | { kind: 'retry'; reason: string }
  | { kind: 'token' }
  | { kind: 'refused'; error: Error };

async function wait(ms: number, reason: string): Promise<void> {
  if (ms > SIT_MS) throw new ComeBackLater(ms, reason);
  await sleep(ms);
}

function urlOf(base: string, request: ApiRequest): string {
  const query = new URLSearchParams();
  for (const [key, value] of Object.entries(request.query ?? {})) {
    if (value === undefined) continue;
    query.set(key, Array.isArray(value) ? value.join(',') : String(value));
  }
  const text = query.toString();
  return `${base}${request.path}${text ? `?${text}` : ''}`;
}

interface ErrorBody {
  errors?: { code?: string; message?: string; details?: string }[];
}

function refusalOf(status: number, body: unknown, requestId: string | null): Outcome<never> {
  const first = (body as ErrorBody | null)?.errors?.[0];
  const message = first?.message ?? `HTTP ${status}`;
  // Every 403 has the same message; whether the token or a missing role is to blame stands in its details.
  const why = `${message} ${first?.details ?? ''}`;
  if (status === 403 && /access token|revoked the authorization/i.test(why)) return { kind: 'token' };
  return {
    kind: 'refused',
    error: new ApiRefused(status, first?.code ?? 'Unknown', why.trim(), requestId ?? undefined),
  };
}

async function attempt<T>(
  base: string,
  request: ApiRequest,
  token: string,
  proxyUrl: string | undefined,
  seen: Seen,
): Promise<Outcome<T>> {
  let response: Response;
  let text: string;
  try {
    response = await fetchVia(proxyUrl, urlOf(base, request), {
      method: request.method,
      headers: {
        'x-amz-access-token': token,
        'user-agent': USER_AGENT,
        accept: 'application/json',
        ...(request.body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(request.body === undefined ? {} : { body: JSON.stringify(request.body) }),
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    seen.status = response.status;
    seen.requestId = response.headers.get('x-amzn-requestid');
    text = await response.text();
    if (!response.ok) seen.text = text;
  } catch (error) {
    return { kind: 'retry', reason: error instanceof Error ? error.message : String(error) };
  }
  if (response.status === 429) return { kind: 'throttled' };
  if (response.status >= 500) return { kind: 'retry', reason: `HTTP ${response.status}` };
  let body: unknown;
  try {
    body = text === '' ? null : JSON.parse(text);
  } catch {
    seen.text = text;
    return { kind: 'retry', reason: '响应不是完整的 JSON' };
  }
  if (!response.ok) return refusalOf(response.status, body, seen.requestId);
  const rate = Number(response.headers.get('x-amzn-ratelimit-limit') ?? Number.NaN);
  seen.rate = Number.isFinite(rate) ? rate : null;
  return {
    kind: 'answer',
    answer: {
      status: response.status,
      body: body as T,
      requestId: response.headers.get('x-amzn-requestid') ?? undefined,
    },
    rate: Number.isFinite(rate) && rate > 0 ? rate : undefined,
  };
}

function problemOf(outcome: Outcome<unknown>): string | null {
  if (outcome.kind === 'retry') return outcome.reason.slice(0, 500);
  if (outcome.kind === 'refused') return outcome.error.message.slice(0, 500);
  return outcome.kind === 'token' ? '令牌失效' : null;
}

/** Rates that this process has heard last, by bucket: a bucket is written only when Amazon says another one. */
const heard = new WeakMap<Runtime, Map<string, number>>();

/** Keeps the rate that an answer states; also one that is the plan's again. */
async function learn(runtime: Runtime, key: BucketKey, rate: number): Promise<void> {
  const rates = heard.get(runtime) ?? new Map<string, number>();
  heard.set(runtime, rates);
  const bucket = `${key.applicationId} ${key.sellerKey} ${key.operation}`;
  if (rates.get(bucket) === rate) return;
  await learnRate(runtime, key, rate);
  rates.set(bucket, rate);
}

/**
 * The API of one account: shared rate limits, tokens, retries with full jitter (base 2 s, cap 5 min, 8 tries). `spare`:
 * for work that can wait; its calls leave two fifths of a bucket to those that cannot.
 */
export function createSpApi(runtime: Runtime, account: AccountRef, usage: Usage, spare = false): SpApi {
  const config = configOf(runtime);
  const { retryBaseMs } = runtime.config;
  const base = config.spApiBase[account.region];
  const sellerKey = `${account.sellingPartnerId}/${account.region}`;
  let answered = false;

  async function call<T>(request: ApiRequest): Promise<ApiAnswer<T>> {
    const applicationId = account.applicationId ?? config.applicationId;
    const key: BucketKey = { applicationId, sellerKey, operation: request.operation };
    const plan = planOf(request.operation);
    let renewed = false;
    let reason = '';
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      for (;;) {
        const delay = await takeToken(runtime, key, plan, spare ? reserveOf(plan) : 0);
        if (delay === 0) break;
        if (delay > (answered ? SIT_MS : SIT_AT_FIRST_MS)) {
          throw new OutOfCalls(delay, await paceOf(runtime, key), `${request.operation} 限流等待`);
        }
        await sleep(Math.min(delay, LOOK_AGAIN_MS));
      }
      const token = await accessToken(runtime, account, renewed && tries > 0 && reason === 'token');
      if (tries === 0) await request.announce?.();
      usage.calls += 1;
      const seen: Seen = { status: null, requestId: null, rate: null, text: null };
      const begun = performance.now();
      const outcome = await attempt<T>(base, request, token, account.proxyUrl, seen);
      logCall(runtime, {
        companyId: account.companyId,
        accountId: account.id,
        operation: request.operation,
        method: request.method,
        path: urlOf('', request),
        status: seen.status,
        requestId: seen.requestId,
        rate: seen.rate,
        ms: Math.round(performance.now() - begun),
        attempt: tries + 1,
        problem: problemOf(outcome),
        // A call that is only too early says nothing with its body.
        ...(outcome.kind === 'answer' || outcome.kind === 'throttled'
          ? { requestBody: null, responseBody: null }
          : { requestBody: maskedBody(request.body), responseBody: maskedBody(seen.text) }),
      });
      if (outcome.kind === 'answer') {
        answered = true;
        if (outcome.rate !== undefined) await learn(runtime, key, outcome.rate);
        return outcome.answer;
      }
      if (outcome.kind === 'refused') throw outcome.error;
      if (outcome.kind === 'token') {
        if (renewed) throw new AuthLost('授权失效');
        renewed = true;
        reason = 'token';
        continue;
      }
      if (outcome.kind === 'throttled') {
        usage.throttled += 1;
        await wait(await blockBucket(runtime, key, tries, retryBaseMs), `${request.operation} 被限流`);
        continue;
      }
      reason = outcome.reason;
      if (request.once) throw new OutcomeUnknown(retryBaseMs, `${request.operation} 没有得到回答：${reason}`);
      await wait(Math.random() * Math.min(CAP_MS, retryBaseMs * 2 ** tries), `${request.operation} 失败：${reason}`);
    }
    throw new ComeBackLater(Math.min(CAP_MS, retryBaseMs * 150), `${request.operation} 多次失败：${reason}`);
  }

  return { call };
}
