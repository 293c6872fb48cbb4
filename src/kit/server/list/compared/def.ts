import type { RawBuilder, SelectQueryBuilder } from 'kysely';
import type { z } from 'zod';
import type { Comparison } from '../../../contract/compare.ts';
import type { Periods } from './periods.ts';

/** Something that is added up over a period: whole pieces, amounts by currency, or other decimals. */
export interface ComparedMeasure {
  /** SQL over the facts `f`, written by the program. */
  of: string;
  kind: 'integer' | 'money' | 'decimal';
}

/** A figure of a row; null where nothing was told. */
export type Figures = Record<string, string | number | null>;

/** What the database says of a product: its keys, and each measure, ratio and change of both periods. */
export interface ComparedDbRow {
  account_id: string;
  marketplace_id: string;
  currency: string;
  [column: string]: string | number | null;
}

/** A report by product (or whatever its rows stand for), a period held against another one. */
export interface ComparedList {
  title: string;
  resource: string;
  row: z.ZodObject;
  /** SELECT of rows with account_id, marketplace_id, currency, day and the columns of `by` and of the measures. */
  facts: RawBuilder<unknown>;
  /**
   * SELECT of (account_id, marketplace_id, day): what the source has told at all, so that zero is told from unknown; a
   * marketplace that is null stands for all of the account. Every site of a page is looked for by itself.
   */
  told: RawBuilder<unknown>;
  /** Columns that a row stands for, beside its account, marketplace and currency. */
  by: readonly string[];
  /** Columns that a row only shows: the last of its facts by the alphabet. */
  shown?: readonly string[];
  measures: Readonly<Record<string, ComparedMeasure>>;
  /** Ratios of two sums, by the names of the measures. */
  ratios?: Readonly<Record<string, readonly [over: string, under: string]>>;
  /** Distance of the points of its chart. */
  step: 'day' | 'month';
  /** Measures and ratios that the chart shows. */
  charted: readonly string[];
  /** What a page is ordered by: a measure, the largest first. */
  first: string;
  /**
   * Instead of the facts, where something keeps sums of them: SELECT of the row's columns with "<measure>" and
   * "<measure>Before", null where a part is of the other period. All parts of a row are added up.
   */
  parts?: (periods: Periods) => RawBuilder<unknown>;
  /** The same for the chart: SELECT of currency, day and "<measure>". */
  points?: (periods: Periods) => RawBuilder<unknown>;
  /** Column that a sort by product means. */
  product: string;
  /** Adds what rows only show to the rows of a page, under the alias `f`. */
  around?: (rows: SelectQueryBuilder<never, never, ComparedDbRow>) => SelectQueryBuilder<never, never, ComparedDbRow>;
  /** What a row shows beside its id, figures and currency. */
  show: (row: ComparedDbRow) => Record<string, unknown>;
}

export interface ComparedFilter {
  dates?: { from?: string | undefined; to?: string | undefined } | undefined;
  compare?: Comparison | undefined;
}

export const SIDES = ['', 'Before'] as const;

/** Names of both sides and the change of every measure and ratio that the contract's row has. */
export function fieldsOf({ measures, ratios = {}, row }: Pick<ComparedList, 'measures' | 'ratios' | 'row'>): string[] {
  return [...Object.keys(measures), ...Object.keys(ratios)]
    .flatMap((name) => [name, `${name}Before`, `${name}Change`])
    .filter((name) => name in row.shape);
}
