import '../closing.css';
import { Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { readMonthEnd } from '../../contract/closing.ts';
import { LedgerCard } from '../Ledger.tsx';

const SHOWN = 13;

/** The last months "yyyy-MM", the newest first. */
function lastMonths(today: string): string[] {
  const [year = 0, month = 1] = today.split('-').map(Number);
  return Array.from({ length: SHOWN }, (_, back) =>
    new Date(Date.UTC(year, month - 1 - back, 1)).toISOString().slice(0, 7),
  );
}

/** 月末检查: what each ledger still misses in a month, in the order in which they are closed, and where that is put right. */
export default function MonthEnd() {
  const months = lastMonths(companyDay());
  const [month, setMonth] = useState(months[1] ?? '');
  const { data, isError, error, refetch } = useCall(readMonthEnd, { query: { month } }, { staleTime: 0, keep: true });
  const open = (data ?? []).flatMap(({ checks }) => checks).filter(({ tone }) => tone !== 'done').length;
  return (
    <div className="page-list">
      <ListHead title="月末检查" />
      <div className="toolbar">
        <Select
          aria-label="月份"
          value={month}
          options={months.map((value) => ({ value, label: value }))}
          onChange={setMonth}
          style={{ width: 120 }}
        />
        {data && <span className="label">{open === 0 ? '全部完成' : `${open} 项待处理`}，按关账的先后排列</span>}
      </div>
      {isError ? (
        <ErrorState error={error} onRetry={() => void refetch()} />
      ) : (
        <div className="closing-ledgers" aria-busy={data === undefined}>
          {data?.map((ledger) => (
            <LedgerCard key={ledger.title} ledger={ledger} />
          ))}
        </div>
      )}
    </div>
  );
}
