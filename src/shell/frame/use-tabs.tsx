import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { queryClient } from '#kit/web/api/index.ts';
import { currentSession, isLeaving } from '#kit/web/session.ts';
import { type OpenOptions, type ScreenRoute, tabAddress } from '#kit/web/tabs/scope.ts';
import { routeFor } from '../menu.ts';
import {
  HOME_PATH,
  isHome,
  lostBetween,
  pathOf,
  restoreTabs,
  saveTabs,
  type Tab,
  type TabAction,
  type Tabs,
  tabsReducer,
} from '../tabs.ts';
import { useBackGuard } from './use-back-guard.ts';
import { useDirtySources } from './use-dirty-sources.ts';
import { useLeaveGuard } from './use-leave-guard.ts';

export interface TabsControl {
  state: Tabs;
  /** Address of the last tab whose page stands in the menu: the rail keeps its section lit on detail pages. */
  lastMenuAddress: string;
  open: (path: string, options?: OpenOptions) => void;
  show: (tab: Tab) => void;
  close: (title: string) => void;
  closeOthers: (title: string) => void;
  closeRight: (title: string) => void;
  closeLeft: (title: string) => void;
  refresh: (title: string) => void;
  rewrite: (title: string, address: string) => void;
  setDirty: (title: string, dirty: boolean, source?: string) => void;
  release: (title: string, source: string) => void;
  /** Runs `work`, which leaves all tabs, after the user agreed to lose what is not saved. */
  leave: (work: () => void) => void;
}

interface BlankState {
  title: string;
  address: string;
}

/** A form that was just saved says so a moment later. */
const SETTLE_MS = 120;

/** Name of a tab whose address leads nowhere. */
const LOST = '页面不存在';

/** What an address inside the frame means to the tab bar. */
function visitOf(address: string, routes: ScreenRoute[], home: string): Extract<TabAction, { type: 'visit' }> {
  const path = pathOf(address);
  const query = new URLSearchParams(address.slice(path.length));
  const route = routeFor(routes, path);
  return {
    type: 'visit',
    title: path === HOME_PATH ? home : route ? (query.get('title') ?? route.title) : LOST,
    address,
    keepAlive: route?.keepAlive ?? false,
    replace: query.get('replace') === 'true',
  };
}

/** Follows the address: each address inside the frame is a visit to a tab. */
function useVisits(routes: ScreenRoute[], dispatch: (action: TabAction) => void, home: string): void {
  const location = useLocation();
  const navigate = useNavigate();
  useLayoutEffect(() => {
    const { pathname, search } = location;
    if (pathname === '/blank') {
      const target = location.state as BlankState | null;
      if (target) dispatch({ type: 'refresh', title: target.title });
      void navigate(target?.address ?? HOME_PATH, { replace: true });
      return;
    }
    dispatch(visitOf(pathname + search, routes, home));
  }, [location, routes, dispatch, navigate, home]);
}

/** The tab bar's state and everything that may be done with it. */
export function useTabs(routes: ScreenRoute[]): TabsControl {
  const owner = currentSession()?.uid ?? '';
  const [state, dispatch] = useReducer(tabsReducer, owner, restoreTabs);
  const navigate = useNavigate();
  const home = state.list.find(isHome)?.title ?? '首页';
  useVisits(routes, dispatch, home);

  useEffect(() => {
    // What was forgotten on leaving stays forgotten.
    if (!isLeaving()) saveTabs(state, owner);
    document.title = state.active || '跨境电商 ERP';
  }, [state, owner]);

  // Handlers read the newest state without being made anew, so that tabs in the background do not re-render.
  const latest = useRef(state);
  latest.current = state;
  const lastMenu = useRef(HOME_PATH);
  const active = state.list.find((tab) => tab.title === state.active);
  if (active?.keepAlive) lastMenu.current = active.address;

  const sources = useDirtySources(latest, dispatch);
  const guard = useLeaveGuard(
    latest,
    state.list.some((tab) => tab.dirty),
  );

  useBackGuard({
    tabs: () => latest.current.list,
    lostBy: (address) => lostBetween(latest.current, tabsReducer(latest.current, visitOf(address, routes, home))),
    guard,
    giveUp: (lost) => {
      for (const tab of lost) dispatch({ type: 'dirty', title: tab.title, dirty: false });
    },
  });

  const actions = useMemo(() => {
    const apply = (action: TabAction) => {
      const next = tabsReducer(latest.current, action);
      const front = next.list.find((tab) => tab.title === next.active);
      dispatch(action);
      if (front && next.active !== latest.current.active) void navigate(front.address);
    };
    const closing = (action: TabAction) =>
      guard(lostBetween(latest.current, tabsReducer(latest.current, action)), () => apply(action));
    const addressOf = (title: string) => latest.current.list.find((tab) => tab.title === title)?.address ?? HOME_PATH;

    /** Unsaved work that opening an address would end: the tab it replaces, or another record in the same tab. */
    const lostBy = (address: string): Tab[] => {
      const visit = visitOf(address, routes, latest.current.list.find(isHome)?.title ?? '');
      const front = latest.current.list.find((tab) => tab.title === latest.current.active);
      const replaced = visit.replace && front?.dirty && front.title !== visit.title ? [front] : [];
      return [...replaced, ...lostBetween(latest.current, tabsReducer(latest.current, visit))];
    };
    const go = (address: string, lost: readonly Tab[]) => {
      for (const tab of lost) dispatch({ type: 'dirty', title: tab.title, dirty: false });
      void navigate(address);
    };
    const visiting = (address: string) => {
      if (lostBy(address).length === 0) return go(address, []);
      setTimeout(() => {
        const lost = lostBy(address);
        guard(lost, () => go(address, lost));
      }, SETTLE_MS);
    };
    const refresh = (title: string) => {
      // What the page asks for when it is built anew must come from the server.
      void queryClient.invalidateQueries({ refetchType: 'none' });
      void navigate('/blank', { replace: true, state: { title, address: addressOf(title) } satisfies BlankState });
    };

    return {
      open: (path: string, options: OpenOptions = {}) => {
        const title = options.title ?? routeFor(routes, path)?.title;
        visiting(
          pathOf(path) === HOME_PATH ? HOME_PATH : tabAddress(path, { ...options, ...(title ? { title } : {}) }),
        );
      },
      show: (tab: Tab) => void navigate(tab.address),
      close: (title: string) => closing({ type: 'close', title }),
      closeOthers: (title: string) => closing({ type: 'closeOthers', title }),
      closeRight: (title: string) => closing({ type: 'closeRight', title }),
      closeLeft: (title: string) => closing({ type: 'closeLeft', title }),
      refresh: (title: string) =>
        guard(
          latest.current.list.filter((tab) => tab.dirty && tab.title === title),
          () => refresh(title),
        ),
      rewrite: (title: string, address: string) => {
        if (latest.current.active === title) void navigate(address, { replace: true });
      },
      leave: (work: () => void) =>
        guard(
          latest.current.list.filter((tab) => tab.dirty),
          () => {
            for (const tab of latest.current.list) dispatch({ type: 'dirty', title: tab.title, dirty: false });
            work();
          },
        ),
      ...sources,
    };
  }, [routes, navigate, guard, sources]);

  return useMemo(() => ({ ...actions, state, lastMenuAddress: lastMenu.current }), [actions, state]);
}
