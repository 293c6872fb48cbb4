import { useMemo } from 'react';
import { useTab } from '../tabs/scope.ts';
import { type ListState, readState, writeState } from './address.ts';
import type { FilterField, FilterValue } from './fields.ts';

export interface ListStateControl extends ListState {
  /** Changes part of the state; anything but the page itself goes back to page 1. */
  change: (part: Partial<ListState>) => void;
  setFilter: (key: string, value: unknown) => void;
  /** Back to the defaults. */
  reset: () => void;
  /** Without any filter, also without the defaults. */
  clear: () => void;
}

/** Filters, order and page of a list, kept in the address of its tab. */
export function useListState(fields: readonly FilterField[], defaults: FilterValue): ListStateControl {
  const { address, rewrite } = useTab();
  return useMemo(() => {
    const [path = '', query = ''] = address.split('?');
    const search = new URLSearchParams(query);
    const state = readState(search, fields, defaults);
    const change = (part: Partial<ListState>) => {
      const next = { ...state, page: 1, ...part };
      const text = writeState(search, next, fields, defaults).toString();
      rewrite(text ? `${path}?${text}` : path);
    };
    return {
      ...state,
      change,
      setFilter: (key, value) => change({ filter: { ...state.filter, [key]: value } }),
      reset: () => change({ filter: defaults, sort: undefined }),
      clear: () => change({ filter: {} }),
    };
  }, [address, rewrite, fields, defaults]);
}
