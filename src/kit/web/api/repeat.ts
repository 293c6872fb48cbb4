import type { EndpointDef } from '../../contract/endpoint.ts';

/** Addresses that are meant to be asked in parallel, beside those whose endpoint says `concurrent`. */
const EXEMPT = [/ignoreRepeat/, /\/dict-items/, /\/warehouse\/list/, /\/files\//];

const running = new Map<string, AbortController>();

export function mayRepeat(endpoint: EndpointDef, url: string): boolean {
  return endpoint.concurrent === true || EXEMPT.some((pattern) => pattern.test(url));
}

/**
 * The rule of one call per address: entering cancels the earlier call with the same key. The key is method and address
 * without its query, and the place that asks, so that two screens do not cancel each other.
 */
export function enter(key: string, controller: AbortController): void {
  running.get(key)?.abort();
  running.set(key, controller);
}

export function leave(key: string, controller: AbortController): void {
  if (running.get(key) === controller) running.delete(key);
}
