import '../accounting.css';
import { Button, Select } from 'antd';
import { useState } from 'react';
import type { CallInput } from '#kit/contract/endpoint.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { useCall } from '#kit/web/api/index.ts';
import { FigureLine } from '#kit/web/cards/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { companyDay } from '#kit/web/day.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { Empty, ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { LedgerLine, subjectLedger } from '../../contract/ledger.ts';
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

type Mark = CallInput<typeof subjectLedger>['body']['after'];

function Ledger({ query }: { query: URLSearchParams }) {
  const month = companyDay().slice(0, 7);
  const [subjectId, setSubject] = useState(query.get('subject'));
  const [months, setMonths] = useState({ from: query.get('from') ?? month, to: query.get('to') ?? month });
  /** Where the pages before and the one that is shown begin; the first one has no mark. */
  const [marks, setMarks] = useState<Mark[]>([]);
  const after = marks.at(-1);
  const subjects = useSubjectOptions(anySubject);
  const { data, error, isError, refetch } = useCall(
    subjectLedger,
    { body: { subjectId: subjectId ?? '', ...months, ...(after ? { after } : {}) } },
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
          onChange={(id: string) => {
            setMarks([]);
            setSubject(id);
          }}
        />
        <Months
          {...months}
          onChange={(from, to) => {
            setMarks([]);
            setMonths({ from, to });
          }}
        />
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
            <LineTable row={LedgerLine} rows={data?.lines} columns={COLUMNS} label="明细账" />
          </>
        )}
      </div>
      {data && subjectId !== null && (
        <div className="pager">
          <span>
            共 <b className="num">{formatInteger(data.count)}</b> 笔
          </span>
          {(data.next || marks.length > 0) && <span className="label">第 {marks.length + 1} 页</span>}
          <span className="spring" />
          <Button size="small" disabled={marks.length === 0} onClick={() => setMarks(marks.slice(0, -1))}>
            上一页
          </Button>
          <Button
            size="small"
            disabled={data.next === null}
            onClick={() => data.next && setMarks([...marks, data.next])}
          >
            下一页
          </Button>
        </div>
      )}
    </div>
  );
}
