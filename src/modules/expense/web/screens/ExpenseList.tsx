import '../expense.css';
import { Button, Segmented } from 'antd';
import { useMemo, useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { call } from '#kit/web/api/index.ts';
import type { ColumnOverrides } from '#kit/web/grid/columns.ts';
import { ListScreen } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { Empty } from '#kit/web/states/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { countExpenses, expenseSteps, exportExpenses, listExpenses } from '../../contract/calls.ts';
import { APPLY, APPROVE, ExpenseFilter, ExpenseRow, expenseDocument, PAY } from '../../contract/document.ts';
import { exportPeriodCosts, listPeriodCosts, PeriodFilter, PeriodRow } from '../../contract/period.ts';
import { useDepartmentOptions, useTypeOptions } from '../choices.ts';
import { PayDialog } from '../PayDialog.tsx';
import { Recurring } from '../Recurring.tsx';
import { refreshExpenses } from '../refresh.ts';

type View = 'documents' | 'period' | 'recurring';
const DRAFTS = ['draft', 'returned'];
const notIn = (states: readonly string[], word: string) => (row: ExpenseRow) =>
  states.includes(row.state) ? undefined : `「${expenseDocument.states[row.state].title}」的费用单不能${word}`;

const COLUMNS: ColumnOverrides<ExpenseRow> = {
  number: {
    render: (row) => (
      <TabLink to={expenseDocument.detail} title={row.number} query={{ id: row.id }}>
        {row.number}
      </TabLink>
    ),
    text: (row) => row.number,
  },
  request: {
    render: (row) =>
      row.requestId ? (
        <TabLink to="/f/p/d" title={row.request} query={{ id: row.requestId }}>
          {row.request}
        </TabLink>
      ) : (
        '—'
      ),
    text: (row) => row.request,
  },
};

/** Ticked rows of one currency say their sum. */
function summaryOf(rows: readonly ExpenseRow[]): string | undefined {
  const currency = rows[0]?.currency;
  if (!currency || rows.some((row) => row.currency !== currency)) return undefined;
  return `合计 ${formatMoney(Decimal.sum(0, ...rows.map(({ amount }) => amount)).toFixed(), currency)}`;
}

/** 费用管理: expenses and reimbursements by state, and what the company and its departments bear month by month. */
export default function ExpenseList() {
  const tab = useTab();
  const [mayApply, mayApprove, mayPay] = [useAllowed(APPLY), useAllowed(APPROVE), useAllowed(PAY)];
  const [view, setView] = useState<View>('documents');
  const [paying, setPaying] = useState<ExpenseRow>();
  const feeType = useTypeOptions(true);
  const department = useDepartmentOptions();
  const options = useMemo(() => ({ feeType, department }), [feeType, department]);
  const open = (row: ExpenseRow) => tab.open(expenseDocument.detail, { title: row.number, query: { id: row.id } });
  const edit = ({ id, number }: ExpenseRow) => tab.open('/f/e/e', { title: `编辑${number}`, query: { id } });
  const all = async (rows: readonly ExpenseRow[], step: 'submit' | 'approve', word: string) => {
    try {
      for (const { id, version } of rows) await call(expenseSteps[step], { body: { id, version } }, {});
      notice.success(`已${word} ${rows.length} 单`);
    } finally {
      await refreshExpenses();
    }
  };
  const add = mayApply && (
    <Button type="primary" onClick={() => tab.open('/f/e/e', { title: '新增费用单' })}>
      新增费用单
    </Button>
  );
  const head = (
    <>
      <Segmented<View>
        aria-label="视图"
        value={view}
        onChange={setView}
        options={[
          { value: 'documents', label: '费用单' },
          { value: 'period', label: '期间费用' },
          { value: 'recurring', label: '周期费用' },
        ]}
      />
      {add}
    </>
  );
  if (view === 'recurring') return <Recurring key={view} head={head} />;
  if (view === 'period')
    return (
      <ListScreen
        key={view}
        name="expense/period"
        title="费用管理"
        unit="行"
        endpoint={listPeriodCosts}
        exportEndpoint={exportPeriodCosts}
        row={PeriodRow}
        filter={PeriodFilter}
        options={options}
        head={head}
        note="归属公司与部门的费用，不计入店铺利润"
      />
    );
  return (
    <>
      <ListScreen
        name="expense/documents"
        title="费用管理"
        unit="单"
        endpoint={listExpenses}
        exportEndpoint={exportExpenses}
        row={ExpenseRow}
        filter={ExpenseFilter}
        options={options}
        tabs={{ field: 'state', counts: countExpenses }}
        columns={COLUMNS}
        head={head}
        onOpen={open}
        batch={[
          ...(mayApply
            ? [
                {
                  label: '提交',
                  unfit: notIn(DRAFTS, '提交'),
                  onClick: (rows: ExpenseRow[]) => void all(rows, 'submit', '提交'),
                },
              ]
            : []),
          ...(mayApprove
            ? [
                {
                  label: '审核通过',
                  unfit: notIn(['submitted'], '审核'),
                  onClick: (rows: ExpenseRow[]) => void all(rows, 'approve', '通过'),
                },
              ]
            : []),
        ]}
        batchSummary={summaryOf}
        actions={(row) => [
          ...(mayPay && row.state === 'approved' && row.requestId === null
            ? [{ label: '申请付款', onClick: () => setPaying(row) }]
            : []),
          ...(mayApply && DRAFTS.includes(row.state) ? [{ label: '编辑', edits: true, onClick: () => edit(row) }] : []),
          { label: '查看', onClick: () => open(row) },
        ]}
        empty={
          <Empty title="还没有费用单" text="报销和日常费用在这里填写；审核通过后计入利润或期间费用，并向资金申请付款。">
            {add}
          </Empty>
        }
      />
      {paying && <PayDialog expense={paying} onClose={() => setPaying(undefined)} />}
    </>
  );
}
