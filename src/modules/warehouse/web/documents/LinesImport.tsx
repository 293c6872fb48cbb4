import { download, upload } from '#kit/web/api/index.ts';
import { type ImportCheck, ImportDialog } from '#kit/web/import/index.ts';
import type { LineRow } from '../../contract/documents/fields.ts';
import type { WebKind } from './kinds.ts';

interface Checked extends ImportCheck {
  lines: LineRow[];
}

interface Props {
  kind: WebKind;
  warehouseId: string;
  onClose: () => void;
  onLines: (lines: LineRow[]) => void;
}

/** Lines of a document from a sheet: all of them or none; they stand in the form and are saved with it. */
export function LinesImport({ kind, warehouseId, onClose, onLines }: Props) {
  const check = async (file: File, onProgress: (share: number) => void): Promise<Checked> => {
    const found = await upload(kind.calls.upload, { body: { warehouseId } }, file, { quiet: true, onProgress });
    const bad = new Set(found.problems.map((problem) => problem.line)).size;
    return {
      fileName: file.name,
      total: found.rows,
      ok: found.rows - bad,
      problems: found.problems.map(({ reason, ...problem }) => ({
        ...problem,
        level: 'error' as const,
        message: reason,
      })),
      preview: {
        titles: ['SKU', '名称', '数量', '批次', '库位', '备注'],
        rows: found.lines
          .slice(0, 20)
          .map((line) => [
            line.product.code,
            line.product.name,
            String(line.countedQty ?? line.qty),
            line.lotNo,
            line.location ?? '',
            line.reason,
          ]),
      },
      summary: bad === 0 ? `将带入 ${found.lines.length} 行明细，替换现有明细` : null,
      lines: found.lines,
    };
  };
  return (
    <ImportDialog<Checked>
      title={`导入${kind.def.title}明细`}
      open
      onClose={onClose}
      check={check}
      commit={async (checked) => onLines(checked.lines)}
      template={() => download(kind.calls.template, {})}
      accept=".xlsx"
      okText="带入"
    />
  );
}
