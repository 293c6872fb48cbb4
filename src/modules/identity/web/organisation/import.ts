import { call, download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { checkUserImport, commitUserImport, type ImportLine, userImportTemplate } from '../../contract/sub-users.ts';

export interface UserCheck extends ImportCheck {
  lines: ImportLine[];
}

/** Sends the file and has every row checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<UserCheck> {
  const found = await upload(checkUserImport, { body: {} }, file, { quiet: true, onProgress });
  return {
    fileName: file.name,
    total: found.rows,
    ok: found.lines.length,
    lines: found.lines,
    problems: found.problems.map((problem) => ({
      line: problem.line,
      level: 'error' as const,
      message: problem.reason,
      column: problem.column,
      value: problem.value,
      suggestion: problem.suggestion,
    })),
    summary: `将新增 ${found.lines.length} 个子账号，初始密码在写入后显示一次`,
  };
}

/** Adds all of them; answers the one-time passwords. */
export function commit(checked: UserCheck) {
  return call(commitUserImport, { body: { lines: checked.lines } }, { quiet: true });
}

export const template = (): Promise<unknown> => download(userImportTemplate, {});
