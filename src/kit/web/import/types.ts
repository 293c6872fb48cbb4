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
  /** Name of the cell for corrections; without it only another file helps. */
  field?: string | null | undefined;
  /** A value that would be taken as it is: 「采用建议」. */
  fix?: string | null | undefined;
}

/** What the user put right in one line, sent with the file at the next check: cells by field, or the line left out. */
export interface ImportCorrection {
  line: number;
  values: Record<string, string>;
  drop: boolean;
}

/** First rows as they would be written, cells in words. */
export interface ImportPreview {
  titles: readonly string[];
  rows: readonly (readonly string[])[];
}

/** What the check of a file found; nothing has been written yet. */
export interface ImportCheck {
  fileName: string;
  /** Rows in the file, and those that would be written. */
  total: number;
  ok: number;
  /** Lines that corrections left out; they are not among `total`. */
  dropped?: number | undefined;
  /** Errors and warnings; at most the first few hundred, `problemCount` says how many there are. */
  problems: readonly ImportProblem[];
  problemCount?: number | undefined;
  preview?: ImportPreview | undefined;
  /** What writing will do: 「218 行合成 34 张采购单草稿」. */
  summary?: string | null | undefined;
}

/** Rows that stop the whole file. */
export function errorCount(check: ImportCheck): number {
  const rows = new Set(check.problems.filter((problem) => problem.level === 'error').map((problem) => problem.line));
  return Math.max(rows.size, check.total - check.ok - warningCount(check));
}

/** Rows that may be written after somebody has confirmed them; they are not counted as `ok`. */
export function warningCount(check: ImportCheck): number {
  return new Set(check.problems.filter((problem) => problem.level === 'warning').map((problem) => problem.line)).size;
}

/** Adds what was put right in one cell; the line is written again. */
export function correctCell(
  corrections: readonly ImportCorrection[],
  line: number,
  field: string,
  value: string,
): ImportCorrection[] {
  const old = corrections.find((one) => one.line === line);
  const next = { line, values: { ...old?.values, [field]: value }, drop: false };
  return [...corrections.filter((one) => one.line !== line), next].sort((a, b) => a.line - b.line);
}

/** Leaves a line out of the import. */
export function dropLine(corrections: readonly ImportCorrection[], line: number): ImportCorrection[] {
  const next = { line, values: {}, drop: true };
  return [...corrections.filter((one) => one.line !== line), next].sort((a, b) => a.line - b.line);
}

/** Takes back what was put right in one cell, or the leaving out of its line. */
export function undoCell(corrections: readonly ImportCorrection[], line: number, field: string): ImportCorrection[] {
  return corrections.flatMap((one) => {
    if (one.line !== line) return [one];
    const { [field]: _, ...values } = one.values;
    return one.drop || Object.keys(values).length === 0 ? [] : [{ ...one, values }];
  });
}

/** Rows with a column of reasons as CSV, with a mark so that spreadsheets read it as UTF-8. */
export function problemsCsv(check: ImportCheck): string {
  const cell = (text: string) => {
    // A cell that begins like a formula would be worked out by the spreadsheet.
    const safe = /^[=+\-@\t]/.test(text) ? `'${text}` : text;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  const rows = check.problems.map((one) => [
    String(one.line),
    one.key ?? '',
    one.column ?? '',
    one.value ?? '',
    one.message,
    one.suggestion ?? '',
  ]);
  const lines = [['行号', '记录', '列', '当前值', '问题', '建议'], ...rows].map((row) => row.map(cell).join(','));
  return `\ufeff${lines.join('\r\n')}\r\n`;
}
