import { useSyncExternalStore } from 'react';
import { createStore } from '../store.ts';
import type { ThemeName } from './tokens.ts';

const KEY = 'theme';

function stored(): ThemeName {
  return globalThis.localStorage?.getItem(KEY) === 'black' ? 'black' : 'light';
}

const store = createStore<ThemeName>(stored());

function show(theme: ThemeName): void {
  document.documentElement.dataset.theme = theme;
}

/** Theme in use; every component that draws with colours of its own (charts, grid) re-renders on a change. */
export function useTheme(): ThemeName {
  return useSyncExternalStore(store.subscribe, store.get);
}

/** Stores the preference under `theme` and shows it at once. */
export function setTheme(theme: ThemeName): void {
  localStorage.setItem(KEY, theme);
  show(theme);
  store.set(theme);
}

/** Switches between light and black. */
export function toggleTheme(): void {
  setTheme(store.get() === 'light' ? 'black' : 'light');
}

/** Called once by the entry: shows the stored theme and follows changes made in other browser tabs. */
export function startTheme(): void {
  show(store.get());
  window.addEventListener('storage', (event) => {
    if (event.key !== KEY) return;
    show(stored());
    store.set(stored());
  });
}

const stillness = globalThis.matchMedia?.('(prefers-reduced-motion: reduce)');

function onStillness(changed: () => void): () => void {
  stillness?.addEventListener('change', changed);
  return () => stillness?.removeEventListener('change', changed);
}

/** Whether the user's system asks for no motion; follows a change of that setting. */
export function useStillness(): boolean {
  return useSyncExternalStore(onStillness, () => stillness?.matches ?? false);
}
