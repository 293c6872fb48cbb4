import { DatePicker, Modal } from 'antd';
import dayjs, { type Dayjs } from 'dayjs';
import { useState } from 'react';

interface Props {
  /** ISO instant that is planned already. */
  at: string | null;
  busy: boolean;
  onPlan: (at: string) => void;
  onClose: () => void;
}

/** 定时提交: when the draft goes, to the minute, by the clock of this machine. */
export function ScheduleDialog({ at, busy, onPlan, onClose }: Props) {
  const [when, setWhen] = useState<Dayjs | null>(at === null ? null : dayjs(at));
  return (
    <Modal
      open
      width={420}
      title="定时提交"
      okText="确定"
      okButtonProps={{ disabled: when === null }}
      confirmLoading={busy}
      onOk={() => when && onPlan(when.toISOString())}
      onCancel={onClose}
    >
      <p className="label">到时按当时的草稿提交；若卖家后台已修改商品，不会覆盖，草稿会写明原因。</p>
      <DatePicker
        showTime={{ format: 'HH:mm' }}
        format="YYYY-MM-DD HH:mm"
        aria-label="提交时间"
        placeholder="选择提交时间"
        style={{ width: '100%' }}
        minDate={dayjs()}
        value={when}
        onChange={(day) => setWhen(day ? day.second(0).millisecond(0) : null)}
      />
    </Modal>
  );
}
