import { Input, Modal } from 'antd';
import { useState } from 'react';
import type { UnitLayout } from '#kit/contract/unit-layout.ts';
import { cacheKey, download, queryClient } from '#kit/web/api/index.ts';
import { LayoutBar } from '#kit/web/labels/LayoutBar.tsx';
import { type LabelPrint, listLabelPrints, reprintLabels } from '../../contract/labels.ts';

/** Prints again what stood on labels; why is written down. */
export function ReprintDialog({ rows, onClose }: { rows: readonly LabelPrint[]; onClose: () => void }) {
  const [paper, setPaper] = useState<{ layout: UnitLayout; used: number }>({
    layout: rows[0]?.layout ?? 'GRID_24',
    used: 0,
  });
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const print = async () => {
    setBusy(true);
    try {
      await download(reprintLabels, { body: { ids: rows.map(({ id }) => id), reason: reason.trim(), ...paper } });
      await queryClient.invalidateQueries({ queryKey: cacheKey(listLabelPrints) });
      onClose();
    } catch {
      // The download has said why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={`重打标签 · ${rows.length} 条记录`}
      open
      width={640}
      okText="重打"
      okButtonProps={{ disabled: reason.trim() === '' }}
      confirmLoading={busy}
      onOk={() => void print()}
      onCancel={onClose}
    >
      <LayoutBar {...paper} total={rows.reduce((sum, { copies }) => sum + copies, 0)} onChange={setPaper} />
      <Input
        aria-label="重打原因"
        placeholder="重打原因，如：打印机卡纸"
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Modal>
  );
}
