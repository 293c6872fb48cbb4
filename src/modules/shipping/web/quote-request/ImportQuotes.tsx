import { type FileCheck, ImportDialog } from '#kit/web/import/index.ts';
import { check, commit, template } from './quote-import.ts';
import { refreshQuotes } from './shared.ts';

/** 导入报价: sheets that forwarders filled in. */
export function ImportQuotes({ open, onClose }: { open: boolean; onClose: () => void }) {
  return (
    <ImportDialog<FileCheck>
      title="导入报价"
      open={open}
      onClose={onClose}
      check={check}
      commit={commit}
      template={template}
      onDone={() => void refreshQuotes()}
      accept=".xlsx"
      note="询价表填好后可直接导入；全部通过才会写入，与当前报价相同的行不会重复写入。填写了总价时须等于单价×计费量＋税＋其它费。"
    />
  );
}
