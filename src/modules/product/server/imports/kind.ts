import type { RawBuilder } from 'kysely';
import type { Column } from '#kit/contract/columns.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { TableProblem } from '../../contract/imports.ts';
import type { ImportColumn } from './columns.ts';

/** A row that the tables refuse: SQL answers such rows from the temporary table `import_row`. */
export interface Refused {
  line: number;
  field: string;
  reason: string;
  suggestion: string;
}

/** What the file carries beside its cells. It is read while the rows stand in `import_row`. */
export interface Attachments {
  /** What is wrong with it, and what writing it will do, in a few words that follow the number of rows. */
  check: (ctx: Ctx, file: Buffer) => Promise<{ problems: TableProblem[]; summary: string }>;
  /** Writes it after the rows; answers how many things are new. */
  write: (ctx: Ctx, file: Buffer) => Promise<number>;
}

/**
 * A table that can be imported. Its rows stand in the temporary table `import_row` (line_no and one text column for each
 * of `columns`, empty cells NULL) while it is checked and written.
 */
export interface ImportDef {
  title: string;
  columns: readonly ImportColumn[];
  /** SELECT of refused rows: line, field, reason, suggestion. */
  problems: (ctx: Ctx) => RawBuilder<Refused>;
  /** Writes all rows by one statement per table; answers how many rows of the tables changed. */
  write: (ctx: Ctx) => Promise<number>;
  /** Pictures and the like of a workbook; a text file has none. */
  attachments?: Attachments;
  /** What stands in the tables now, in the columns of the import. */
  current: (ctx: Ctx) => AsyncIterable<object>;
  /** Permission that writing needs beside that of importing. */
  permission?: string;
  /** Permission that the file of what stands now needs beside that of importing. */
  viewPermission?: string;
  /** A column that nobody may read in the database: its cells are sealed while the rows wait, and the file is not kept. */
  secret?: string;
}

/** The columns of an export that the import reads back. */
export function sheetColumns(columns: readonly ImportColumn[]): Column[] {
  return columns.map(({ key, title }) => ({ key, title, kind: 'text', nullable: true }));
}
