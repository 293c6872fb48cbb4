import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { selectTags } from '#modules/system/contract/tags.ts';
import { productOptions } from '../contract/catalogue.ts';

export interface Option {
  value: string;
  label: string;
}

const listed = (rows: readonly { id: string; name: string }[] | undefined): Option[] | undefined =>
  rows?.map(({ id, name }) => ({ value: id, label: name }));

/** What filters and forms of products offer; undefined while it loads. */
export function useProductOptions() {
  const { data } = useCall(productOptions, {}, { staleTime: 60_000 });
  const tags = useCall(selectTags, {}, { staleTime: 60_000 }).data;
  return useMemo(
    () => ({
      brands: listed(data?.brands),
      categories: listed(data?.categories),
      models: listed(data?.models),
      people: listed(data?.people),
      suppliers: listed(data?.suppliers),
      tags: listed(tags),
    }),
    [data, tags],
  );
}
