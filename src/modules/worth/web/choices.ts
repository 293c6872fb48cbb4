import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { warehouseChoices } from '#modules/warehouse/contract/base.ts';
import { worthChoices } from '../contract/worth.ts';

/** Choices of the filters; undefined until they are known. */
export function useWorthOptions() {
  const { data } = useCall(worthChoices, {}, { staleTime: 60_000 });
  const { data: warehouses } = useCall(warehouseChoices, {}, { staleTime: 60_000 });
  return useMemo(
    () => ({ ...data, warehouses: warehouses?.map(({ id, name }) => ({ value: id, label: name })) }),
    [data, warehouses],
  );
}
