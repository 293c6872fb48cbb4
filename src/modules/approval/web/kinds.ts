import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { type KindView, readKinds, readOrganisation } from '../contract/config.ts';

/** Kinds of documents that flows can approve. */
export function useKinds(): readonly KindView[] | undefined {
  return useCall(readKinds, {}, { staleTime: 60_000 }).data;
}

/** The same as choices of a select; everybody may know them. */
export function useKindOptions(): { value: string; label: string }[] {
  const { data } = useCall(readOrganisation, {}, { staleTime: 60_000 });
  return useMemo(() => (data?.kinds ?? []).map(({ id, name }) => ({ value: id, label: name })), [data]);
}
