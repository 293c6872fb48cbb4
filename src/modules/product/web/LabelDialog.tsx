import { InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { download } from '#kit/web/api/index.ts';
import { printProductLabels } from '../contract/parts.ts';

/** 打印标签: asks how many of each product, then hands the PDF to the browser. */
export function LabelDialog({ ids, onClose }: { ids: readonly string[] | undefined; onClose: () => void }) {
  const [copies, setCopies] = useState<number | null>(1);
  const [busy, setBusy] = useState(false);
  const print = async () => {
    if (!ids || !copies) return;
    setBusy(true);
    try {
      await download(printProductLabels, { body: { ids: [...ids], copies } });
      onClose();
    } catch {
      // The client has said why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      title={ids && ids.length > 1 ? `打印 ${ids.length} 个产品的标签` : '打印标签'}
      open={ids !== undefined}
      width={420}
      okText="打印"
      okButtonProps={{ disabled: !copies }}
      confirmLoading={busy}
      onOk={() => void print()}
      onCancel={onClose}
    >
      <div className="inquiry-form">
        <div className="inquiry-line">
          <span>每个产品</span>
          <InputNumber
            aria-label="每个产品张数"
            min={1}
            max={500}
            precision={0}
            suffix="张"
            value={copies}
            onChange={setCopies}
          />
        </div>
        <p className="label">50 × 30 mm 条码标签；SKU 含中文时为 60 × 40 mm 二维码标签。</p>
      </div>
    </Modal>
  );
}
