import { currentSession } from '#kit/web/session.ts';

const KEY = 'recentPlaces';
const LIMIT = 10;

/** Something that was opened through the search. */
export interface Place {
  title: string;
  subtitle: string;
  /** Address of the tab without its title, and the tab's title. */
  path: string;
  query?: Record<string, string>;
  tabTitle: string;
}

/** Two accounts of one browser must not see each other's order numbers. */
const owner = (): string => currentSession()?.uid ?? '';

function isPlace(value: unknown): value is Place {
  const place = value as Partial<Place> | null;
  return typeof place?.title === 'string' && typeof place.path === 'string' && typeof place.tabTitle === 'string';
}

/** What the current user opened last through the search, newest first. */
export function recentPlaces(): Place[] {
  try {
    const saved = JSON.parse(localStorage.getItem(KEY) ?? '{}') as { owner?: string; places?: unknown };
    return saved.owner === owner() && Array.isArray(saved.places) ? saved.places.filter(isPlace) : [];
  } catch {
    return [];
  }
}

export function rememberPlace({ title, subtitle, path, query, tabTitle }: Place): void {
  const key = (place: Place) => `${place.path} ${JSON.stringify(place.query ?? {})}`;
  const place: Place = { title, subtitle, path, tabTitle, ...(query ? { query } : {}) };
  const places = [place, ...recentPlaces().filter((each) => key(each) !== key(place))].slice(0, LIMIT);
  localStorage.setItem(KEY, JSON.stringify({ owner: owner(), places }));
}

export function forgetPlaces(): void {
  localStorage.removeItem(KEY);
}
