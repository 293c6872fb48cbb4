import { useCallback, useSyncExternalStore } from 'react';
import { createStore } from './store.ts';

const KEY = 'favourites';

function read(): readonly string[] {
  try {
    const saved: unknown = JSON.parse(globalThis.localStorage?.getItem(KEY) ?? '[]');
    return Array.isArray(saved) ? saved.filter((path) => typeof path === 'string') : [];
  } catch {
    return [];
  }
}

const store = createStore<readonly string[]>(read());

/** Paths of the screens that the user starred, in the order of starring; kept by this browser. */
export function useFavourites() {
  const favourites = useSyncExternalStore(store.subscribe, store.get);
  const toggle = useCallback((path: string) => {
    const now = store.get();
    const next = now.includes(path) ? now.filter((each) => each !== path) : [...now, path];
    localStorage.setItem(KEY, JSON.stringify(next));
    store.set(next);
  }, []);
  return { favourites, toggle };
}
