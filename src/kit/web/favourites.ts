import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import { usePorts } from './ports.ts';

const KEY = ['favourites'];
const NONE: readonly string[] = [];

/** Paths of the screens that the user starred, in the order of starring; `toggle` shows at once and is kept after. */
export function useFavourites() {
  const { favourites: port } = usePorts();
  const client = useQueryClient();
  const { data: favourites = NONE } = useQuery<readonly string[]>({
    queryKey: KEY,
    queryFn: ({ signal }) => port.load(signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const toggle = useCallback(
    (path: string) => {
      const before = client.getQueryData<readonly string[]>(KEY) ?? NONE;
      const starred = before.includes(path);
      const keep = (paths: readonly string[]) => client.setQueryData<readonly string[]>(KEY, paths);
      keep(starred ? before.filter((each) => each !== path) : [...before, path]);
      (starred ? port.remove(path) : port.add(path)).then(keep, () => keep(before));
    },
    [port, client],
  );
  return { favourites, toggle };
}
