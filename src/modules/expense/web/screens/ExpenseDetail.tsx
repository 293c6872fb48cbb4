import '../expense.css';
import { PrinterOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import type { OfferedAction } from '#kit/contract/document.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, download, useCall } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, FactColumns, Facts, stepsOf, useNotes } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { type ExpenseStep, expenseData, expenseNotes, expenseSteps, printExpense } from '../../contract/calls.ts';
import {
  APPLY,
  ExpenseKind,
  type ExpenseRow,
  expenseDocument,
  LineRow,
  PAY,
  Scope,
  ShareRow,
} from '../../contract/document.ts';
import { MonthTables } from '../MonthTables.tsx';
import { PayDialog } from '../PayDialog.tsx';
import { RecurringDialog } from '../RecurringDialog.tsx';
import { refreshExpenses } from '../refresh.ts';

const WAY = ['draft', 'submitted', 'approved', 'paid'];
const STORES = ['store', 'product', 'amount'] as const;
const DEPARTMENTS = ['department', 'amount'] as const;
const PAYMENT: OfferedAction = {
  name: 'requestPayment',
  title: '申请付款',
  primary: true,
  reason: false,
  consequence: '生成请款单，由资金审核并付款',
};

function Request({ head }: { head: ExpenseRow }) {
  if (head.requestId === null) return '—';
  return (
    <TabLink to="/f/p/d" title={head.request} query={{ id: head.requestId }}>
      {head.request}
    </TabLink>
  );
}

/** One expense: its lines, who bears it month by month, its way to the payment, and what can be done with it now. */
export default function ExpenseDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(expenseData, { params: { id } }, { staleTime: 0 });
  const notes = useNotes({ calls: expenseNotes, id, timeline: data?.timeline, refresh: refetch });
  const [paying, setPaying] = useState(false);
  const [repeating, setRepeating] = useState(false);
  const head = data?.document;
  const payable = useAllowed(PAY) && head?.state === 'approved' && head.requestId === null;
  const run = async (name: string, reason?: string) => {
    if (name === PAYMENT.name) return setPaying(true);
    const body = { id, ...(head ? { version: head.version } : {}), ...(reason ? { reason } : {}) };
    const done = await call(expenseSteps[name as ExpenseStep], { body }, {});
    notice.success(done.message);
    await refreshExpenses();
  };
  const kind = head && ExpenseKind.meta()?.states?.[head.kind]?.title;
  const scope = head && Scope.meta()?.states?.[head.scope]?.title;
  return (
    <>
      <DocumentScreen
        number={head?.number}
        state={head && expenseDocument.states[head.state]}
        subject={head && [kind, head.payee, head.department].filter(Boolean).join(' · ')}
        steps={head ? stepsOf(expenseDocument, WAY, head.state) : []}
        figures={
          head && [
            { key: 'amount', label: '金额', value: <Money amount={head.amount} currency={head.currency} /> },
            { key: 'cny', label: '折合人民币', value: <Money amount={head.amountCny} currency="CNY" /> },
            { key: 'scope', label: '归属', value: scope },
            { key: 'months', label: '摊销月数', value: head.months },
          ]
        }
        error={error}
        onRetry={() => void refetch()}
        head={
          <>
            <Button
              icon={<PrinterOutlined />}
              disabled={!head}
              onClick={() => void download(printExpense, { params: { id } }).catch(() => undefined)}
            >
              打印
            </Button>
            <Allowed code={APPLY}>
              <Button disabled={!head} onClick={() => setRepeating(true)}>
                设为周期费用
              </Button>
              {head && ['draft', 'returned'].includes(head.state) && (
                <Button data-edit onClick={() => tab.open('/f/e/e', { title: `编辑${head.number}`, query: { id } })}>
                  编辑
                </Button>
              )}
            </Allowed>
          </>
        }
        tabs={[
          {
            key: 'lines',
            title: '费用明细',
            ...(data ? { count: data.lines.length } : {}),
            content: (
              <>
                <LineTable row={LineRow} rows={data?.lines} rowId={(row) => String(row.lineNo)} label="费用明细" />
                {head && head.scope !== 'COMPANY' && (
                  <LineTable
                    row={ShareRow}
                    rows={data?.shares}
                    only={head.scope === 'DEPARTMENT' ? DEPARTMENTS : STORES}
                    label="归属明细"
                  />
                )}
                <FactColumns>
                  <Facts
                    title="费用"
                    facts={[
                      { label: '费用日期', value: head?.spentOn },
                      { label: '申请人', value: head?.createdByName },
                      { label: '审核人', value: head?.approvedByName || '—' },
                      { label: '请款单', value: head ? <Request head={head} /> : '—' },
                      { label: '备注', value: head?.remark || '—' },
                    ]}
                  />
                </FactColumns>
              </>
            ),
          },
          {
            key: 'months',
            title: '摊销与入账',
            ...(data ? { count: data.schedule.length } : {}),
            content: <MonthTables schedule={data?.schedule} costs={data?.costs} />,
          },
          notes.tab,
        ]}
        side={notes.side}
        actions={[...(data?.actions ?? []), ...(payable ? [PAYMENT] : [])]}
        onAction={run}
        approval={head && { def: expenseDocument, id, onChanged: () => void refreshExpenses() }}
      />
      {repeating && head && <RecurringDialog expense={head} onClose={() => setRepeating(false)} />}
      {paying && head && <PayDialog expense={head} onClose={() => setPaying(false)} />}
    </>
  );
}
