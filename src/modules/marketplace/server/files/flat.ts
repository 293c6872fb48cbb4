import { type ColumnSpec, cellAt, extraOf } from './headers.ts';
import { decimalCell, integerCell } from './numbers.ts';
import type { FileFacts, FileReader } from './reader.ts';
import { FileRefused } from './refusal.ts';
import { dateMemory, reportReader } from './report.ts';

/** What a cell holds and becomes: see `Cell`. */
export type CellKind = 'text' | 'need' | 'int' | 'count' | 'decimal' | 'instant' | 'day';

/** One column of a flat report: its field, its kind, Amazon's name and other spellings of it. */
export interface FlatColumn {
  kind: CellKind;
  name: string;
  /** A file without it is refused. */
  required?: boolean;
  aliases?: readonly string[];
}

/**
 * text: trimmed, '' when blank; need: the same, but a blank one spoils the row; int: whole number or null; count: whole
 * number, 0 when blank; decimal: canonical decimal text or null; instant: ISO (UTC) or null; day: as written, or null.
 */
type Cell<K extends CellKind> = K extends 'text' | 'need'
  ? string
  : K extends 'count'
    ? number
    : K extends 'int'
      ? number | null
      : string | null;

/** A row as read. A row with a `problem` could not be read; its other fields then mean nothing. */
export type FlatRow<C extends Record<string, FlatColumn>> = { [F in keyof C]: Cell<C[F]['kind']> } & {
  lineNo: number;
  /** Why the row cannot be taken over, in Chinese; undefined for a good one. */
  problem: string | undefined;
  extra?: Record<string, string>;
};

export interface FlatSpec<C extends Record<string, FlatColumn>> {
  type: string;
  title: string;
  columns: C;
  /** Field with the currency of the row's amounts. */
  currency?: keyof C & string;
  /** Columns that the report is known to have and nobody reads: neither news to the user nor kept anywhere. */
  ignored?: readonly string[];
}

type Read = (text: string, line: number) => string | number | null;

/** One column's way from text to value. @throws FileRefused for what does not fit, with line and column */
/** Amazon writes two dashes where it cannot tell a figure. */
const told = (text: string): string => (text.trim() === '--' ? '' : text);

function readerFor({ kind, name }: FlatColumn, facts: FileFacts, date: ReturnType<typeof dateMemory>): Read {
  const place = (line: number) => ({ line, column: name });
  switch (kind) {
    case 'int':
    case 'count': {
      const blank = kind === 'count' ? 0 : null;
      return (text, line) => {
        const value = integerCell(told(text), facts.decimal, place(line));
        return value === null ? blank : Number(value);
      };
    }
    case 'decimal':
      return (text, line) => decimalCell(told(text), facts.decimal, place(line));
    case 'instant':
      return (text, line) => date(text, place(line))?.instant ?? null;
    case 'day':
      return (text, line) => date(text, place(line))?.day ?? null;
    case 'need':
      return (text, line) => {
        if (text.trim() === '') throw new FileRefused('VALUE', '不能为空', place(line));
        return text.trim();
      };
    case 'text':
      return (text) => text.trim();
  }
}

/**
 * A reader of a flat report from the list of its columns. The file as a whole is refused as by every reader (damaged,
 * foreign, contradictory); a row with a bad cell is handed out with its problem, so that one row does not hold up the rest.
 */
export function flatReader<const C extends Record<string, FlatColumn>>(spec: FlatSpec<C>): FileReader<FlatRow<C>> {
  const columns = Object.values(spec.columns);
  const names = (kinds: readonly CellKind[]) =>
    columns.filter(({ kind }) => kinds.includes(kind)).map(({ name }) => name);
  const currency = spec.currency === undefined ? undefined : spec.columns[spec.currency]?.name;
  const reader = reportReader<string, FlatRow<C>, object>({
    type: spec.type,
    title: spec.title,
    columns: [...columns, ...(spec.ignored ?? []).map((name) => ({ name }))] satisfies readonly ColumnSpec<string>[],
    amounts: names(['decimal']),
    dates: names(['instant', 'day']),
    ...(currency === undefined ? {} : { currency }),
    convert: ({ index, extra }, facts) => {
      const date = dateMemory(facts);
      const fields = Object.entries(spec.columns).map(([field, column]) => ({
        field,
        at: index[column.name] ?? -1,
        read: readerFor(column, facts, date),
      }));
      return {
        row({ cells, line }, out) {
          const row: Record<string, unknown> = { lineNo: line, problem: undefined };
          for (const { field, at, read } of fields) {
            try {
              row[field] = read(cellAt(cells, at), line);
            } catch (error) {
              if (!(error instanceof FileRefused)) throw error;
              row.problem ??= error.message;
            }
          }
          const more = extra.length > 0 ? extraOf(cells, extra) : undefined;
          if (more) row.extra = more;
          out.push(row as FlatRow<C>);
        },
      };
    },
  });
  return { ...reader, ignored: spec.ignored ?? [] };
}
