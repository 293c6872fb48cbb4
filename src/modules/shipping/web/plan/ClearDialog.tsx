import { Input, Modal } from 'antd';
import { useState } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { clearPlan } from '../../contract/plan.ts';
import { refreshPlan } from './choices.ts';

const WORD = '清空';

/** 清空: all that is planned and not handed in goes, once the word is typed. */
export function ClearDialog({ onClose }: { onClose: () => void }) {
  const [typed, setTyped] = useState('');
  const clear = useSend(clearPlan, {
    onSuccess: async ({ removed }) => {
      notice.success(`已清空 ${removed} 项计划`);
      await refreshPlan();
      onClose();
    },
  });
  return (
    <Modal
      title="清空发货规划"
      open
      width={440}
      okText="清空"
      okButtonProps={{ danger: true, disabled: typed.trim() !== WORD }}
      confirmLoading={clear.isPending}
      onOk={() => clear.mutate({ body: {} })}
      onCancel={onClose}
    >
      <p className="label">所有未提交的计划都会删除，不能恢复；已提交的计划和发货单不受影响。输入「{WORD}」以确认。</p>
      <Input aria-label="确认文字" value={typed} placeholder={WORD} onChange={({ target }) => setTyped(target.value)} />
    </Modal>
  );
}
