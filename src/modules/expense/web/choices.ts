import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { departmentOptions } from '#modules/identity/contract/departments.ts';
import { expenseTypes } from '../contract/calls.ts';

export interface Option {
  value: string;
  label: string;
}

/** Choices of 费用类型; `all` has those that were stopped, too. */
export function useTypeOptions(all = false): Option[] {
  const { data } = useCall(expenseTypes, {}, { staleTime: 60_000 });
  return useMemo(
    () => (data ?? []).filter(({ active }) => all || active).map(({ name }) => ({ value: name, label: name })),
    [data, all],
  );
}

/** Departments of the company, as choices of a form. */
export function useDepartmentOptions(): Option[] {
  const { data } = useCall(departmentOptions, {}, { staleTime: 60_000 });
  return useMemo(() => (data ?? []).map(({ id, name }) => ({ value: id, label: name })), [data]);
}
