import { useEffect, useMemo, useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { useFavourites } from '#kit/web/favourites.ts';
import { searchAll } from '#modules/system/contract/search.ts';
import { linksOf } from '../menu.ts';
import { useFrame } from './frame-context.ts';
import { recentPlaces } from './recent.ts';
import { foundGroups, type ItemGroup, idleGroups } from './search-items.ts';

/** Wait after the last key before the server is asked. */
const PAUSE_MS = 160;
const MIN = 2;
const MAX = 80;

function useLater(value: string): string {
  const [later, setLater] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setLater(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return later;
}

export interface SearchResult {
  groups: ItemGroup[];
  /** The server has not answered for this text yet. */
  busy: boolean;
  failed: Error | null;
  retry: () => void;
}

/** Groups for a text: pages at once from the menu, things as soon as the server has found them. */
export function useSearch(text: string): SearchResult {
  const { menu } = useFrame();
  const { favourites } = useFavourites();
  const q = useLater(text);
  const long = q.length >= MIN && q.length <= MAX;
  const answer = useCall(
    searchAll,
    { query: { q: long ? q : '--' } },
    { enabled: long, keep: true, staleTime: 10_000 },
  );
  const groups = useMemo(() => {
    const links = linksOf(menu);
    if (text === '') return idleGroups(links, recentPlaces(), favourites);
    return foundGroups(links, text, long ? (answer.data ?? []) : []);
  }, [menu, text, favourites, long, answer.data]);
  return {
    groups,
    busy: text.length >= MIN && text.length <= MAX && (q !== text || answer.isFetching),
    failed: long && text !== '' ? answer.error : null,
    retry: () => void answer.refetch(),
  };
}
