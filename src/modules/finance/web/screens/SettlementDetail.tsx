import '../finance.css';
import { PrinterOutlined } from '@ant-design/icons';
import { Button } from 'antd';
import { useState } from 'react';
import type { OfferedAction } from '#kit/contract/document.ts';
import { formatMoney } from '#kit/contract/format.ts';
import { cacheKey, call, download, queryClient, useCall, uuid } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, stepsOf, useNotes } from '#kit/web/document/index.ts';
import { FormDialog, useForm } from '#kit/web/form/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { minus } from '../../contract/fields.ts';
import { StatementLine } from '../../contract/payables.ts';
import { paymentRequest } from '../../contract/requests.ts';
import {
  ConfirmForm,
  confirmSettlement,
  countSettlements,
  listSettlements,
  moveSettlement,
  printSettlement,
  SETTLE,
  type SettlementRow,
  settlementData,
  settlementNotes,
  supplierSettlement,
} from '../../contract/settlements.ts';
import { refreshRequests } from '../refresh.ts';

const WAY = ['draft', 'confirmed', 'requested'];

async function refresh(): Promise<void> {
  await Promise.all(
    [settlementData, listSettlements, countSettlements].map((each) =>
      queryClient.invalidateQueries({ queryKey: cacheKey(each) }),
    ),
  );
}

/** What the supplier states that we owe him, beside our own figure. */
function ConfirmDialog({ head, onClose }: { head: SettlementRow; onClose: () => void }) {
  const owed = head.closing?.startsWith('-') ? minus(head.closing) : '0';
  const form = useForm(ConfirmForm, { stated: owed.replace(/(\.\d\d)\d+$/, '$1') });
  return (
    <FormDialog
      title={`确认对账 ${head.number}`}
      open
      form={form}
      columns={1}
      okText="确认"
      fields={{
        stated: { prefix: head.currency, help: `我方账面应付 ${formatMoney(owed, head.currency)}` },
        reason: { help: '金额不一致时必填' },
      }}
      onSubmit={async (values) => {
        const body = { ...values, id: head.id, version: head.version };
        await call(confirmSettlement, { body }, { quiet: true, idempotencyKey: uuid() });
        await refresh();
      }}
      onClose={onClose}
    />
  );
}

/** One settlement: our statement of the period, the supplier's figure, what came of it. */
export default function SettlementDetail() {
  const id = new URLSearchParams(useTab().address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(settlementData, { params: { id } }, { staleTime: 0 });
  const notes = useNotes({ calls: settlementNotes, id, timeline: data?.timeline, refresh: refetch });
  const [confirming, setConfirming] = useState(false);
  const head = data?.document;
  const maySettle = useAllowed(SETTLE);
  const run = async (name: string, reason?: string) => {
    if (name === 'confirm') return setConfirming(true);
    const action = name as 'reopen' | 'request' | 'cancel';
    const done = await call(moveSettlement, { body: { id, version: head?.version, action, reason } }, {});
    notice.success(done.message);
    await refresh();
    await refreshRequests();
  };
  const actions: OfferedAction[] = [
    ...(data?.actions ?? []),
    ...(maySettle && head?.state === 'draft'
      ? [
          {
            name: 'confirm',
            title: '确认对账',
            primary: true,
            reason: false,
            consequence: '我方数字按现在的账面固定下来',
          },
        ]
      : []),
  ];
  const figure = (key: string, label: string, amount: string | null | undefined) => ({
    key,
    label,
    value: amount && head ? <Money amount={amount} currency={head.currency} /> : '—',
  });
  return (
    <>
      <DocumentScreen
        number={head?.number}
        state={head && supplierSettlement.states[head.state]}
        subject={
          head && (
            <>
              {head.supplier} · {head.from} 至 {head.to}
              {head.requestId && (
                <>
                  {' · '}
                  <TabLink to={paymentRequest.detail} title={head.requestNumber ?? ''} query={{ id: head.requestId }}>
                    {head.requestNumber}
                  </TabLink>
                </>
              )}
            </>
          )
        }
        steps={head ? stepsOf(supplierSettlement, WAY, head.state) : []}
        figures={
          head && [
            figure('opening', '期初', head.opening),
            figure('raised', '应付增加', head.raised),
            figure('paid', '付款与冲减', head.paid),
            figure('closing', '期末（负数为我方欠款）', head.closing),
            figure('stated', '对方账单', head.stated),
            figure('difference', '差异', head.difference),
          ]
        }
        error={error}
        onRetry={() => void refetch()}
        head={
          <Button
            icon={<PrinterOutlined />}
            disabled={!head}
            onClick={() => void download(printSettlement, { params: { id } }).catch(() => undefined)}
          >
            打印
          </Button>
        }
        tabs={[
          {
            key: 'lines',
            title: '往来明细',
            ...(data ? { count: data.lines.length } : {}),
            content: <LineTable row={StatementLine} rows={data?.lines} label="往来明细" none="这段时间没有往来" />,
          },
          notes.tab,
        ]}
        side={notes.side}
        actions={actions}
        onAction={run}
      />
      {confirming && head && <ConfirmDialog head={head} onClose={() => setConfirming(false)} />}
    </>
  );
}
