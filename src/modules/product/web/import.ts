import { formatMoney } from '#kit/contract/format.ts';
import { call, download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck as DialogCheck, ImportCorrection } from '#kit/web/import/index.ts';
import { ALWAYS, checkCostImport, commitCostImport, costTemplate, type ImportCheck } from '../contract.ts';

/** What the import dialog works with, and the id of the draft that can be written. */
export interface CostCheck extends DialogCheck {
  id: string | null;
}

const PREVIEW_TITLES = ['行号', 'SKU', '品名', '采购单价', '现在的成本', '生效日期'];

function checkOf(fileName: string, found: ImportCheck): CostCheck {
  const warnings = found.warnings.length > 0 ? `；${found.warnings.join('；')}` : '';
  return {
    id: found.id,
    fileName,
    total: found.rows,
    ok: found.good,
    dropped: found.dropped,
    preview: {
      titles: PREVIEW_TITLES,
      rows: found.preview.map((row) => [
        String(row.line),
        row.sku,
        row.name || '—',
        formatMoney(row.unitCost, 'CNY'),
        row.previous === null ? '—' : formatMoney(row.previous, 'CNY'),
        row.validFrom === ALWAYS ? '一直有效' : row.validFrom,
      ]),
    },
    problems: found.problems.map((problem) => ({
      line: problem.line ?? 1,
      level: 'error' as const,
      message: problem.reason,
      key: problem.sku,
      field: problem.field,
      fix: problem.fix,
      column: problem.column,
      value: problem.value,
      suggestion: problem.suggestion,
    })),
    summary: found.id === null ? null : `将写入 ${found.good} 个 SKU 的采购成本${warnings}`,
  };
}

/** Sends the file with what was put right in it and has every row checked; nothing is written. */
export async function check(
  file: File,
  onProgress: (share: number) => void,
  corrections: readonly ImportCorrection[],
): Promise<CostCheck> {
  const body = corrections.length > 0 ? { corrections: JSON.stringify(corrections) } : {};
  return checkOf(file.name, await upload(checkCostImport, { body }, file, { quiet: true, onProgress }));
}

/** Writes the checked file, all of it. */
export async function commit(checked: CostCheck): Promise<unknown> {
  return call(commitCostImport, { params: { id: checked.id ?? '' } }, { quiet: true });
}

export const template = (): Promise<unknown> => download(costTemplate, {});
