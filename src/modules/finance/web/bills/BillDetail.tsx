import { useState } from 'react';
import type { OfferedAction } from '#kit/contract/document.ts';
import { call, useCall } from '#kit/web/api/index.ts';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, eventsOf, Stream, stepsOf } from '#kit/web/document/index.ts';
import { OwnAddress } from '#kit/web/list/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import {
  type BillRow,
  billData,
  matchBill,
  moveBill,
  platformBill,
  settleBill,
  UPLOAD,
} from '../../contract/bills/bill.ts';
import { APPLY } from '../../contract/requests.ts';
import { refreshRequests } from '../refresh.ts';
import { BillOrders } from './BillOrders.tsx';
import { BillPayments, BillSheet } from './BillSheets.tsx';
import { ConfirmDialog } from './LineDialogs.tsx';
import { refreshBills } from './refresh.ts';

/** Steps on the way of a bill; what is matched in part stands where it was uploaded. */
const wayOf = (state: BillRow['state']) => [
  state === 'partly' ? 'partly' : 'uploaded',
  'matched',
  'confirmed',
  'settled',
];
const TO_MATCH: readonly string[] = ['uploaded', 'partly'];

interface May {
  upload: boolean;
  apply: boolean;
  /** Orders whose payment nobody has asked for. */
  payable: number;
}

/** What can be done with a bill besides its plain steps. */
function ownActions({ state }: BillRow, may: May): OfferedAction[] {
  const one = (name: string, title: string, consequence: string) => [
    { name, title, primary: true, reason: false, consequence },
  ];
  if (may.upload && TO_MATCH.includes(state)) return one('match', '自动匹配', '按1688订单号查找采购单，已匹配的不变');
  if (may.upload && state === 'matched') return one('confirm', '确认账单', '确认后不能再修改匹配');
  if (!may.apply || state !== 'confirmed' || may.payable === 0) return [];
  return one('settle', '生成付款', `${may.payable} 笔订单按采购单生成请款单并提交审核，还款日为预计付款日`);
}

/** One bill: its figures, its four sheets, and what was asked to be paid for it. */
export function BillDetail({ id }: { id: string }) {
  const { data, error, refetch } = useCall(billData, { params: { id } }, { staleTime: 0 });
  const [confirming, setConfirming] = useState(false);
  const upload = useAllowed(UPLOAD);
  const apply = useAllowed(APPLY);
  const bill = data?.document;
  const body = { id, version: bill?.version };
  const settle = async () => {
    const { message, skipped } = await call(settleBill, { body }, {});
    notice.success(message);
    for (const one of skipped.slice(0, 3)) notice.info(`${one.order}：${one.reason}`);
    await refreshRequests();
  };
  const run = async (name: string, reason?: string) => {
    if (name === 'confirm') return setConfirming(true);
    if (name === 'settle') await settle();
    else if (name === 'match') notice.success((await call(matchBill, { body }, {})).message);
    else {
      const action = name as 'reopen' | 'cancel';
      notice.success((await call(moveBill, { body: { ...body, action, reason } }, {})).message);
    }
    await refreshBills();
  };
  const { counts } = data ?? {};
  const money = (key: string, label: string, amount: string | undefined) => ({
    key,
    label,
    value: amount === undefined ? '—' : <Money amount={amount} currency="CNY" />,
  });
  const sheet = (key: 'repayments' | 'refunds' | 'topups', title: string) => ({
    key,
    title,
    ...(counts ? { count: counts[key] } : {}),
    content: (
      <OwnAddress key={key}>
        <BillSheet id={id} sheet={key} />
      </OwnAddress>
    ),
  });
  return (
    <>
      <DocumentScreen
        number={bill?.number}
        state={bill && platformBill.states[bill.state]}
        subject={bill && `${bill.buyerAccount} · 出账日 ${bill.statementDate} · 还款日 ${bill.dueOn}`}
        steps={bill && bill.state !== 'cancelled' ? stepsOf(platformBill, wayOf(bill.state), bill.state) : []}
        figures={
          bill &&
          counts && [
            money('amount', '入账金额', bill.amount),
            { key: 'orders', label: '订单笔数', value: bill.orderCount },
            { key: 'matched', label: '已匹配', value: `${bill.matchedCount} / ${bill.orderCount}` },
            money('difference', '差异', bill.difference),
            money('requested', '已请款', bill.requested),
            money('paid', '已付款', bill.paid),
          ]
        }
        error={error}
        onRetry={() => void refetch()}
        tabs={
          bill
            ? [
                {
                  key: 'orders',
                  title: '账单明细',
                  ...(counts ? { count: counts.orders } : {}),
                  content: (
                    <OwnAddress key="orders">
                      <BillOrders bill={bill} />
                    </OwnAddress>
                  ),
                },
                sheet('repayments', '还款记录'),
                sheet('refunds', '退款记录'),
                sheet('topups', '充退记录'),
                {
                  key: 'payments',
                  title: '付款明细',
                  ...(counts ? { count: counts.payments } : {}),
                  content: (
                    <OwnAddress key="payments">
                      <BillPayments id={id} />
                    </OwnAddress>
                  ),
                },
                {
                  key: 'log',
                  title: '操作记录',
                  content: <Stream title="操作记录" events={eventsOf(data?.timeline)} />,
                },
              ]
            : []
        }
        actions={
          bill ? [...(data?.actions ?? []), ...ownActions(bill, { upload, apply, payable: counts?.payable ?? 0 })] : []
        }
        onAction={run}
      />
      {confirming && bill && <ConfirmDialog bill={bill} onClose={() => setConfirming(false)} />}
    </>
  );
}
