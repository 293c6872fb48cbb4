import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { MARKETPLACES } from '#modules/marketplace/contract/marketplaces.ts';
import { salesOptions } from '../contract/fields.ts';

const NAMES = new Map(MARKETPLACES.map(({ country, name }) => [country, name]));
const named = (rows: readonly { id: string; name: string }[] | undefined) =>
  rows?.map(({ id, name }) => ({ value: id, label: name }));

/** What the filters of these screens offer; undefined while it loads. */
export function useSalesOptions() {
  const { data } = useCall(salesOptions, {}, { staleTime: 60_000 });
  return useMemo(
    () => ({
      shops: named(data?.shops),
      brands: named(data?.brands),
      categories: named(data?.categories),
      owners: named(data?.people),
      countries: data?.countries.map((code) => ({ value: code, label: NAMES.get(code) ?? code })),
    }),
    [data],
  );
}
