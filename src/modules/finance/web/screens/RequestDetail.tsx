import '../finance.css';
import { PrinterOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import type { OfferedAction } from '#kit/contract/document.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, download, useCall } from '#kit/web/api/index.ts';
import { Copy, Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, type Fact, FactColumns, Facts, stepsOf, useNotes } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import {
  APPLY,
  PAY,
  PaymentRow,
  paymentRequest,
  printRequest,
  RequestKind,
  RequestLine,
  type RequestStep,
  requestData,
  requestNotes,
  requestSteps,
} from '../../contract/requests.ts';
import { PayDialog } from '../PayDialog.tsx';
import { refreshRequests } from '../refresh.ts';

const WAY = ['draft', 'submitted', 'approved', 'paid'];
const EXPENSE = ['lineNo', 'title', 'category', 'amount', 'remark'] as const;
const DEBT = ['lineNo', 'title', 'payable', 'payableOpen', 'amount', 'remark'] as const;
const KINDS = RequestKind.meta()?.states ?? {};

type Bank = { bankName: string; accountName: string; account: string };

function bankFacts(bank: Bank | null | undefined): Fact[] {
  if (!bank) return [];
  return [
    { label: '开户行', value: bank.bankName },
    { label: '户名', value: bank.accountName },
    {
      label: '账号',
      value: (
        <>
          <span className="code">{bank.account}</span> <Copy text={bank.account} />
        </>
      ),
    },
  ];
}

/** One payment request: what it is for, its way, what was paid, and what can be done with it now. */
export default function RequestDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(requestData, { params: { id } }, { staleTime: 0 });
  const notes = useNotes({ calls: requestNotes, id, timeline: data?.timeline, refresh: refetch });
  const [paying, setPaying] = useState(false);
  const head = data?.document;
  const payable = useAllowed(PAY) && head !== undefined && ['approved', 'partly'].includes(head.state);
  const run = async (name: string, reason?: string) => {
    if (name === 'pay') return setPaying(true);
    const body = { id, ...(head ? { version: head.version } : {}), ...(reason ? { reason } : {}) };
    const done = await call(requestSteps[name as RequestStep], { body }, {});
    notice.success(done.message);
    await refreshRequests();
  };
  const actions: OfferedAction[] = [
    ...(data?.actions ?? []),
    ...(payable
      ? [{ name: 'pay', title: '付款', primary: true, reason: false, consequence: '付款后账户、应付与流水同时更新' }]
      : []),
  ];
  const amount = (value: string) => (head ? <Money amount={value} currency={head.currency} /> : null);
  return (
    <>
      <DocumentScreen
        number={head?.number}
        state={head && paymentRequest.states[head.state]}
        subject={head && [KINDS[head.kind]?.title, head.payee, head.subject].filter(Boolean).join(' · ')}
        steps={
          head
            ? stepsOf(
                paymentRequest,
                head.state === 'partly' ? [...WAY.slice(0, 3), 'partly', 'paid'] : WAY,
                head.state,
              )
            : []
        }
        figures={
          head &&
          data && [
            { key: 'amount', label: '申请金额', value: amount(head.amount) },
            { key: 'paid', label: '已付', value: amount(head.paid) },
            { key: 'open', label: '待付', value: amount(head.open) },
            { key: 'payable', label: '该收款方应付', value: amount(data.dealings.payable) },
            { key: 'prepaid', label: '已预付', value: amount(data.dealings.prepaid) },
          ]
        }
        error={error}
        onRetry={() => void refetch()}
        head={
          <>
            <Button
              icon={<PrinterOutlined />}
              disabled={!head}
              onClick={() => void download(printRequest, { params: { id } }).catch(() => undefined)}
            >
              打印
            </Button>
            <Allowed code={APPLY}>
              {head && ['draft', 'returned'].includes(head.state) && (
                <Button data-edit onClick={() => tab.open('/f/p/e', { title: `编辑${head.number}`, query: { id } })}>
                  编辑
                </Button>
              )}
            </Allowed>
          </>
        }
        tabs={[
          {
            key: 'lines',
            title: '请款明细',
            ...(data ? { count: data.lines.length } : {}),
            content: (
              <>
                <LineTable
                  row={RequestLine}
                  rows={data?.lines}
                  only={head?.kind === 'EXPENSE' ? EXPENSE : DEBT}
                  rowId={(row) => String(row.lineNo)}
                  label="请款明细"
                />
                <FactColumns>
                  <Facts
                    title="付款"
                    facts={[
                      { label: '预计付款日', value: head?.dueOn ?? '—' },
                      { label: '申请人', value: head?.createdByName },
                      { label: '审核人', value: head?.approvedByName || '—' },
                      { label: '备注', value: head?.remark || '—' },
                    ]}
                  />
                  {data?.payTo && <Facts title="收款账户" facts={bankFacts(data.payTo)} />}
                </FactColumns>
              </>
            ),
          },
          {
            key: 'payments',
            title: '付款记录',
            ...(data ? { count: data.payments.length } : {}),
            content: <LineTable row={PaymentRow} rows={data?.payments} label="付款记录" none="还没有付款" />,
          },
          notes.tab,
        ]}
        side={notes.side}
        actions={actions}
        onAction={run}
        approval={head && { def: paymentRequest, id, onChanged: () => void refreshRequests() }}
      />
      {paying && head && <PayDialog requests={[head]} onClose={() => setPaying(false)} />}
    </>
  );
}
