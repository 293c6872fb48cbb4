import { useSyncExternalStore } from 'react';

const QUERY = '(prefers-reduced-motion: reduce)';

/** Whether this person asked the system for a screen on which nothing moves. */
export function wantsStillness(): boolean {
  return globalThis.matchMedia?.(QUERY).matches ?? false;
}

function subscribe(changed: () => void): () => void {
  const query = globalThis.matchMedia?.(QUERY);
  query?.addEventListener('change', changed);
  return () => query?.removeEventListener('change', changed);
}

/** `wantsStillness`, followed while the page is open. */
export function useStillness(): boolean {
  return useSyncExternalStore(subscribe, wantsStillness);
}
