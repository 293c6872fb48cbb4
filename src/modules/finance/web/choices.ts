import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { listAccounts, listCategories } from '../contract/accounts.ts';
import { type PartyChoice, partyChoices } from '../contract/payables.ts';

export interface Option {
  value: string;
  label: string;
}

/** Accounts in use, as choices of a form: name with currency. */
export function useAccountOptions(enabled = true): Option[] {
  const { data } = useCall(listAccounts, {}, { staleTime: 30_000, enabled });
  return useMemo(
    () =>
      (data ?? [])
        .filter((one) => !one.disabled)
        .map(({ id, name, currency }) => ({ value: id, label: `${name} · ${currency}` })),
    [data],
  );
}

/** Categories of a direction that are in use. */
export function useCategoryOptions(direction: 'IN' | 'OUT', enabled = true): Option[] {
  const { data } = useCall(listCategories, {}, { staleTime: 30_000, enabled });
  return useMemo(
    () =>
      (data ?? [])
        .filter((one) => !one.disabled && one.direction === direction)
        .map(({ id, name }) => ({ value: id, label: name })),
    [data, direction],
  );
}

/** Whom money can be paid to. */
export function useParties(): PartyChoice[] {
  return useCall(partyChoices, {}, { staleTime: 30_000 }).data ?? [];
}

/** Companies of the group that are in use, as choices of a form. */
export function useGroupOptions(): Option[] {
  const parties = useParties();
  return useMemo(
    () => parties.filter((one) => one.partner === 'GROUP').map(({ id, name }) => ({ value: id, label: name })),
    [parties],
  );
}
