import { Button, Segmented } from 'antd';
import { useState } from 'react';
import { call, download, queryClient, upload } from '#kit/web/api/index.ts';
import { type ImportCheck, type ImportCorrection, ImportDialog } from '#kit/web/import/index.ts';
import {
  checkTable,
  commitTable,
  exportTable,
  ImportKind,
  type ImportKind as Kind,
  type TableCheck,
  tableTemplate,
} from '../contract/imports.ts';

interface Checked extends ImportCheck {
  id: string | null;
}

function checkOf(fileName: string, found: TableCheck): Checked {
  return {
    id: found.id,
    fileName,
    total: found.rows,
    ok: found.good,
    dropped: found.dropped,
    preview: { titles: found.titles, rows: found.preview },
    problems: found.problems.map((problem) => ({
      line: problem.line ?? 1,
      level: 'error' as const,
      message: problem.reason,
      key: problem.key,
      field: problem.field,
      column: problem.column,
      value: problem.value,
      suggestion: problem.suggestion,
    })),
    problemCount: found.problems.length + found.more,
    summary: found.summary,
  };
}

const TITLES = ImportKind.meta()?.states ?? {};

/** 导入: one dialog for every table of products; `kinds` are those that it offers. */
export function TableImport({ open, kinds, onClose }: { open: boolean; kinds: readonly Kind[]; onClose: () => void }) {
  const [chosen, setChosen] = useState<Kind>();
  const kind = chosen ?? kinds[0] ?? 'product';
  const params = { kind };
  const check = async (file: File, onProgress: (share: number) => void, corrections: readonly ImportCorrection[]) => {
    const body = corrections.length > 0 ? { corrections: JSON.stringify(corrections) } : {};
    return checkOf(file.name, await upload(checkTable, { params, body }, file, { quiet: true, onProgress }));
  };
  return (
    <ImportDialog<Checked>
      title={`导入${TITLES[kind]?.title ?? ''}`}
      open={open}
      correctable
      check={check}
      commit={(checked) => call(commitTable, { params: { id: checked.id ?? '' } }, { quiet: true })}
      template={() => download(tableTemplate, { params })}
      onDone={() => void queryClient.invalidateQueries()}
      onClose={onClose}
    >
      <div className="import-kinds">
        {kinds.length > 1 && (
          <Segmented<Kind>
            value={kind}
            onChange={setChosen}
            options={kinds.map((one) => ({ value: one, label: TITLES[one]?.title ?? one }))}
          />
        )}
        <span className="spring" />
        <Button size="small" onClick={() => void download(exportTable, { params }).catch(() => {})}>
          导出现有数据
        </Button>
      </div>
    </ImportDialog>
  );
}
