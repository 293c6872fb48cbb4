import { useMemo } from 'react';
import { useTab } from '#kit/web/tabs/scope.ts';
import { CURRENCIES, DEFAULT_FILTER, type HomeFilter, PERIODS, type Period, ZONES, type Zone } from '../contract.ts';

const PREFIX = 'f.';
const DAY = /^\d{4}-\d{2}-\d{2}$/;

function oneOf<T extends string>(value: string | null, known: Readonly<Record<T, string>>, fallback: T): T {
  return value !== null && value in known ? (value as T) : fallback;
}

/** The filter that an address names; what it does not name, or names wrongly, has its default. */
export function readFilter(search: URLSearchParams): HomeFilter {
  const get = (key: string) => search.get(PREFIX + key);
  const [from = '', to = ''] = (get('dates') ?? '').split('~');
  const dates = DAY.test(from) && DAY.test(to) ? { from, to } : undefined;
  const period = oneOf<Period>(get('period'), PERIODS, DEFAULT_FILTER.period);
  return {
    accountIds: search.getAll(`${PREFIX}accountIds`),
    marketplaceIds: search.getAll(`${PREFIX}marketplaceIds`),
    period: period === 'custom' && !dates ? DEFAULT_FILTER.period : period,
    ...(dates && period === 'custom' ? { dates } : {}),
    zone: oneOf<Zone>(get('zone'), ZONES, DEFAULT_FILTER.zone),
    currency: oneOf<keyof typeof CURRENCIES>(get('currency'), CURRENCIES, DEFAULT_FILTER.currency),
  };
}

/** Writes a filter into a query, leaving what else stands there; defaults are not written. */
export function writeFilter(search: URLSearchParams, filter: HomeFilter): URLSearchParams {
  const next = new URLSearchParams(search);
  for (const name of [...next.keys()]) if (name.startsWith(PREFIX)) next.delete(name);
  for (const id of filter.accountIds) next.append(`${PREFIX}accountIds`, id);
  for (const id of filter.marketplaceIds) next.append(`${PREFIX}marketplaceIds`, id);
  for (const key of ['period', 'zone', 'currency'] as const)
    if (filter[key] !== DEFAULT_FILTER[key]) next.set(PREFIX + key, filter[key]);
  if (filter.period === 'custom' && filter.dates) next.set(`${PREFIX}dates`, `${filter.dates.from}~${filter.dates.to}`);
  return next;
}

export interface Home {
  filter: HomeFilter;
  set: (change: Partial<HomeFilter>) => void;
}

/** The filter line's state, kept in the address of the tab. */
export function useHome(): Home {
  const { address, rewrite } = useTab();
  return useMemo(() => {
    const [path = '/home', query = ''] = address.split('?');
    const search = new URLSearchParams(query);
    const filter = readFilter(search);
    return {
      filter,
      set: (change) => {
        const text = writeFilter(search, { ...filter, ...change }).toString();
        rewrite(text ? `${path}?${text}` : path);
      },
    };
  }, [address, rewrite]);
}
