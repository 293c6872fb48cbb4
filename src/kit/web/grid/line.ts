import type { RowData } from '../cells/Value.tsx';

/** What the grid holds per row: a record, the totals, or a placeholder while the first page is on its way. */
export interface Line<Row> {
  id: string;
  row: Row | null;
  totals?: RowData;
}

const PLACEHOLDERS = 12;

export function linesOf<Row>(rows: readonly Row[], idOf: (row: Row) => string): Line<Row>[] {
  return rows.map((row) => ({ id: idOf(row), row }));
}

export function placeholderLines<Row>(): Line<Row>[] {
  return Array.from({ length: PLACEHOLDERS }, (_, index) => ({ id: `placeholder ${index}`, row: null }));
}

/** Money columns in which both CNY and JPY occur: the same symbol, so the code must stand behind it. */
export function needsCode(rows: readonly RowData[], currency: (row: RowData) => string): boolean {
  const seen = new Set(rows.map(currency));
  return (seen.has('CNY') || seen.has('RMB')) && seen.has('JPY');
}
