import type { ImportCheck, ImportProblem } from './types.ts';

/** What a call answers that checks a file: its rows, and the cells that stop it. */
interface Found {
  rows: number;
  problems: readonly (Pick<ImportProblem, 'line' | 'key' | 'column' | 'value'> & { reason: string })[];
}

/** What the dialog shows of a file, and the file that is sent again to be written. */
export interface FileCheck extends ImportCheck {
  file: File;
}

/** A check by the server as the dialog shows it: every problem stops its row. `summary` is what writing will do. */
export function fileCheck(file: File, found: Found, summary: string | null): FileCheck {
  const bad = new Set(found.problems.map((problem) => problem.line)).size;
  return {
    file,
    fileName: file.name,
    total: found.rows,
    ok: Math.max(0, found.rows - bad),
    problems: found.problems.map(({ line, key, column, value, reason }) => ({
      line,
      level: 'error' as const,
      message: reason,
      key,
      column,
      value,
    })),
    summary,
  };
}
