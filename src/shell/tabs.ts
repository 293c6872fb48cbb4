/** One page of the frame. Its title is its identity. */
export interface Tab {
  title: string;
  /** Path and query; what the address bar shows while the tab is in front. */
  address: string;
  keepAlive: boolean;
  dirty: boolean;
  /** Counts refreshes: a new number builds the page anew. */
  revision: number;
  /** Mounted at least once since the page loaded. */
  visited: boolean;
}

export interface Tabs {
  list: readonly Tab[];
  active: string;
}

export const HOME_PATH = '/home';
export const TAB_LIMIT = 30;

export type TabAction =
  | { type: 'visit'; title: string; address: string; keepAlive: boolean; replace?: boolean }
  | { type: 'close' | 'closeOthers' | 'closeRight' | 'closeLeft' | 'refresh'; title: string }
  | { type: 'dirty'; title: string; dirty: boolean }
  | { type: 'clear' };

export function homeTab(title = '首页'): Tab {
  return { title, address: HOME_PATH, keepAlive: true, dirty: false, revision: 0, visited: false };
}

export const isHome = (tab: Tab): boolean => pathOf(tab.address) === HOME_PATH;

export function pathOf(address: string): string {
  return address.split('?')[0] ?? address;
}

/** Query without what only says which tab it is, so that two addresses of one page can be compared. */
function identity(address: string): string {
  const search = new URLSearchParams(address.split('?')[1] ?? '');
  for (const key of ['title', 'path', 'replace']) search.delete(key);
  return `${pathOf(address)}?${search}`;
}

function overLimit(list: readonly Tab[], active: string): readonly Tab[] {
  if (list.length <= TAB_LIMIT) return list;
  const oldest = list.find((tab) => !isHome(tab) && !tab.dirty && tab.title !== active);
  return oldest ? list.filter((tab) => tab !== oldest) : list;
}

/** The home page has one tab, and no other page can take its title away. */
function titleFor(state: Tabs, title: string, address: string): string {
  const home = state.list.find(isHome);
  if (!home) return title;
  if (pathOf(address) === HOME_PATH) return home.title;
  return title === home.title ? `${title}（2）` : title;
}

function visit(state: Tabs, action: Extract<TabAction, { type: 'visit' }>): Tabs {
  const { address, keepAlive } = action;
  const title = titleFor(state, action.title, address);
  const existing = state.list.find((tab) => tab.title === title);
  const leaves = (tab: Tab) =>
    action.replace === true && !isHome(tab) && !tab.dirty && tab.title === state.active && tab.title !== title;
  if (!existing) {
    const tab: Tab = { title, address, keepAlive, dirty: false, revision: 0, visited: true };
    const place = state.list.findIndex(leaves);
    // What takes another page's place stands where that one stood.
    const next = place < 0 ? [...state.list, tab] : state.list.with(place, tab);
    return { list: overLimit(next, title), active: title };
  }
  const list = state.list.filter((tab) => !leaves(tab));
  // The same title with another record is another page in the same tab; a list that rewrote its own filters is not.
  const moved = pathOf(existing.address) !== pathOf(address);
  const other = moved || (!keepAlive && identity(existing.address) !== identity(address));
  const next = { ...existing, address, keepAlive, visited: true, dirty: other ? false : existing.dirty };
  const changed = { ...next, revision: other ? existing.revision + 1 : existing.revision };
  return { list: list.map((tab) => (tab.title === title ? changed : tab)), active: title };
}

function without(state: Tabs, leaves: (tab: Tab, index: number) => boolean, fallback: string): Tabs {
  const list = state.list.filter((tab, index) => isHome(tab) || !leaves(tab, index));
  const active = list.some((tab) => tab.title === state.active) ? state.active : fallback;
  return { list, active };
}

function close(state: Tabs, title: string): Tabs {
  const index = state.list.findIndex((tab) => tab.title === title);
  const tab = state.list[index];
  if (!tab || isHome(tab)) return state;
  const neighbour = state.list[index + 1] ?? state.list[index - 1];
  return without(state, (each) => each === tab, neighbour?.title ?? state.active);
}

/** The rules of the tab bar: a new title adds a tab, a known one reuses it, the home tab never closes. */
export function tabsReducer(state: Tabs, action: TabAction): Tabs {
  const index = 'title' in action ? state.list.findIndex((tab) => tab.title === action.title) : -1;
  if (index < 0 && action.type !== 'visit' && action.type !== 'clear') return state;
  switch (action.type) {
    case 'visit':
      return visit(state, action);
    case 'close':
      return close(state, action.title);
    case 'closeOthers':
      return without(state, (tab) => tab.title !== action.title, action.title);
    case 'closeRight':
      return without(state, (_, at) => at > index, action.title);
    case 'closeLeft':
      return without(state, (_, at) => at < index, action.title);
    case 'refresh':
      return {
        ...state,
        list: state.list.map((tab, at) => (at === index ? { ...tab, revision: tab.revision + 1, dirty: false } : tab)),
      };
    case 'dirty':
      return {
        ...state,
        list: state.list.map((tab, at) =>
          at === index && tab.dirty !== action.dirty ? { ...tab, dirty: action.dirty } : tab,
        ),
      };
    case 'clear':
      return { list: state.list.filter(isHome), active: state.list.find(isHome)?.title ?? '' };
  }
}

/** Tabs whose unsaved work is gone after a step: closed, or built anew. */
export function lostBetween(before: Tabs, after: Tabs): Tab[] {
  return before.list.filter((tab) => {
    if (!tab.dirty) return false;
    const kept = after.list.find((each) => each.title === tab.title);
    return kept === undefined || kept.revision !== tab.revision;
  });
}

const KEY = 'tabs';

type SavedTab = Pick<Tab, 'title' | 'address' | 'keepAlive'>;

/** Tabs that `owner` had open before a reload; their pages are built when first visited. Those of others are dropped. */
export function restoreTabs(owner: string): Tabs {
  try {
    const saved = JSON.parse(sessionStorage.getItem(KEY) ?? '{}') as { owner?: string; list?: SavedTab[] };
    const list = (saved.owner === owner ? (saved.list ?? []) : [])
      .filter((tab) => typeof tab.title === 'string' && typeof tab.address === 'string')
      .map((tab) => ({ ...homeTab(), ...tab }));
    return { list: list.some(isHome) ? list : [homeTab(), ...list], active: '' };
  } catch {
    return { list: [homeTab()], active: '' };
  }
}

export function saveTabs(tabs: Tabs, owner: string): void {
  const list: SavedTab[] = tabs.list.map(({ title, address, keepAlive }) => ({ title, address, keepAlive }));
  sessionStorage.setItem(KEY, JSON.stringify({ owner, list }));
}

export function forgetTabs(): void {
  sessionStorage.removeItem(KEY);
}
