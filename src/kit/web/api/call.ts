import type { CallInput, EndpointDef, Reply } from '../../contract/endpoint.ts';
import { notice } from '../notice.tsx';
import { currentSession, sessionStands } from '../session.ts';
import { readAnswer } from './answer.ts';
import { ApiError, CallCancelled, NETWORK_FAILED, TIMED_OUT } from './errors.ts';
import { enter, leave, mayRepeat } from './repeat.ts';
import { pathOf, queryOf, type RequestParts } from './url.ts';
import { uuid } from './uuid.ts';

/** Milliseconds after which a call is given up. */
export const TIMEOUT = 300_000;
/** The same for calls that move files. */
export const FILE_TIMEOUT = 600_000;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  /** Who asks; a repeated call cancels the earlier one of the same place only. */
  scope?: string | undefined;
  timeout?: number | undefined;
  /** The caller shows a refusal itself. */
  quiet?: boolean | undefined;
  /** Sent with a write; the same key for a repeated attempt is answered with the first result. */
  idempotencyKey?: string | undefined;
}

function headersOf(endpoint: EndpointDef, options: CallOptions, hasBody: boolean): Headers {
  const headers = new Headers({ accept: 'application/json' });
  const session = currentSession();
  if (session && endpoint.permission !== 'public') headers.set('jsessionid', session.id);
  const writes = endpoint.access ? endpoint.access === 'write' : endpoint.method !== 'GET';
  if (writes) headers.set('idempotency-key', options.idempotencyKey ?? uuid());
  if (hasBody) headers.set('content-type', 'application/json');
  return headers;
}

function failure(error: unknown, timedOut: boolean): Error {
  if (timedOut) return new ApiError({ code: 0, msg: TIMED_OUT });
  if (error instanceof DOMException && error.name === 'AbortError') return new CallCancelled();
  return new ApiError({ code: 0, msg: NETWORK_FAILED });
}

/**
 * One request by the rules of the product: session header, one call per address, time limit. The body of the answer is
 * read inside, because it may break off or be cancelled like the request itself.
 */
export async function request<T>(
  endpoint: EndpointDef,
  input: RequestParts,
  options: CallOptions,
  read: (response: Response) => Promise<T>,
): Promise<T> {
  if (!sessionStands()) throw new CallCancelled();
  const path = pathOf(endpoint, input.params);
  const controller = new AbortController();
  const key = `${endpoint.method} ${path} ${options.scope ?? ''}`;
  const alone = !mayRepeat(endpoint, path);
  if (alone) enter(key, controller);
  let timedOut = false;
  const cancel = () => controller.abort();
  options.signal?.addEventListener('abort', cancel);
  if (options.signal?.aborted) cancel();
  const timer = setTimeout(() => {
    timedOut = true;
    controller.abort();
  }, options.timeout ?? TIMEOUT);
  try {
    const response = await fetch(path + queryOf(input.query), {
      method: endpoint.method,
      headers: headersOf(endpoint, options, input.body !== undefined),
      body: input.body === undefined ? null : JSON.stringify(input.body),
      signal: controller.signal,
    }).catch((error: unknown) => {
      throw failure(error, timedOut);
    });
    return await read(response).catch((error: unknown) => {
      throw error instanceof ApiError ? error : failure(error, timedOut);
    });
  } finally {
    clearTimeout(timer);
    options.signal?.removeEventListener('abort', cancel);
    if (alone) leave(key, controller);
  }
}

/** Shows a refusal unless it is quiet, then throws it on. A lost session explains itself on the login page. */
export function refuse(error: unknown, quiet: boolean | undefined): never {
  if (!quiet && error instanceof ApiError && error.code !== 401) notice.error(error.message);
  throw error;
}

/** Calls an endpoint and returns the data of its envelope. Throws ApiError (shown unless `quiet`) or CallCancelled. */
export async function call<E extends EndpointDef>(
  endpoint: E,
  input: CallInput<E>,
  options: CallOptions = {},
): Promise<Reply<E>> {
  try {
    const data = await request(endpoint, input as RequestParts, options, async (response) =>
      readAnswer(response.status, await response.text(), endpoint.permission === 'public'),
    );
    return data as Reply<E>;
  } catch (error) {
    return refuse(error, options.quiet);
  }
}
