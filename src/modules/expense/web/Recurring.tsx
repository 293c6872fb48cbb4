import type { ReactNode } from 'react';
import { useSend } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { APPLY, expenseDocument } from '../contract/document.ts';
import {
  listRecurring,
  RecurringFilter,
  RecurringRow,
  type RecurringState,
  setRecurring,
} from '../contract/recurring.ts';

const COLUMNS: ColumnOverrides<RecurringRow> = {
  lastNumber: {
    render: (row) =>
      row.lastId ? (
        <TabLink to={expenseDocument.detail} title={row.lastNumber} query={{ id: row.lastId }}>
          {row.lastNumber}
        </TabLink>
      ) : (
        '—'
      ),
    text: (row) => row.lastNumber,
  },
};

/** 周期费用: expenses of which a draft is made every month; they are paused, taken up again and stopped here. */
export function Recurring({ head }: { head: ReactNode }) {
  const mayApply = useAllowed(APPLY);
  const send = useSend(setRecurring, { refreshes: [listRecurring] });
  const step = (id: string, label: string, state: RecurringState) => ({
    label,
    onClick: () => send.mutate({ body: { id, state } }),
  });
  return (
    <ListScreen
      name="expense/recurring"
      title="费用管理"
      unit="个"
      endpoint={listRecurring}
      row={RecurringRow}
      filter={RecurringFilter}
      columns={COLUMNS}
      head={head}
      note="到期自动生成草稿"
      actions={(row) => {
        if (!mayApply || row.state === 'stopped') return [];
        const turn = row.state === 'active' ? step(row.id, '暂停', 'paused') : step(row.id, '启用', 'active');
        return [turn, step(row.id, '停止', 'stopped')];
      }}
      empty={
        <Empty
          title="还没有周期费用"
          text="房租、软件等每月都有的费用，在费用单的详情「设为周期费用」，到期自动生成草稿。"
        />
      }
    />
  );
}
