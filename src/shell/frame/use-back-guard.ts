import { useEffect, useRef } from 'react';
import { matchPath, useLocation } from 'react-router';
import { guardSteps } from '../back.ts';
import { declaredRoutes } from '../screens.ts';
import type { Tab } from '../tabs.ts';
import type { Guard } from './use-leave-guard.ts';

/** Place in the browser's history that the router keeps with every entry of its own. */
const placeOf = (state: unknown): number | undefined => (state as { idx?: number } | null)?.idx;

/** Pages that stand outside the frame: whoever goes to one takes all tabs down. */
function isOutside(path: string): boolean {
  return path === '/404' || declaredRoutes.some((route) => route.public && matchPath(route.path, path));
}

interface BackGuard {
  /** Tabs that the newest state holds. */
  tabs: () => readonly Tab[];
  /** Unsaved work that an address inside the frame would end. */
  lostBy: (address: string) => readonly Tab[];
  guard: Guard;
  /** Gives up the unsaved work of these tabs. */
  giveUp: (lost: readonly Tab[]) => void;
}

/**
 * Asks before the browser's own Back and Forward end unsaved work: by another record in the same tab, or by a page outside
 * the frame. The browser has gone there already when it tells, so it is sent back to where it was while the question stands.
 */
export function useBackGuard(now: BackGuard): void {
  const latest = useRef(now);
  latest.current = now;
  const location = useLocation();
  const place = useRef<number | undefined>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: each address has its own place
  useEffect(() => {
    place.current = placeOf(window.history.state);
  }, [location]);

  useEffect(() => {
    /** What the next steps through the history are: our own way back, which nobody hears of, or one that was agreed to. */
    let next: 'back' | 'agreed' | undefined;
    const onStep = (event: PopStateEvent) => {
      const step = next;
      next = undefined;
      if (step === 'agreed') return;
      if (step === 'back') return event.stopImmediatePropagation();
      const { tabs, lostBy, guard, giveUp } = latest.current;
      const { pathname, search } = window.location;
      const lost = isOutside(pathname) ? tabs().filter((tab) => tab.dirty) : lostBy(pathname + search);
      const [from, to] = [place.current, placeOf(event.state)];
      if (lost.length === 0 || from === undefined || to === undefined || from === to) return;
      event.stopImmediatePropagation();
      next = 'back';
      window.history.go(from - to);
      guard(lost, () => {
        giveUp(lost);
        next = 'agreed';
        window.history.go(to - from);
      });
    };
    return guardSteps(onStep);
  }, []);
}
