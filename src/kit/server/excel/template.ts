import { FileReply } from '../http/serve.ts';
import { exportStream, MEDIA_TYPES } from '../list/export.ts';
import { plainHeading } from './headings.ts';

/** A column of a sheet that people fill in: its heading, with an asterisk where it must be there, and what others call it. */
export interface SheetColumn {
  title: string;
  also: readonly string[];
}

export interface SheetRow<K extends string> {
  /** As the user counts it: the heading is line 1. */
  line: number;
  cells: Record<K, string>;
}

interface Template<K extends string> {
  /** Name of the file without its ending, and of the sheet in it. */
  file: string;
  sheet: string;
  columns: Readonly<Record<K, SheetColumn>>;
  /** The row of the template that says what goes where; whoever left it in does not mean it. */
  sample: Readonly<Record<K, string>>;
  /** The column by which that row is known again. */
  mark: K;
}

/** A sheet with known headings: how it is given out empty, and how a filled one is read. */
export interface SheetTemplate<K extends string> {
  /** Heading of a column without its asterisk, as problems name it. */
  titleOf: (key: K) => string;
  /** A sheet with the headings and the sample row. */
  templateFile: () => FileReply;
  /** Rows by column, those that are empty or the template's left out; and the columns that are missing. */
  rowsOf: (table: readonly (readonly string[])[]) => { rows: SheetRow<K>[]; missing: string[] };
}

/** Says how a sheet looks that people fill in and send back. */
export function sheetTemplate<const K extends string>(template: Template<K>): SheetTemplate<K> {
  const { file, sheet, columns, sample, mark } = template;
  const keys = Object.keys(columns) as K[];
  const titleOf = (key: K): string => columns[key].title.replace('*', '');
  return {
    titleOf,
    templateFile: () => {
      const shown = keys.map((key) => ({ key, title: columns[key].title, kind: 'text' as const, nullable: true }));
      const rows = (async function* (): AsyncGenerator<object> {
        yield sample;
      })();
      return new FileReply(
        `${file}.xlsx`,
        MEDIA_TYPES.xlsx,
        exportStream(rows, { format: 'xlsx', sheet, columns: shown }),
      );
    },
    rowsOf: (table) => {
      const heads = (table[0] ?? []).map(plainHeading);
      const places = new Map(
        keys.map((key) => {
          const { title, also } = columns[key];
          const names = [title, ...also].map(plainHeading);
          return [key, heads.findIndex((head) => names.includes(head))] as const;
        }),
      );
      const missing = keys
        .filter((key) => columns[key].title.endsWith('*') && (places.get(key) ?? -1) < 0)
        .map(titleOf);
      const rows = table.slice(1).map((row, index) => ({
        line: index + 2,
        cells: Object.fromEntries(keys.map((key) => [key, (row[places.get(key) ?? -1] ?? '').trim()])) as Record<
          K,
          string
        >,
      }));
      const filled = rows.filter(({ cells }) => keys.some((key) => cells[key] !== '') && cells[mark] !== sample[mark]);
      return { rows: filled, missing };
    },
  };
}
