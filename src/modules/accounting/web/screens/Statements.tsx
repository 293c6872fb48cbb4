import '../accounting.css';
import { Button, DatePicker } from 'antd';
import dayjs from 'dayjs';
import { useState } from 'react';
import { download, useCall } from '#kit/web/api/index.ts';
import { companyDay } from '#kit/web/day.ts';
import { ListHead, StatusTabs } from '#kit/web/list/index.ts';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { Banner, ErrorState } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import {
  exportStatement,
  printStatement,
  readStatement,
  STATEMENTS,
  type Statement,
} from '../../contract/statements.ts';
import { StatementDrawer } from '../StatementDrawer.tsx';
import { StatementTable } from '../StatementTable.tsx';

const TABS = Object.fromEntries(
  Object.entries(STATEMENTS).map(([key, title]) => [key, { title, tone: 'off' as const }]),
);

/** 财务报表: the three statements of a month; every amount opens what it is made of. */
export default function Statements() {
  const [statement, setStatement] = useState<Statement>('balance');
  const [month, setMonth] = useState(companyDay().slice(0, 7));
  const [open, setOpen] = useState<string>();
  const body = { statement, month };
  const { data, error, isError, refetch } = useCall(readStatement, { body });
  const title = STATEMENTS[statement];
  const lines = data?.lines;
  const unmapped = data?.unmapped ?? [];
  const table = (side: 'left' | 'right', label: string) => (
    <StatementTable
      statement={statement}
      lines={lines?.filter((line) => line.side === side)}
      label={label}
      onOpen={(line) => setOpen(line.title)}
    />
  );
  return (
    <div className="page-list">
      <ListHead
        title="财务报表"
        tabs={
          <StatusTabs
            states={TABS}
            counts={undefined}
            apart
            value={statement}
            onChange={(key) => {
              setOpen(undefined);
              setStatement((key ?? 'balance') as Statement);
            }}
          />
        }
      >
        <Button onClick={() => void download(printStatement, { body }).catch(() => undefined)}>打印</Button>
        <Button onClick={() => void download(exportStatement, { body }).catch(() => undefined)}>导出</Button>
      </ListHead>
      <div className="accounting-bar">
        <DatePicker
          aria-label="月份"
          picker="month"
          allowClear={false}
          value={dayjs(`${month}-01`)}
          onChange={(day) => day && setMonth(day.format('YYYY-MM'))}
        />
        <span className="label">小企业会计准则，单位：元（人民币）</span>
        {data?.proofs.map(({ text, off, one, other }) => (
          <Proof key={text} total={one} lines={other} currency="CNY" text={text} off={off} />
        ))}
      </div>
      <div className="accounting-body">
        {unmapped.length > 0 && data && (
          <Banner>
            {statement === 'cash' ? '对方科目无法判断项目，列为未归类：' : '没有对应报表项目的科目：'}
            {unmapped.map(({ id, code, name }) => (
              <TabLink
                key={id}
                to="/fin/ledger/detail"
                title={`明细账 ${code}`}
                query={{ subject: id, from: data.since, to: month }}
              >
                {`${code} ${name} `}
              </TabLink>
            ))}
          </Banner>
        )}
        {isError ? (
          <ErrorState error={error} onRetry={() => void refetch()} text={error.message} />
        ) : statement === 'balance' ? (
          <div className="accounting-two">
            {table('left', '资产')}
            {table('right', '负债和所有者权益')}
          </div>
        ) : (
          <div className="accounting-one">{table('left', title)}</div>
        )}
      </div>
      {data && (
        <StatementDrawer
          statement={statement}
          lines={data.lines}
          open={open}
          since={data.since}
          month={month}
          onOpen={setOpen}
        />
      )}
    </div>
  );
}
