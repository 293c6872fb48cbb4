import { createContext, useContext, useEffect, useId } from 'react';

/** A screen as a module declares it in `web/routes.ts`; screens of the menu need no entry. */
export interface ScreenRoute {
  /** e.g. "/orders/detail"; ":name" parts are allowed. */
  path: string;
  /** Key of the lazy screen: "order/OrderDetail" is modules/order/web/screens/OrderDetail.tsx. */
  component: string;
  /** Title of the tab where the address brings none. */
  title: string;
  /** Kept as it is while another tab is in front; without it the screen is built anew on each visit. */
  keepAlive?: boolean;
  /** Outside the frame and without a session: login, result pages. */
  public?: boolean;
}

export interface OpenOptions {
  /** Identity of the tab; the screen's own title where left out. */
  title?: string;
  /** Several values of a key stand in the address one after the other. */
  query?: Record<string, string | number | readonly string[] | undefined>;
  /** Close the tab that opens this one. */
  replace?: boolean;
}

/** What the frame tells a screen about the tab it lives in, and what the screen may ask of the frame. */
export interface TabScope {
  title: string;
  /** Path and query of this tab, also while another tab is in front. */
  address: string;
  active: boolean;
  open: (path: string, options?: OpenOptions) => void;
  close: () => void;
  /** Rewrites the query of this tab without a new history entry. */
  rewrite: (address: string) => void;
  /**
   * Unsaved work: an amber dot, kept alive, and a question before it closes. `source` tells several forms of one tab
   * apart: the tab is clean once all of them are.
   */
  setDirty: (dirty: boolean, source?: string) => void;
  /** What `source` said no longer counts, unless the tab only rests at the back. */
  release: (source: string) => void;
  refresh: () => void;
}

const nothing = () => {};

export const TabContext = createContext<TabScope>({
  title: '',
  address: '/',
  active: true,
  open: nothing,
  close: nothing,
  rewrite: nothing,
  setDirty: nothing,
  release: nothing,
  refresh: nothing,
});

/** The tab around the calling screen. */
export function useTab(): TabScope {
  return useContext(TabContext);
}

/** Marks the tab around the caller while `dirty`; unmounting takes the mark away. Forms of the kit do so themselves. */
export function useDirty(dirty: boolean): void {
  const source = useId();
  const { setDirty, release } = useTab();
  useEffect(() => setDirty(dirty, source), [dirty, setDirty, source]);
  useEffect(() => () => release(source), [release, source]);
}

/** Address that opens `path` as a tab: title and path travel in the query. */
export function tabAddress(path: string, options: OpenOptions = {}): string {
  const search = new URLSearchParams();
  if (options.title) search.set('title', options.title);
  search.set('path', path);
  for (const [key, value] of Object.entries(options.query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) if (one !== undefined) search.append(key, String(one));
  }
  if (options.replace) search.set('replace', 'true');
  return `${path}?${search}`;
}
