import type { ReactNode } from 'react';
import type { z } from 'zod';
import { type Column, columnsOf } from '../../contract/columns.ts';
import type { FieldKind } from '../../contract/field.ts';
import type { RowData } from '../cells/Value.tsx';
import { allows } from '../session.ts';

/** What a screen may change about a column that its row schema declares, or say of one that it adds. */
export interface ColumnOverride<Row> {
  title?: string;
  width?: number;
  /** Draws the cell instead of the standard one of its kind. */
  render?: (row: Row) => ReactNode;
  /** Draws the cell of the totals row; the standard cell where the totals hold the field. */
  total?: (totals: RowData) => ReactNode;
  /** Text for copying, where the cell is drawn by the screen. */
  text?: (row: Row) => string;
  kind?: FieldKind;
  tip?: string;
  group?: string;
  pinned?: 'left' | 'right';
  optional?: boolean;
  align?: 'left' | 'right' | 'center';
}

export type ColumnOverrides<Row> = Partial<Record<Extract<keyof Row, string>, ColumnOverride<Row>>>;

export interface GridColumn<Row> extends Column {
  render?: ((row: Row) => ReactNode) | undefined;
  total?: ((totals: RowData) => ReactNode) | undefined;
  text?: ((row: Row) => string) | undefined;
  align: 'left' | 'right' | 'center';
  /** Width in px unless the user set another. */
  own: number;
}

const WIDTHS: Record<FieldKind, number> = {
  text: 160,
  code: 180,
  integer: 88,
  money: 132,
  rate: 96,
  percent: 92,
  instant: 128,
  date: 100,
  month: 100,
  state: 100,
  choice: 100,
  boolean: 72,
  product: 264,
  store: 140,
  person: 116,
  image: 64,
};

const RIGHT: readonly FieldKind[] = ['integer', 'money', 'rate', 'percent'];

/**
 * The columns of a grid: every titled field of the row that is not hidden and that the user may see, in the order of
 * the schema, with the screen's overrides.
 */
export function gridColumns<R extends z.ZodObject>(
  row: R,
  overrides: ColumnOverrides<z.output<R>> = {},
  permissions?: ReadonlySet<string>,
): GridColumn<z.output<R>>[] {
  const changes = overrides as Record<string, ColumnOverride<z.output<R>> | undefined>;
  return columnsOf(row)
    .filter((column) => !column.hidden && (column.permission === undefined || allows(permissions, column.permission)))
    .map((column) => {
      const change = changes[column.key];
      const kind = change?.kind ?? column.kind;
      const merged = { ...column, ...change, kind };
      return {
        ...merged,
        align: change?.align ?? (RIGHT.includes(kind) ? 'right' : 'left'),
        own: change?.width ?? column.width ?? WIDTHS[kind],
      };
    });
}
