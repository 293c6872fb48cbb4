/** What of a subject a line takes: debits less credits, credits less debits, or of these what is more than nothing. */
export type Take = 'debit' | 'credit' | 'debit-side' | 'credit-side';

export interface Rule {
  /** Leaves whose code begins with it. */
  prefix: string;
  take: Take;
  /** Only leaves whose name has this word: what the chart of the standard has no code for. */
  word?: string;
}

/** A line of a statement: a heading, what rules take of subjects, or a sum of other lines. */
export interface LineDef {
  /** Its number in the standard; null for headings. */
  no: number | null;
  title: string;
  indent: number;
  side: 'left' | 'right';
  rules: readonly Rule[];
  /** Numbers of the lines that are added; one below 0 is taken off. */
  sum: readonly number[];
}

/** The same take of many prefixes, parted by blanks. */
export const take = (what: Take, prefixes: string): Rule[] =>
  prefixes.split(' ').map((prefix) => ({ prefix, take: what }));

/** What subjects with a word in their name, below a prefix, come to. */
export const named = (what: Take, prefix: string, word: string): Rule[] => [{ prefix, take: what, word }];

type Side = LineDef['side'];

/** A heading, which has no amount. */
export const heading = (title: string, side: Side = 'left'): LineDef => ({
  no: null,
  title,
  indent: 0,
  side,
  rules: [],
  sum: [],
});

/** A line that takes of subjects. */
export const line = (no: number, title: string, rules: readonly Rule[], indent = 1, side: Side = 'left'): LineDef => ({
  no,
  title,
  indent,
  side,
  rules,
  sum: [],
});

/** A line that adds up others. */
export const total = (no: number, title: string, sum: readonly number[], side: Side = 'left'): LineDef => ({
  no,
  title,
  indent: 0,
  side,
  rules: [],
  sum,
});
