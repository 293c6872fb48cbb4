/** One row of an import file that cannot be written, or that somebody must look at. */
export interface ImportProblem {
  /** Line in the file as the user counts it. */
  line: number;
  level: 'error' | 'warning';
  /** Reason in Chinese: 「数量必须为正整数」. */
  message: string;
  /** What tells the row from others: SKU, number. */
  key?: string | null | undefined;
  column?: string | null | undefined;
  value?: string | null | undefined;
  suggestion?: string | null | undefined;
}

/** What the check of a file found; nothing has been written yet. */
export interface ImportCheck {
  fileName: string;
  /** Rows in the file, and those that would be written. */
  total: number;
  ok: number;
  /** Errors and warnings; at most the first few hundred, `problemCount` says how many there are. */
  problems: readonly ImportProblem[];
  problemCount?: number | undefined;
  /** What writing will do: 「218 行合成 34 张采购单草稿」. */
  summary?: string | null | undefined;
}

/** Rows that stop the whole file. */
export function errorCount(check: ImportCheck): number {
  return Math.max(
    check.problems.filter((problem) => problem.level === 'error').length,
    check.total - check.ok - warningCount(check),
  );
}

/** Rows that may be written after somebody has confirmed them; they are not counted as `ok`. */
export function warningCount(check: ImportCheck): number {
  return new Set(check.problems.filter((problem) => problem.level === 'warning').map((problem) => problem.line)).size;
}
