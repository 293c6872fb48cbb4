import { InputNumber, Modal, Select } from 'antd';
import { useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import {
  type AlertForm,
  getAlert,
  getPerformance,
  METRICS,
  performanceSites,
  saveAlert,
} from '../../contract/performance.ts';

const OPTIONS = METRICS.map((metric) => ({ value: metric.key, label: metric.title }));

function Form({ alert, onClose }: { alert: AlertForm; onClose: () => void }) {
  const [margin, setMargin] = useState<string | null>(new Decimal(alert.margin).times(100).toFixed());
  const [muted, setMuted] = useState(alert.muted);
  const send = useSend(saveAlert, {
    refreshes: [getAlert, getPerformance, performanceSites],
    onSuccess: () => {
      notice.success('预警设置已保存');
      onClose();
    },
  });
  const save = () => {
    if (margin !== null) send.mutate({ body: { margin: new Decimal(margin).div(100).toFixed(), muted } });
  };
  return (
    <Modal
      open
      width={480}
      title="设置预警"
      okText="保存"
      cancelText="取消"
      okButtonProps={{ disabled: margin === null }}
      confirmLoading={send.isPending}
      onCancel={onClose}
      onOk={save}
    >
      <div className="dialog-form">
        <div className="field">
          <span>预警余量（离目标还剩这么多时预警；亚马逊判为不达标的总会预警）</span>
          <InputNumber<string>
            stringMode
            controls={false}
            aria-label="预警余量"
            min="0"
            max="90"
            suffix="%"
            style={{ width: '100%' }}
            value={margin}
            onChange={setMargin}
          />
        </div>
        <div className="field">
          <span>不预警的指标</span>
          <Select
            mode="multiple"
            aria-label="不预警的指标"
            placeholder="全部预警"
            options={OPTIONS}
            value={muted}
            onChange={setMuted}
          />
        </div>
      </div>
    </Modal>
  );
}

/** 设置预警: how near to its target a rate may come, and which figures nobody wants to hear of. */
export function AlertDialog({ onClose }: { onClose: () => void }) {
  const { data } = useCall(getAlert, {});
  return data ? <Form alert={data} onClose={onClose} /> : null;
}
