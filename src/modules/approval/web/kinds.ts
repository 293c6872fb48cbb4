import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { type KindView, readKinds } from '../contract/config.ts';

/** Kinds of documents that flows can approve. */
export function useKinds(): readonly KindView[] | undefined {
  return useCall(readKinds, {}, { staleTime: 60_000 }).data;
}

/** The same as choices of a select. */
export function useKindOptions(): { value: string; label: string }[] {
  const kinds = useKinds();
  return useMemo(() => (kinds ?? []).map(({ docType, title }) => ({ value: docType, label: title })), [kinds]);
}
