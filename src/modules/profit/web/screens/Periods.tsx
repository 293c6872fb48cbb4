import { lastDayOf } from '#kit/contract/day.ts';
import '../profit.css';
import { Button, Tooltip } from 'antd';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { Money, Tag } from '#kit/web/cells/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  CLOSE,
  closeProfitMonth,
  listProfitMonths,
  PeriodRow,
  PeriodState,
  REOPEN,
  reopenProfitMonth,
} from '../../contract/period.ts';
import { CloseDialog } from '../CloseDialog.tsx';
import { LateDrawer } from '../LateDrawer.tsx';

const REFRESHES = [listProfitMonths];
const LOOK_EVERY = 5_000;
const STATES = PeriodState.meta()?.states ?? {};

/** 利润关账: the months with what each still misses; a closed one keeps its figures, and what comes late goes to the next. */
export default function Periods() {
  const [waits, setWaits] = useState(false);
  const { data, isError, error, refetch } = useCall(
    listProfitMonths,
    {},
    { staleTime: 0, every: waits ? LOOK_EVERY : false },
  );
  // What is being counted keeps months from closing: it is looked at until it is done.
  const isCounting = data?.some(({ waiting }) => waiting > 0) ?? false;
  if (isCounting !== waits) setWaits(isCounting);
  const mayClose = useAllowed(CLOSE);
  const mayReopen = useAllowed(REOPEN);
  const [closing, setClosing] = useState<PeriodRow>();
  const [reopening, setReopening] = useState<PeriodRow>();
  const [late, setLate] = useState<string>();
  const close = useSend(closeProfitMonth, {
    quiet: true,
    refreshes: REFRESHES,
    onSuccess: ({ month }) => notice.success(`${month} 已关账`),
  });
  const reopen = useSend(reopenProfitMonth, {
    quiet: true,
    refreshes: REFRESHES,
    onSuccess: ({ month }) => notice.success(`${month} 已反关账，正在重新计算`),
  });
  if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
  const [current] = data ?? [];
  const lastClosed = data?.find(({ state }) => state === 'CLOSED');
  const act = (row: PeriodRow) => {
    if (row.state === 'CLOSED') {
      return mayReopen && row.month === lastClosed?.month ? (
        <Button size="small" onClick={() => setReopening(row)}>
          反关账
        </Button>
      ) : null;
    }
    return mayClose && row.month !== current?.month ? (
      <Tooltip title={row.waiting > 0 ? '还有数据等待计算' : ''}>
        <Button size="small" disabled={row.waiting > 0} onClick={() => setClosing(row)}>
          关账
        </Button>
      </Tooltip>
    ) : null;
  };
  return (
    <div className="page-list">
      <ListHead title="利润关账" />
      <div className="toolbar">
        <span className="label">按入账口径折人民币；关账后本月数字与汇率不再变动，迟到的收支入账到其后的月份</span>
      </div>
      <div className="profit-periods">
        <LineTable
          label="利润关账"
          row={PeriodRow}
          rows={data}
          rowId={({ month }) => month}
          columns={{
            month: {
              render: ({ month }) => (
                <TabLink
                  to="/finance/profitReport"
                  title="利润报表"
                  query={{ 'f.date': `${month}-01~${lastDayOf(month)}`, 'f.dimension': 'sku' }}
                >
                  {month}
                </TabLink>
              ),
              text: ({ month }) => month,
            },
            state: {
              render: (row) => (
                <span className="period-state">
                  <Tag {...(STATES[row.state] ?? { title: row.state, tone: 'off' })} />
                  {act(row)}
                </span>
              ),
              text: ({ state }) => STATES[state]?.title ?? state,
            },
            late: {
              render: ({ month, late: amount, currency }) =>
                amount === null ? (
                  '—'
                ) : (
                  <button type="button" className="drill" onClick={() => setLate(month)}>
                    <Money amount={amount} currency={currency} good="up" />
                  </button>
                ),
              text: ({ late: amount }) => amount ?? '',
            },
          }}
        />
      </div>
      {late && <LateDrawer month={late} onClose={() => setLate(undefined)} />}
      {closing && (
        <CloseDialog
          row={closing}
          earlier={(data ?? []).some(({ month, state }) => month < closing.month && state === 'OPEN')}
          onSend={() => close.mutateAsync({ body: { month: closing.month, version: closing.version } })}
          onClose={() => setClosing(undefined)}
        />
      )}
      {reopening && (
        <ReasonDialog
          title={`反关账 ${reopening.month}`}
          okText="反关账"
          onSend={(reason) =>
            reopen.mutateAsync({ body: { month: reopening.month, version: reopening.version, reason } })
          }
          onClose={() => setReopening(undefined)}
        >
          本月重新计算：关账后发生的 {reopening.month} 收支回到本月，之后可以再次关账。
        </ReasonDialog>
      )}
    </div>
  );
}
