import { App } from 'antd';
import { useEffect, useLayoutEffect, useMemo, useReducer, useRef } from 'react';
import { useLocation, useNavigate } from 'react-router';
import { queryClient } from '#kit/web/api/index.ts';
import { type OpenOptions, type ScreenRoute, tabAddress } from '#kit/web/tabs/scope.ts';
import { routeFor } from '../menu.ts';
import {
  HOME_PATH,
  isHome,
  pathOf,
  restoreTabs,
  saveTabs,
  type Tab,
  type TabAction,
  type Tabs,
  tabsReducer,
} from '../tabs.ts';

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
  setDirty: (title: string, dirty: boolean) => void;
}

interface BlankState {
  title: string;
  address: string;
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
    const query = new URLSearchParams(search);
    const route = routeFor(routes, pathname);
    const title = pathname === HOME_PATH ? home : (query.get('title') ?? route?.title ?? '未命名页面');
    dispatch({
      type: 'visit',
      title,
      address: pathname + search,
      keepAlive: route?.keepAlive ?? false,
      replace: query.get('replace') === 'true',
    });
  }, [location, routes, dispatch, navigate, home]);
}

/** The tab bar's state and everything that may be done with it. */
export function useTabs(routes: ScreenRoute[]): TabsControl {
  const [state, dispatch] = useReducer(tabsReducer, undefined, restoreTabs);
  const navigate = useNavigate();
  const { modal } = App.useApp();
  const home = state.list.find(isHome)?.title ?? '首页';
  useVisits(routes, dispatch, home);

  useEffect(() => {
    saveTabs(state);
    document.title = state.active || '跨境电商 ERP';
  }, [state]);

  // Handlers read the newest state without being made anew, so that tabs in the background do not re-render.
  const latest = useRef(state);
  latest.current = state;
  const lastMenu = useRef(HOME_PATH);
  const active = state.list.find((tab) => tab.title === state.active);
  if (active?.keepAlive) lastMenu.current = active.address;

  const actions = useMemo(() => {
    const apply = (action: TabAction) => {
      const next = tabsReducer(latest.current, action);
      const front = next.list.find((tab) => tab.title === next.active);
      dispatch(action);
      if (front && next.active !== latest.current.active) void navigate(front.address);
    };
    const closing = (action: TabAction) => {
      const next = tabsReducer(latest.current, action);
      const lost = latest.current.list.filter(
        (tab) => tab.dirty && !next.list.some((kept) => kept.title === tab.title),
      );
      if (lost.length === 0) return apply(action);
      modal.confirm({
        title: '有未保存的内容，确定离开吗？',
        content: `未保存：${lost.map((tab) => tab.title).join('、')}`,
        okText: '放弃并关闭',
        cancelText: '继续编辑',
        okButtonProps: { danger: true },
        onOk: () => apply(action),
      });
    };
    const addressOf = (title: string) => latest.current.list.find((tab) => tab.title === title)?.address ?? HOME_PATH;
    return {
      open: (path: string, options: OpenOptions = {}) => {
        const title = options.title ?? routeFor(routes, path)?.title;
        void navigate(
          pathOf(path) === HOME_PATH ? HOME_PATH : tabAddress(path, { ...options, ...(title ? { title } : {}) }),
        );
      },
      show: (tab: Tab) => void navigate(tab.address),
      close: (title: string) => closing({ type: 'close', title }),
      closeOthers: (title: string) => closing({ type: 'closeOthers', title }),
      closeRight: (title: string) => closing({ type: 'closeRight', title }),
      closeLeft: (title: string) => closing({ type: 'closeLeft', title }),
      refresh: (title: string) => {
        // What the page asks for when it is built anew must come from the server.
        void queryClient.invalidateQueries({ refetchType: 'none' });
        void navigate('/blank', { replace: true, state: { title, address: addressOf(title) } satisfies BlankState });
      },
      rewrite: (title: string, address: string) => {
        if (latest.current.active === title) void navigate(address, { replace: true });
      },
      setDirty: (title: string, dirty: boolean) => dispatch({ type: 'dirty', title, dirty }),
    };
  }, [routes, navigate, modal]);

  return useMemo(() => ({ ...actions, state, lastMenuAddress: lastMenu.current }), [actions, state]);
}
