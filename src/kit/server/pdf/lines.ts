import dayjs from 'dayjs';
import type { z } from 'zod';
import { type Column, columnsOf } from '#kit/contract/columns.ts';
import { formatExactMoney, formatInteger, formatPercent } from '#kit/contract/format.ts';
import type { PrintColumn } from './sheet.ts';

const RIGHT = new Set(['integer', 'money', 'rate', 'percent']);
/** Pixels of a column on the screen when its field names none. */
const WIDTH = 100;

function printed(column: Column, row: Record<string, unknown>): string {
  const value = row[column.key];
  if (value === null || value === undefined) return '';
  const text = String(value);
  if (column.states) return column.states[text]?.title ?? text;
  if (column.kind === 'money') return formatExactMoney(text, String(row[column.currency ?? ''] ?? 'CNY'));
  if (column.kind === 'integer') return formatInteger(text);
  if (column.kind === 'percent') return formatPercent(text);
  if (column.kind === 'instant') return dayjs(text).format('YYYY-MM-DD HH:mm');
  return text;
}

/**
 * The columns and cells of a sheet from the fields of a row's contract, in the order of `keys`, after a running number.
 * A field that the caller may not see is not printed: leave its key out.
 */
export function printLines<S extends z.ZodObject>(
  row: S,
  keys: readonly (keyof z.infer<S> & string)[],
  rows: readonly z.infer<S>[],
): { columns: PrintColumn[]; rows: string[][] } {
  const known = new Map(columnsOf(row).map((column) => [column.key, column]));
  const columns = keys.flatMap((key) => known.get(key) ?? []);
  return {
    columns: [
      { title: '#', share: 30, right: true },
      ...columns.map((column) => ({
        title: column.title,
        share: column.width ?? WIDTH,
        right: RIGHT.has(column.kind),
      })),
    ],
    rows: rows.map((line, index) => [
      String(index + 1),
      ...columns.map((column) => printed(column, line as Record<string, unknown>)),
    ]),
  };
}
