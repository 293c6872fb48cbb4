import { type ComponentType, type LazyExoticComponent, lazy } from 'react';
import type { ScreenRoute } from '#kit/web/tabs/scope.ts';

type Screen = LazyExoticComponent<ComponentType>;
type Load = () => Promise<{ default: ComponentType }>;

const files = import.meta.glob<{ default: ComponentType }>('../modules/*/web/screens/*.tsx');
const declared = import.meta.glob<{ routes: ScreenRoute[] }>('../modules/*/web/routes.ts', { eager: true });

const CHUNK_TIMEOUT = 120_000;
const RELOADED = 'reloadedForChunk';

/** Every screen by its component key: "order/OrderList" is modules/order/web/screens/OrderList.tsx. */
export const loaders = new Map<string, Load>();
for (const [path, load] of Object.entries(files)) {
  const [, module, name] = /modules\/([^/]+)\/web\/screens\/([^/]+)\.tsx$/.exec(path) ?? [];
  if (module && name) loaders.set(`${module}/${name}`, load);
}

/** Routes that modules declare themselves: detail and edit pages, public pages. */
export const declaredRoutes: ScreenRoute[] = Object.values(declared).flatMap((file) => file.routes);

/** The file of a screen could not be loaded: no network, or a release that no longer has it. */
export class ChunkFailed extends Error {}

/** The browser may ask the user before it reloads; if he stays, the tab says what happened. */
const RELOAD_PATIENCE = 10_000;

function inTime<T>(work: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new Error('chunk timeout')), CHUNK_TIMEOUT);
    work.then(resolve, reject).finally(() => clearTimeout(timer));
  });
}

/**
 * A file that cannot be loaded is most often one that a new release has replaced: the page reloads by itself once,
 * then the error is shown.
 */
async function loadOnce(load: Load): Promise<{ default: ComponentType }> {
  try {
    const module = await inTime(load());
    sessionStorage.removeItem(RELOADED);
    return module;
  } catch (error) {
    if (sessionStorage.getItem(RELOADED) === null && navigator.onLine) {
      sessionStorage.setItem(RELOADED, '1');
      window.location.reload();
      await new Promise((resolve) => setTimeout(resolve, RELOAD_PATIENCE));
    }
    throw new ChunkFailed(error instanceof Error ? error.message : String(error), { cause: error });
  }
}

const screens = new Map<string, Screen>();

/** The screen of a component key, undefined if no module has it. */
export function screenOf(component: string): Screen | undefined {
  const load = loaders.get(component);
  if (!load) return undefined;
  const known = screens.get(component);
  if (known) return known;
  const screen = lazy(() => loadOnce(load));
  screens.set(component, screen);
  return screen;
}

/** Drops a screen that failed, so that the next attempt asks for its file again. */
export function forgetScreen(component: string): void {
  screens.delete(component);
}
