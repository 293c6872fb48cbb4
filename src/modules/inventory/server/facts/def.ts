import type { Ctx } from '#kit/server/context.ts';
import type { CopyValue } from '#kit/server/db/copy.ts';
import type { FileReader } from '#modules/marketplace/server/index.ts';

/** What every row of a flat report has. */
export interface ReportRow {
  lineNo: number;
  problem: string | undefined;
}

/** One column of a fact table and where its value comes from. */
export interface FactColumn<Row> {
  name: string;
  type: 'text' | 'int' | 'timestamptz' | 'numeric' | 'date' | 'jsonb';
  of: (row: Row) => CopyValue;
  /** Part of the natural key. */
  key?: boolean;
}

/** How one report becomes rows of one table. */
export interface FactDef<Row extends ReportRow> {
  reader: FileReader<Row>;
  /** "inventory.ledger_event"; written by the program. */
  table: string;
  columns: readonly FactColumn<Row>[];
  /**
   * period: the file is all there is to say about the business days that were asked for; file: about the days that it
   * names; rows: each row stands for itself, and the one with the later `newer` wins.
   */
  mode: 'period' | 'file' | 'rows';
  /** Column that says which of two versions of a row is newer; 'rows' only. */
  newer?: string;
  /** Business day of a row in a zone; 'present' for reports that show how things are now. */
  day: 'present' | ((row: Row, zone: string) => string | null);
  /**
   * What one file is all there is to say about: the stock that marketplaces share (where left out), one marketplace, or the
   * account in all its marketplaces.
   */
  about?: 'stock' | 'site' | 'account';
  /** Country that the row names, as Amazon spells it. */
  country?: (row: Row) => string;
  /**
   * Whether the row names one single happening. Such a row that is there twice, the same in every column, was told twice
   * and counts once; one without a name of its own may well have happened twice. Decided by columns of the key alone.
   */
  isNamed: (row: Row) => boolean;
  /** Why a row that was read cannot be taken over, in Chinese. */
  problem?: (row: Row) => string | undefined;
  /** How the first order of day and month is guessed where no row proves one. */
  dayOrder?: 'month-first' | 'day-first';
  /** The report names labels (FNSKU) only: the SKU is that of the label, where the stock knows exactly one. */
  byLabel?: boolean;
  /** Pieces of a row, summed up in the check of an upload. */
  pieces: (row: Row) => number;
  /** Tells whoever reckons with the rows that those of an account have changed, on some of these business days. */
  changed?: (ctx: Ctx, accountId: string, days: { from: string; to: string }) => Promise<void>;
}

/** Row type of a reader. */
export type RowOf<Reader> = Reader extends { read: (...args: never[]) => { rows: AsyncIterable<(infer Row)[]> } }
  ? Row
  : never;
