import { Button, Modal, Popconfirm } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { CLOSE, REOPEN } from '../contract/fields.ts';
import { freezeMonth, listWorthMonths, MonthRow, reopenMonth } from '../contract/months.ts';
import { worthSummary } from '../contract/worth.ts';

const REFRESHES = [listWorthMonths, worthSummary];
const Row = MonthRow.extend({ version: MonthRow.shape.version.meta({ title: '操作', width: 80, pinned: 'right' }) });

/** 冻结月末: months that are over, what they were worth at their end, and whether that is fixed. */
export function MonthsDialog({ onClose }: { onClose: () => void }) {
  const { data } = useCall(listWorthMonths, {}, { staleTime: 0 });
  const mayFreeze = useAllowed(CLOSE);
  const mayReopen = useAllowed(REOPEN);
  const [opening, setOpening] = useState<MonthRow>();
  const freeze = useSend(freezeMonth, {
    refreshes: REFRESHES,
    onSuccess: ({ month }) => notice.success(`${month} 货值已冻结`),
  });
  const reopen = useSend(reopenMonth, {
    refreshes: REFRESHES,
    quiet: true,
    onSuccess: ({ month }) => notice.success(`${month} 已解冻`),
  });
  const act = (row: MonthRow) => {
    const { month, version } = row;
    if (row.state === 'FROZEN')
      return mayReopen ? (
        <button type="button" className="link" onClick={() => setOpening(row)}>
          解冻
        </button>
      ) : null;
    return mayFreeze ? (
      <Popconfirm
        title={row.uncosted > 0 ? `${row.uncosted} 件未核价，货值不完整，仍要冻结？` : `冻结后 ${month} 的货值不再变化`}
        onConfirm={() => freeze.mutate({ body: { month, version } })}
      >
        <button type="button" className="link">
          冻结
        </button>
      </Popconfirm>
    ) : null;
  };
  return (
    <Modal title="冻结月末" open width={1000} footer={<Button onClick={onClose}>关闭</Button>} onCancel={onClose}>
      <LineTable
        label="月末货值"
        row={Row}
        rows={data}
        rowId={(row) => row.month}
        none="还没有完整月份的货值"
        columns={{ version: { render: act } }}
      />
      {opening && (
        <ReasonDialog
          title={`解冻 ${opening.month}`}
          okText="解冻"
          onSend={(reason) => reopen.mutateAsync({ body: { month: opening.month, version: opening.version, reason } })}
          onClose={() => setOpening(undefined)}
        >
          解冻后该月货值随库存账重新计算，操作会记入日志。
        </ReasonDialog>
      )}
    </Modal>
  );
}
