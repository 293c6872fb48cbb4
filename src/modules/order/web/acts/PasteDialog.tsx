import { Input, Modal } from 'antd';
import { useState } from 'react';
import { ApiError, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useDirty } from '#kit/web/tabs/scope.ts';
import { shipPasted } from '../../contract/acts.ts';
import { REFRESHES } from './refresh.ts';
import { SentAt } from './SentAt.tsx';
import './acts.css';

const SHOWN = 20;

/** 批量确认发货: lines of order number, carrier and tracking number, as a sheet copies them. */
export function PasteDialog({ numbers, onClose }: { numbers: readonly string[]; onClose: () => void }) {
  const [text, setText] = useState(numbers.map((number) => `${number}\t\t`).join('\n'));
  const [shippedAt, setShippedAt] = useState<string | undefined>(() => new Date().toISOString());
  const [problems, setProblems] = useState<readonly string[]>([]);
  useDirty(text.trim() !== '');
  const send = useSend(shipPasted, {
    refreshes: REFRESHES,
    quiet: true,
    onSuccess: ({ planned }) => notice.success(`已提交 ${planned} 个订单的发货，等待亚马逊确认`),
  });
  const lines = text.split('\n').filter((line) => line.trim() !== '').length;
  const submit = async () => {
    setProblems([]);
    try {
      await send.mutateAsync({ body: { text, shippedAt: shippedAt ?? '' } });
      onClose();
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      setProblems(error.fields.length > 0 ? error.fields.map(({ msg }) => msg) : [error.message]);
    }
  };
  return (
    <Modal
      title="批量确认发货"
      open
      width={720}
      okText={lines > 0 ? `确认发货 ${lines} 单` : '确认发货'}
      okButtonProps={{ disabled: lines === 0 || shippedAt === undefined }}
      confirmLoading={send.isPending}
      onOk={() => void submit()}
      onCancel={onClose}
      mask={{ closable: text.trim() === '' }}
    >
      <p className="label ship-hint">
        每行一个订单：订单号、承运商、运单号，用制表符、逗号或空格分开，可以直接从表格粘贴。每个订单剩余的商品作为一个包裹发出。
      </p>
      {problems.length > 0 && (
        <ul className="note is-danger ship-problems" role="alert">
          {problems.slice(0, SHOWN).map((problem) => (
            <li key={problem}>{problem}</li>
          ))}
          {problems.length > SHOWN && <li>…共 {problems.length} 个问题</li>}
        </ul>
      )}
      <Input.TextArea
        aria-label="发货内容"
        className="code"
        rows={10}
        maxLength={40_000}
        value={text}
        placeholder={
          '111-1234567-1234567\tUPS\t1Z999AA10123456784\n111-7654321-7654321\tYunExpress\tYT2312345678901234'
        }
        onChange={(event) => setText(event.target.value)}
      />
      <div className="ship-when">
        <span className="field-label">发货时间</span>
        <SentAt value={shippedAt} onChange={(value) => setShippedAt(value as string | undefined)} />
      </div>
    </Modal>
  );
}
