const KEY = 'ssoRounds';
const WINDOW_MS = 60_000;
const MAX = 2;

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>;

function recent(store: Store, now: number): number[] {
  return (store.getItem(KEY) ?? '')
    .split(',')
    .map(Number)
    .filter((at) => at > now - WINDOW_MS && at <= now);
}

/**
 * Counts a way to the auth server and says whether it may be gone: the third within a minute is a circle, in which the
 * provider lets somebody in whom this product does not keep. `now` in epoch ms.
 */
export function mayLeave(store: Store, now: number): boolean {
  const past = recent(store, now);
  if (past.length >= MAX) return false;
  store.setItem(KEY, [...past, now].join(','));
  return true;
}

/** Somebody asked for another try himself. */
export function forgetRounds(store: Store): void {
  store.removeItem(KEY);
}
