import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { readOrganisation } from '../contract/config.ts';
import type { Names } from '../contract/words.ts';

/** Names of everybody and everything that a flow can name. */
export function useNames(): Names {
  const { data } = useCall(readOrganisation, {}, { staleTime: 60_000 });
  return useMemo(
    () =>
      new Map(
        [...(data?.members ?? []), ...(data?.roles ?? []), ...(data?.departments ?? [])].map(({ id, name }) => [
          id,
          name,
        ]),
      ),
    [data],
  );
}
