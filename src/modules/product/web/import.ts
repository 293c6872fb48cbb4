import { call, download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck as DialogCheck } from '#kit/web/import/index.ts';
import { checkCostImport, commitCostImport, costTemplate, type ImportCheck } from '../contract.ts';

/** What the import dialog works with, and the id of the draft that can be written. */
export interface CostCheck extends DialogCheck {
  id: string | null;
}

function checkOf(fileName: string, found: ImportCheck): CostCheck {
  const warnings = found.warnings.length > 0 ? `；${found.warnings.join('；')}` : '';
  return {
    id: found.id,
    fileName,
    total: found.rows,
    ok: found.good,
    problems: found.problems.map((problem) => ({
      line: problem.line ?? 1,
      level: 'error' as const,
      message: problem.reason,
      column: problem.column,
      value: problem.value,
      suggestion: problem.suggestion,
    })),
    summary: found.id === null ? null : `将写入 ${found.good} 个 SKU 的采购成本${warnings}`,
  };
}

/** Sends the file and has every row checked; nothing is written. */
export async function check(file: File, onProgress: (share: number) => void): Promise<CostCheck> {
  return checkOf(file.name, await upload(checkCostImport, { body: {} }, file, { quiet: true, onProgress }));
}

/** Writes the checked file, all of it. */
export async function commit(checked: CostCheck): Promise<unknown> {
  return call(commitCostImport, { params: { id: checked.id ?? '' } }, { quiet: true });
}

export const template = (): Promise<unknown> => download(costTemplate, {});
