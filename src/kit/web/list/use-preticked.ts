import { type RefObject, useEffect, useRef } from 'react';
import type { GridHandle } from '../grid/DataGrid.tsx';

/** Ticks the rows that `test` chooses as soon as they are shown for the first time, and never again. */
export function usePreticked<Row>(
  grid: RefObject<GridHandle | null>,
  rows: readonly Row[] | undefined,
  rowId: (row: Row) => string,
  test: ((row: Row) => boolean) | undefined,
): void {
  const seen = useRef(new Set<string>());
  useEffect(() => {
    if (!test || !rows) return;
    const fresh = rows.filter((row) => !seen.current.has(rowId(row)));
    for (const row of fresh) seen.current.add(rowId(row));
    grid.current?.tick(fresh.filter(test).map(rowId));
  }, [grid, rows, rowId, test]);
}
