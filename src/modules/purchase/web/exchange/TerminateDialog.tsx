import { Input, Modal, Segmented } from 'antd';
import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { call } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { type ExchangeEnding, type ExchangeRow, terminateExchange } from '../../contract/exchange.ts';
import { refreshOrders } from '../choices.ts';

const WORDS: Record<ExchangeEnding, string> = {
  CREDIT: '未换的数量计为已退货，应付随之减少。',
  BACK: '未换的原货退回换出仓，按原成本入库；应付不变。',
};

/** The supplier sends no more: why, and what becomes of what he did not replace. */
export function TerminateDialog({ exchange, onClose }: { exchange: ExchangeRow; onClose: () => void }) {
  const [ending, setEnding] = useState<ExchangeEnding>('CREDIT');
  const [reason, setReason] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async () => {
    setBusy(true);
    try {
      const body = { id: exchange.id, version: exchange.version, ending, reason: reason.trim() };
      const done = await call(terminateExchange, { body }, {});
      notice.success(done.message);
      await refreshOrders();
      onClose();
    } catch {
      // The client has said why.
    } finally {
      setBusy(false);
    }
  };
  return (
    <Modal
      open
      width={480}
      title={`终止换货 ${exchange.number}`}
      okText="终止"
      okButtonProps={{ disabled: reason.trim() === '', danger: true }}
      confirmLoading={busy}
      onOk={() => void send()}
      onCancel={onClose}
    >
      <p className="text2">还有 {formatInteger(exchange.openQty)} 件没有换入。</p>
      <Segmented<ExchangeEnding>
        value={ending}
        onChange={setEnding}
        options={[
          { value: 'CREDIT', label: '抵扣应付' },
          { value: 'BACK', label: exchange.takesStock ? '原货退回' : '不再换货' },
        ]}
      />
      <p className="text2">{ending === 'BACK' && !exchange.takesStock ? '库存和应付都不变。' : WORDS[ending]}</p>
      <Input.TextArea
        aria-label="原因"
        placeholder="原因"
        autoFocus
        rows={3}
        maxLength={200}
        value={reason}
        onChange={(event) => setReason(event.target.value)}
      />
    </Modal>
  );
}
