import { Input, Modal } from 'antd';
import { useState } from 'react';
import { call } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { findShipListings } from '../../contract/order-calls.ts';
import { type Draft, newDraft, parsed } from './draft.ts';

interface Props {
  place: { authid: string; marketplaceId: string; warehouseId: string };
  onLines: (lines: Draft[]) => void;
  onClose: () => void;
}

/** Lines from a sheet: a row for each SKU with its pieces. All rows are taken or none. */
export function PasteDialog({ place, onLines, onClose }: Props) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState('');
  const take = async () => {
    const { rows, wrong } = parsed(text);
    if (wrong.length > 0) return setProblem(`第 ${wrong.slice(0, 10).join('、')} 行不是「平台SKU 数量」`);
    if (rows.length === 0) return setProblem('请粘贴至少一行');
    const mskus = [...new Set(rows.map((row) => row.msku))];
    if (mskus.length < rows.length) return setProblem('有重复的平台SKU');
    setBusy(true);
    try {
      const found = await call(findShipListings, { body: { ...place, text: '', mskus } }, {});
      const known = new Set(found.map(({ msku }) => msku));
      const missing = mskus.filter((msku) => !known.has(msku));
      if (missing.length > 0) return setProblem(`站点没有平台SKU：${missing.slice(0, 10).join('、')}`);
      onLines(rows.map(({ msku, qty }) => newDraft(msku, qty)));
      notice.success(`已带入 ${rows.length} 行`);
      onClose();
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal title="粘贴明细" open okText="带入" confirmLoading={busy} onOk={() => void take()} onCancel={onClose}>
      <p className="text2">每行一个平台SKU和数量，可从Excel直接粘贴；带入后替换现有明细。</p>
      <Input.TextArea
        aria-label="粘贴明细"
        rows={10}
        placeholder={'MUG-RED-01\t120\nMUG-BLUE-02\t80'}
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
