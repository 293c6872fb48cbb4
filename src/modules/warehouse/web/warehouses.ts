import { useCall } from '#kit/web/api/index.ts';
import { warehouseChoices } from '../contract/base.ts';

/** Warehouses in use as choices of a filter or a form; undefined until they are known. */
export function useWarehouseOptions(): { value: string; label: string }[] | undefined {
  const { data } = useCall(warehouseChoices, {}, { staleTime: 60_000 });
  return data?.map(({ id, name }) => ({ value: id, label: name }));
}
