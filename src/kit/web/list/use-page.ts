import { keepPreviousData, type UseQueryResult, useQuery, useQueryClient } from '@tanstack/react-query';
import { useId } from 'react';
import type { EndpointDef } from '../../contract/endpoint.ts';
import type { PageOf, PageRequest } from '../../contract/page.ts';
import { call } from '../api/call.ts';
import { cacheKey } from '../api/hooks.ts';
import type { ListState } from './address.ts';
import type { FilterValue } from './fields.ts';

/** Body of a list call for a state. */
export function pageRequest(state: ListState): PageRequest<FilterValue> {
  return {
    currentpage: state.page,
    pagesize: state.size,
    ...(state.sort ? { sort: state.sort.key, order: state.sort.order } : {}),
    loadType: 'refreshTable',
    filter: state.filter,
  };
}

/** Rows of a list; the former ones stay until the next ones are here. Not before it is `ready`. */
export function usePage<Row>(
  endpoint: EndpointDef,
  state: ListState,
  ready = true,
): UseQueryResult<PageOf<Row>> & { refresh: () => Promise<unknown> } {
  const scope = useId();
  const client = useQueryClient();
  const body = pageRequest(state);
  const query = useQuery({
    queryKey: cacheKey(endpoint, { body }),
    queryFn: async ({ signal }) => {
      const reply = await call(endpoint, { body }, { signal, scope, quiet: true });
      return reply as PageOf<Row>;
    },
    enabled: ready,
    placeholderData: keepPreviousData,
  });
  return {
    ...query,
    refresh: () => client.invalidateQueries({ queryKey: cacheKey(endpoint) }).then(() => query.refetch()),
  };
}

/** Numbers by state for the tabs: the same filters without the state itself. */
export function useCounts(
  endpoint: EndpointDef | undefined,
  filter: FilterValue,
  field: string | undefined,
  ready = true,
): Record<string, number> | undefined {
  const scope = useId();
  const rest = Object.fromEntries(Object.entries(filter).filter(([key]) => key !== field));
  const { data } = useQuery({
    queryKey: endpoint ? cacheKey(endpoint, { body: { filter: rest } }) : ['no counts'],
    queryFn: async ({ signal }) => {
      if (!endpoint) return {};
      const reply = await call(endpoint, { body: { filter: rest } }, { signal, scope, quiet: true });
      return reply as Record<string, number>;
    },
    enabled: ready && endpoint !== undefined,
    placeholderData: keepPreviousData,
  });
  return endpoint ? data : undefined;
}
