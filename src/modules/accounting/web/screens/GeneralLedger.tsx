import '../accounting.css';
import { Input, Segmented } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListHead, Pager } from '#kit/web/list/index.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { GeneralLine, generalLedger, LEVELS } from '../../contract/ledger.ts';
import { Months } from '../Months.tsx';

/** A subject is named by its first line, which leads to its entries. */
function columnsFor(from: string, to: string): ColumnOverrides<GeneralLine> {
  const first = ({ summary }: GeneralLine) => summary === '期初余额';
  return {
    code: {
      render: (row) =>
        first(row) && (
          <TabLink to="/fin/ledger/detail" title={`明细账 ${row.code}`} query={{ subject: row.subjectId, from, to }}>
            {row.code}
          </TabLink>
        ),
      text: (row) => row.code,
    },
    name: { render: (row) => first(row) && <b>{row.name}</b>, text: (row) => row.name },
  };
}

/** 总账: opening, turnover, year to date and balance of subjects, month by month. */
export default function GeneralLedger() {
  const month = companyDay().slice(0, 7);
  const [asked, setAsked] = useState({ from: month, to: month, first: '', last: '', level: 1, page: 1, size: 20 });
  const { data, error, isError, refetch } = useCall(generalLedger, { body: asked }, { keep: true });
  const code = (key: 'first' | 'last', label: string) => (
    <Input
      aria-label={label}
      placeholder={label}
      style={{ width: 120 }}
      maxLength={8}
      allowClear
      value={asked[key]}
      onChange={({ target }) => setAsked({ ...asked, [key]: target.value.trim(), page: 1 })}
    />
  );
  return (
    <div className="page-list">
      <ListHead title="总账" />
      <div className="accounting-bar">
        <Months {...asked} onChange={(from, to) => setAsked({ ...asked, from, to, page: 1 })} />
        {code('first', '起始科目编码')}
        {code('last', '截止科目编码')}
        <Segmented
          value={asked.level}
          options={Array.from({ length: LEVELS }, (_, at) => ({ value: at + 1, label: `到 ${at + 1} 级` }))}
          onChange={(level) => setAsked({ ...asked, level, page: 1 })}
        />
      </div>
      <div className="accounting-body">
        {isError ? (
          <ErrorState error={error} onRetry={() => void refetch()} text={error.message} />
        ) : (
          <LineTable
            row={GeneralLine}
            rows={data?.lines}
            columns={columnsFor(asked.from, asked.to)}
            label="总账"
            none="这些科目没有余额，也没有发生额"
          />
        )}
      </div>
      <Pager
        total={data?.total}
        page={asked.page}
        size={asked.size}
        unit="个科目"
        onChange={(page, size) => setAsked({ ...asked, page, size })}
      />
    </div>
  );
}
