import { InputNumber, Modal } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { PLAN_EDIT, type PlanDays, readPlanDays, savePlanDays } from '../../contract/plan.ts';
import { refreshPlan, wayName } from './choices.ts';

interface Props {
  onClose: () => void;
}

/** 备货周期: the days that each way takes, and those for which there shall be stock beyond. */
export function DaysDialog({ onClose }: Props) {
  const { data } = useCall(readPlanDays, {}, { staleTime: 0 });
  return data ? <Loaded days={data} onClose={onClose} /> : null;
}

function Loaded({ days, onClose }: Props & { days: readonly PlanDays[] }) {
  const disabled = !useAllowed(PLAN_EDIT);
  const [rows, setRows] = useState<readonly PlanDays[]>(days);
  const send = useSend(savePlanDays, {
    refreshes: [readPlanDays],
    onSuccess: async () => {
      notice.success('备货周期已保存');
      await refreshPlan();
      onClose();
    },
  });
  const cell = (row: PlanDays, key: 'leadDays' | 'safetyDays', title: string) => (
    <td className="is-right">
      <InputNumber
        size="small"
        aria-label={`${wayName(row.transport)} ${title}`}
        controls={false}
        min={0}
        max={365}
        precision={0}
        style={{ width: 88 }}
        disabled={disabled}
        value={row[key]}
        onChange={(value) =>
          setRows((old) => old.map((one) => (one.transport === row.transport ? { ...one, [key]: value ?? 0 } : one)))
        }
      />
    </td>
  );
  return (
    <Modal
      title="备货周期"
      open
      width={440}
      okText={disabled ? '关闭' : '保存'}
      confirmLoading={send.isPending}
      onOk={() => (disabled ? onClose() : send.mutate({ body: { days: [...rows] } }))}
      onCancel={onClose}
    >
      <div className="line-table is-dense">
        <table aria-label="备货周期">
          <thead>
            <tr>
              <th>运输方式</th>
              <th className="is-right">备货周期（天）</th>
              <th className="is-right">安全天数</th>
              <th className="is-right">备货天数</th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row) => (
              <tr key={row.transport}>
                <td>{wayName(row.transport)}</td>
                {cell(row, 'leadDays', '备货周期')}
                {cell(row, 'safetyDays', '安全天数')}
                <td className="is-right num">{row.leadDays + row.safetyDays}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Modal>
  );
}
