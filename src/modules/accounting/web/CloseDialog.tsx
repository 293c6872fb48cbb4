import './accounting.css';
import { CheckCircleFilled, ExclamationCircleFilled } from '@ant-design/icons';
import { Modal } from 'antd';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { checkPeriod, closePeriod } from '../contract/periods.ts';
import { refreshVouchers } from './refresh.ts';

/** What has to be in order before a month is closed, and the closing. */
export function CloseDialog({ month, onClose }: { month: string; onClose: () => void }) {
  const { data: checks } = useCall(checkPeriod, { body: { month } }, { staleTime: 0 });
  const send = useSend(closePeriod, {
    onSuccess: (done) => {
      const made = [done.revaluation, done.number, done.yearEnd].filter((number) => number !== null).join('、');
      notice.success(made ? `${month} 已结账，生成凭证 ${made}` : `${month} 已结账`);
      void refreshVouchers();
      onClose();
    },
  });
  return (
    <Modal
      open
      title={`结账 ${month}`}
      okText="结账"
      cancelText="取消"
      okButtonProps={{ disabled: !checks?.every(({ ok }) => ok) }}
      confirmLoading={send.isPending}
      onOk={() => send.mutate({ body: { month } })}
      onCancel={onClose}
    >
      <div className="accounting-checks">
        {checks?.map(({ title, ok, detail }) => (
          <div key={title} className={`proof ${ok ? 'is-exact' : 'is-off'}`}>
            {ok ? <CheckCircleFilled /> : <ExclamationCircleFilled />}
            <span className="text2">{ok ? title : detail}</span>
          </div>
        ))}
      </div>
      <p className="label">
        外币的资金与往来按月末汇率调汇，差额计入「汇兑损益」；损益类科目的余额结转到「本年利润」，生成已过账的凭证；
        {month.endsWith('-12') && '「本年利润」再结转到「利润分配-未分配利润」；'}
        之后这个月不能再新增或修改凭证。
      </p>
    </Modal>
  );
}
