import { type RefObject, useMemo, useRef } from 'react';
import type { TabAction, Tabs } from '../tabs.ts';

export interface DirtySources {
  setDirty: (title: string, dirty: boolean, source?: string) => void;
  release: (title: string, source: string) => void;
}

/** Which parts of a tab hold unsaved work: the tab is dirty while one of them does. */
export function useDirtySources(latest: RefObject<Tabs>, dispatch: (action: TabAction) => void): DirtySources {
  const sources = useRef(new Map<string, Set<string>>());
  return useMemo(() => {
    const setDirty = (title: string, dirty: boolean, source = '') => {
      const known = sources.current.get(title) ?? new Set<string>();
      if (dirty) known.add(source);
      else known.delete(source);
      if (known.size > 0) sources.current.set(title, known);
      else sources.current.delete(title);
      dispatch({ type: 'dirty', title, dirty: known.size > 0 });
    };
    return {
      setDirty,
      release: (title: string, source: string) => {
        // Effects of a tab at the back are taken down too, but its form is still there.
        const closed = latest.current.list.every((tab) => tab.title !== title);
        if (closed || latest.current.active === title) setDirty(title, false, source);
      },
    };
  }, [latest, dispatch]);
}
