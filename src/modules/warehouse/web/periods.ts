import { Modal } from 'antd';
import { useEffect, useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { refreshTasks } from '#kit/web/tasks/use-tasks.ts';
import { listPeriods, type PeriodRow, setPeriodState } from '../contract/costs.ts';
import { listMonthCosts } from '../contract/month-costs.ts';

const BUSY_INTERVAL = 1500;

/** Whether a task closes the month just now. */
export const isClosing = ({ task }: PeriodRow): boolean => task?.state === 'queued' || task?.state === 'running';

/** Months of the ledger, the newest first; asked for again and again while one of them closes, whoever started it. */
export function usePeriods() {
  const [busy, setBusy] = useState(false);
  const periods = useCall(listPeriods, {}, { staleTime: 0, ...(busy ? { every: BUSY_INTERVAL } : {}) });
  const closing = periods.data?.some(isClosing) ?? false;
  useEffect(() => setBusy(closing), [closing]);
  return periods;
}

/** What closing or opening a month does. */
function words(closing: boolean, valuation: PeriodRow['valuation']): string {
  if (!closing) return '打开后可以再补录该月的单据。';
  const priced =
    valuation === 'MONTHLY'
      ? '当月出库按月末加权单价结转，差额记入库存和单据成本。结转在后台进行，期间出入库过账须等待；写入前可以取消，不会只结转一半。'
      : '';
  return `${priced}关账后不能再补录该月的单据，撤销记在当天。`;
}

/** Asks before a month is closed or opened, and does it. */
export function useChangePeriod(): (row: PeriodRow) => void {
  const { mutateAsync } = useSend(setPeriodState, {
    refreshes: [listPeriods, listMonthCosts],
    onSuccess: ({ taskId }) => taskId !== null && refreshTasks(),
  });
  return ({ month, state, valuation }) => {
    const closing = state === 'OPEN';
    Modal.confirm({
      title: closing ? `关闭 ${month} 的库存账期？` : `重新打开 ${month} 的库存账期？`,
      content: words(closing, valuation),
      okText: closing ? '关账' : '反关账',
      onOk: () =>
        mutateAsync({ body: { month, state: closing ? 'CLOSED' : 'OPEN' } }).then(
          () => {},
          () => {},
        ),
    });
  };
}
