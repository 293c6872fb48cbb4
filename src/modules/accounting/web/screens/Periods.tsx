import '../accounting.css';
import { useState } from 'react';
import { useCall, useSend } from '#kit/web/api/index.ts';
import { ReasonDialog } from '#kit/web/form/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { CLOSE, listPeriods, PeriodRow, REOPEN, reopenPeriod } from '../../contract/periods.ts';
import { CloseDialog } from '../CloseDialog.tsx';
import { refreshVouchers } from '../refresh.ts';

/** 结账: the months of the books, the first open one to be closed and the last closed one to be opened again. */
export default function Periods() {
  const may = { close: useAllowed(CLOSE), reopen: useAllowed(REOPEN), none: false };
  const { data, error, isError, refetch } = useCall(listPeriods, { body: {} });
  const [asked, setAsked] = useState<PeriodRow>();
  const reopen = useSend(reopenPeriod, {
    quiet: true,
    onSuccess: () => {
      notice.success('已反结账');
      void refreshVouchers();
    },
  });
  const columns: ColumnOverrides<PeriodRow> = {
    step: {
      render: (row) =>
        may[row.step] && (
          <button type="button" className="link" onClick={() => setAsked(row)}>
            {row.step === 'close' ? '结账' : '反结账'}
          </button>
        ),
      text: () => '',
    },
  };
  const close = () => setAsked(undefined);
  return (
    <div className="page-list">
      <ListHead title="结账" />
      <div className="accounting-body is-first">
        {isError ? (
          <ErrorState error={error} onRetry={() => void refetch()} text={error.message} />
        ) : (
          <LineTable
            row={PeriodRow}
            rows={data}
            rowId={({ month }) => month}
            columns={columns}
            label="会计期间"
            none="还没有账套，请先在「科目」套用模板"
          />
        )}
      </div>
      {asked?.step === 'close' && <CloseDialog month={asked.month} onClose={close} />}
      {asked?.step === 'reopen' && (
        <ReasonDialog
          title={`反结账 ${asked.month}`}
          okText="反结账"
          onSend={(reason) => reopen.mutateAsync({ body: { month: asked.month, reason } })}
          onClose={close}
        >
          这个月可以再录入凭证；结转损益的凭证被红字冲销，重新结账时再次结转。
        </ReasonDialog>
      )}
    </div>
  );
}
