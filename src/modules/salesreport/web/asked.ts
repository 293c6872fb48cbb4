import { useMemo } from 'react';
import type { z } from 'zod';
import { useCall } from '#kit/web/api/index.ts';
import { type FilterOption, type FilterValue, filterFields, readState } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { useSiteOptions } from '#modules/listing/web/index.ts';
import { AMOUNTS } from '#modules/order/contract/orders.ts';
import { salesOptions } from '../contract/details.ts';
import { AMOUNT_MEASURES, MEASURE_TITLES, Measure } from '../contract/fields.ts';

type Options = Readonly<Record<string, readonly FilterOption[] | undefined>>;

/** Choices of the filters that only the server knows, and measures that the caller may see. */
export function useSalesOptions(): Options {
  const sites = useSiteOptions();
  const { data } = useCall(salesOptions, {}, { staleTime: 60_000 });
  const amounts = useAllowed(AMOUNTS);
  return useMemo(() => {
    const listed = (rows: readonly { id: string; name: string }[] | undefined) =>
      (rows ?? []).map(({ id, name }) => ({ value: id, label: name }));
    const measures = Measure.options.filter((measure) => amounts || !AMOUNT_MEASURES.includes(measure));
    return {
      measure: measures.map((value) => ({ value, label: MEASURE_TITLES[value] })),
      sites: sites ?? [],
      owners: listed(data?.owners),
      brands: listed(data?.brands),
      categories: listed(data?.categories),
    };
  }, [sites, data, amounts]);
}

/** The filter that a list's address holds: what stands beside the list has to know it before the list has drawn anything. */
export function useAsked(filter: z.ZodObject, options: Options, defaults: FilterValue): FilterValue {
  const { address } = useTab();
  return useMemo(() => {
    const [, query = ''] = address.split('?');
    return readState(new URLSearchParams(query), filterFields(filter, options), defaults).filter;
  }, [address, filter, options, defaults]);
}
