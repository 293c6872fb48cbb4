import { ImportDialog } from '#kit/web/import/index.ts';
import { annotate, type Checked, check, commit, template } from './import.ts';
import { refreshBills } from './refresh.ts';

/** 上传1688账单: the workbook is checked whole, then written whole. */
export function UploadBill({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <ImportDialog<Checked>
      title="上传1688账单"
      open={open}
      onClose={onClose}
      check={check}
      commit={commit}
      annotate={annotate}
      template={template}
      onDone={() => void refreshBills()}
      accept=".xlsx"
    />
  );
}
