import { Input, Modal } from 'antd';
import { useState } from 'react';
import { notice } from '#kit/web/notice.tsx';
import { type Draft, parsed } from './draft.ts';

/** Lines from a carrier's sheet. All rows are taken or none; which orders they mean is shown beside them afterwards. */
export function PasteDialog({ onLines, onClose }: { onLines: (lines: Draft[]) => void; onClose: () => void }) {
  const [text, setText] = useState('');
  const [problem, setProblem] = useState('');
  const take = () => {
    const { lines, wrong } = parsed(text);
    if (wrong.length > 0) return setProblem(`第 ${wrong.slice(0, 10).join('、')} 行不是「单号 费用类型 金额 计费重」`);
    if (lines.length === 0) return setProblem('请粘贴至少一行');
    onLines(lines);
    notice.success(`已带入 ${lines.length} 行`);
    onClose();
  };
  return (
    <Modal title="粘贴明细" open okText="带入" onOk={take} onCancel={onClose}>
      <p className="text2">
        每行依次是单号、费用类型、金额、计费重，可从Excel直接粘贴；费用类型省略时为运费，计费重可不填。带入后接在现有明细后面。
      </p>
      <Input.TextArea
        aria-label="粘贴明细"
        rows={10}
        placeholder={'FBA15ABCDEF1\t运费\t563.21\t64\nFH2601310001\t报关\t100'}
        status={problem ? 'error' : ''}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setProblem('');
        }}
      />
      {problem && <p className="danger">{problem}</p>}
    </Modal>
  );
}
