import { useCallback, useState } from 'react';
import type { Density } from '../cells/Value.tsx';

/** Row height of a list, kept by this browser. */
export function useDensity(name: string, initial: Density): [Density, (density: Density) => void] {
  const key = `rowHeight:${name}`;
  const [density, setDensity] = useState<Density>(() => {
    const saved = localStorage.getItem(key);
    return saved === 'dense' || saved === 'two' || saved === 'picture' ? saved : initial;
  });
  const change = useCallback(
    (next: Density) => {
      localStorage.setItem(key, next);
      setDensity(next);
    },
    [key],
  );
  return [density, change];
}
