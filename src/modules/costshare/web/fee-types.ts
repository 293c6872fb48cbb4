import { useCall } from '#kit/web/api/index.ts';
import { listFeeTypes } from '../contract/calls.ts';

/** Choices of 费用类型; `all` has those that were stopped, too. */
export function useTypeOptions(all = false): { value: string; label: string }[] {
  const { data = [] } = useCall(listFeeTypes, {}, { staleTime: 60_000 });
  return data.filter(({ active }) => all || active).map(({ name }) => ({ value: name, label: name }));
}
