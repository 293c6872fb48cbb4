import '../accounting.css';
import { Checkbox, Segmented } from 'antd';
import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { companyDay } from '#kit/web/day.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListHead } from '#kit/web/list/index.ts';
import { Proof } from '#kit/web/proof/Proof.tsx';
import { ErrorState } from '#kit/web/states/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { BalanceRow, type BalanceTotals, LEVELS, trialBalance } from '../../contract/ledger.ts';
import { Months } from '../Months.tsx';

const AMOUNTS = [
  'openingDebit',
  'openingCredit',
  'debit',
  'credit',
  'yearDebit',
  'yearCredit',
  'closingDebit',
  'closingCredit',
] as const satisfies readonly (keyof BalanceTotals)[];

/** Every amount leads to the entries behind it. */
function columnsFor(from: string, to: string): ColumnOverrides<BalanceRow> {
  const cell = (key: keyof BalanceTotals) => ({
    render: (row: BalanceRow) =>
      /[1-9]/.test(row[key]) ? (
        <TabLink
          to="/fin/ledger/detail"
          title={`明细账 ${row.code}`}
          query={{ subject: row.id, from: key.startsWith('year') ? `${to.slice(0, 4)}-01` : from, to }}
        >
          <Money amount={row[key]} currency="CNY" />
        </TabLink>
      ) : (
        <span className="text3">—</span>
      ),
    text: (row: BalanceRow) => row[key],
  });
  return {
    name: {
      render: (row) => <span className={`accounting-level-${row.level}`}>{row.name}</span>,
      text: (row) => row.name,
    },
    ...Object.fromEntries(AMOUNTS.map((key) => [key, cell(key)])),
  };
}

/** 科目余额表: opening, movement, year to date and closing of every subject, with the proof that both sides are equal. */
export default function TrialBalance() {
  const month = companyDay().slice(0, 7);
  const [asked, setAsked] = useState({ from: month, to: month, level: LEVELS, moved: true });
  const { data, error, isError, refetch } = useCall(trialBalance, { body: asked }, { keep: true });
  const totals = data?.totals;
  return (
    <div className="page-list">
      <ListHead title="科目余额表" />
      <div className="accounting-bar">
        <Months {...asked} onChange={(from, to) => setAsked({ ...asked, from, to })} />
        <Segmented
          value={asked.level}
          options={Array.from({ length: LEVELS }, (_, at) => ({ value: at + 1, label: `到 ${at + 1} 级` }))}
          onChange={(level) => setAsked({ ...asked, level })}
        />
        <Checkbox checked={asked.moved} onChange={({ target }) => setAsked({ ...asked, moved: target.checked })}>
          只看有余额或发生额
        </Checkbox>
        {totals && (
          <>
            <Proof total={totals.debit} lines={[totals.credit]} currency="CNY" text="本期借贷相等" off="本期借贷不等" />
            <Proof
              total={totals.closingDebit}
              lines={[totals.closingCredit]}
              currency="CNY"
              text="期末借贷相等"
              off="期末借贷不等"
            />
          </>
        )}
      </div>
      <div className="accounting-body">
        {isError ? (
          <ErrorState error={error} onRetry={() => void refetch()} text={error.message} />
        ) : (
          <LineTable
            row={BalanceRow}
            rows={data?.rows}
            columns={columnsFor(asked.from, asked.to)}
            {...(totals ? { totals } : {})}
            label="科目余额表"
            none="这些月份没有余额，也没有发生额"
          />
        )}
      </div>
    </div>
  );
}
