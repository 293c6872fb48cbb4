import '../accounting.css';
import { Select } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { FigureLine } from '#kit/web/cards/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { companyDay } from '#kit/web/day.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { Banner, Empty, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { LedgerLine, MOST_LINES, subjectLedger } from '../../contract/ledger.ts';
import { DETAIL } from '../../contract/vouchers.ts';
import { anySubject, found, useSubjectOptions } from '../choices.ts';
import { Months } from '../Months.tsx';

const COLUMNS: ColumnOverrides<LedgerLine> = {
  number: {
    render: (row) =>
      row.voucherId && (
        <TabLink to={DETAIL} title={row.number} query={{ id: row.voucherId }}>
          {row.number}
        </TabLink>
      ),
    text: (row) => row.number,
  },
};

/** 明细账: entries of a subject and all below it with the balance after each; the address may name subject and months. */
export default function SubjectLedger() {
  const { address } = useTab();
  return <Ledger key={address} query={new URLSearchParams(address.split('?')[1])} />;
}

function Ledger({ query }: { query: URLSearchParams }) {
  const month = companyDay().slice(0, 7);
  const [subjectId, setSubject] = useState(query.get('subject'));
  const [months, setMonths] = useState({ from: query.get('from') ?? month, to: query.get('to') ?? month });
  const subjects = useSubjectOptions(anySubject);
  const { data, error, isError, refetch } = useCall(
    subjectLedger,
    { body: { subjectId: subjectId ?? '', ...months } },
    { enabled: subjectId !== null, keep: true },
  );
  const money = (amount: string) => <Money amount={amount} currency="CNY" />;
  return (
    <div className="page-list">
      <ListHead title="明细账" />
      <div className="accounting-bar">
        <Select
          aria-label="科目"
          style={{ width: 320 }}
          showSearch={{ filterOption: found }}
          placeholder="编码、名称或首字母"
          value={subjectId}
          options={subjects}
          onChange={setSubject}
        />
        <Months {...months} onChange={(from, to) => setMonths({ from, to })} />
      </div>
      <div className="accounting-body">
        {subjectId === null && <Empty title="请选择科目" text="可按编码、名称或首字母查找；上级科目包含全部下级。" />}
        {isError && <ErrorState error={error} onRetry={() => void refetch()} text={error.message} />}
        {subjectId !== null && !isError && (
          <>
            <FigureLine
              figures={
                data && [
                  { key: 'opening', label: '期初', value: money(data.opening) },
                  { key: 'debit', label: '借方发生', value: money(data.debit) },
                  { key: 'credit', label: '贷方发生', value: money(data.credit) },
                  {
                    key: 'closing',
                    label: `期末（${data.subject.direction === 'DEBIT' ? '借' : '贷'}）`,
                    value: money(data.closing),
                  },
                ]
              }
            />
            {data?.cut && <Banner>{`只显示前 ${MOST_LINES} 笔，请缩小月份；上面的合计是全部。`}</Banner>}
            <LineTable row={LedgerLine} rows={data?.lines} columns={COLUMNS} label="明细账" />
          </>
        )}
      </div>
    </div>
  );
}
