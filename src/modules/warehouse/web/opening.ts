import { formatMoney } from '#kit/contract/format.ts';
import { call, download, upload } from '#kit/web/api/index.ts';
import type { ImportCheck } from '#kit/web/import/index.ts';
import { checkOpening, commitOpening, type OpeningCheck, openingTemplate } from '../contract/opening.ts';

/** What the import dialog works with, and the id of the draft that can be posted. */
export interface Checked extends ImportCheck {
  id: string | null;
}

function checkedOf(fileName: string, found: OpeningCheck): Checked {
  return {
    id: found.id,
    fileName,
    total: found.rows,
    ok: found.good,
    problems: found.problems.map((problem) => ({
      line: problem.line,
      level: 'error' as const,
      message: problem.reason,
      key: problem.sku,
      column: problem.column,
      value: problem.value,
    })),
    preview: {
      titles: ['行号', 'SKU', '仓库', '数量', '单位成本', '入库日期'],
      rows: found.preview.map((row) => [
        String(row.line),
        row.sku,
        row.warehouse,
        String(row.qty),
        formatMoney(row.unitCost, 'CNY'),
        row.firstDay,
      ]),
    },
    summary: found.id === null ? null : `将写入 ${found.good} 行期初库存，单号 ${found.number ?? ''}`,
  };
}

/** Sends the file and has every row checked; nothing is posted. */
export async function check(file: File, onProgress: (share: number) => void): Promise<Checked> {
  return checkedOf(file.name, await upload(checkOpening, { body: {} }, file, { quiet: true, onProgress }));
}

/** Posts the checked file, all of it. */
export function commit(checked: Checked): Promise<unknown> {
  return call(commitOpening, { params: { id: checked.id ?? '' }, body: {} }, { quiet: true });
}

export const template = (): Promise<unknown> => download(openingTemplate, {});
