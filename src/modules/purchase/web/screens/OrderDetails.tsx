import { Button } from 'antd';
import { useState } from 'react';
import { Decimal } from '#kit/contract/decimal.ts';
import type { OfferedAction } from '#kit/contract/document.ts';
import { formatInteger, formatPercent } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { call, useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { Money } from '#kit/web/cells/index.ts';
import { DocumentScreen, type DocumentTab, stepsOf, useNotes } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { allows, usePermissions } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { APPLY } from '#modules/finance/contract/requests.ts';
import { EXCHANGE } from '../../contract/exchange.ts';
import { AMEND, CLOSE, EDIT, OVER_RECEIVE, PRICE, RECEIVE, RETURN } from '../../contract/fields.ts';
import { type OrderHead, OrderLineRow, OrderReceiptRow, OrderStage, purchaseOrder } from '../../contract/order.ts';
import { type OrderStep, orderDetail, orderNotes, orderSteps } from '../../contract/order-calls.ts';
import { refreshOrders } from '../choices.ts';
import { returnable } from '../exchange/lines.ts';
import { AmendDialog } from '../order/AmendDialog.tsx';
import { Amendments } from '../order/Amendments.tsx';
import { Charges } from '../order/Charges.tsx';
import { Clauses } from '../order/Clauses.tsx';
import { CloseDialog } from '../order/CloseDialog.tsx';
import { Invoices } from '../order/Invoices.tsx';
import { MergeWith } from '../order/MergeDialog.tsx';
import { OrderFacts } from '../order/OrderFacts.tsx';
import { Payments } from '../order/Payments.tsx';
import { PrintMenu } from '../order/PrintMenu.tsx';
import { RequestDialog } from '../order/RequestDialog.tsx';
import { Shipments } from '../order/Shipments.tsx';
import { SplitDialog } from '../order/SplitDialog.tsx';
import { InspectDialog } from '../receipt/InspectDialog.tsx';
import { ReceiveDialog } from '../receipt/ReceiveDialog.tsx';
import { ReturnDialog } from '../return/ReturnDialog.tsx';
import '../purchase.css';

const WAY = ['draft', 'pending', 'approved', 'ordered', 'closed'];
const STAGES = OrderStage.meta()?.states ?? {};

function figuresOf(order: OrderHead, prices: boolean): Figure[] {
  const money = (key: string, label: string, amount: string | null): Figure[] =>
    prices ? [{ key, label, value: <Money amount={amount} currency={order.currency} /> }] : [];
  return [
    ...money('amount', '采购总额', order.amount),
    { key: 'qty', label: '数量', value: formatInteger(order.qty) },
    { key: 'received', label: '入库进度', value: formatPercent(order.receivedShare, 0) },
    { key: 'open', label: '待到货', value: formatInteger(order.openQty) },
    ...money('due', '应付', order.dueAmount),
    ...money('paid', '已付', order.paidAmount),
  ];
}

const LINES = [
  'product',
  'qty',
  'unitPrice',
  'lastPrice',
  'amount',
  'received',
  'inspecting',
  'rejected',
  'returned',
  'exchanging',
  'cancelled',
  'openQty',
  'expectedOn',
] as const;

const RECEIPTS = [
  'number',
  'kind',
  'state',
  'product',
  'qty',
  'passed',
  'special',
  'rejected',
  'amount',
  'cost',
  'day',
  'by',
] as const;

/** Actions that ask for more before they are taken. */
const DIALOGS = ['receive', 'close', 'return', 'request', 'amend', 'split', 'merge'] as const;
type Opened = { what: (typeof DIALOGS)[number] } | { what: 'inspect'; id: string; number: string };

/** 采购单详情: what was ordered, what came of it, and what can be done now. */
export default function OrderDetails() {
  const tab = useTab();
  const permissions = usePermissions();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(orderDetail, { params: { id } }, { staleTime: 0 });
  const [opened, setOpened] = useState<Opened>();
  const notes = useNotes({ calls: orderNotes, id, timeline: data?.timeline, refresh: refetch });
  const order = data?.order;
  const prices = allows(permissions, PRICE);
  const placed = order?.state === 'ordered';
  const waiting = data?.receipts.find((row) => row.state === '待质检');

  const run = async (name: string, reason?: string) => {
    if (name === 'exchange') return tab.open('/e/p/c/c', { title: '新增采购换货', query: { order: id } });
    const dialog = DIALOGS.find((one) => one === name);
    if (dialog) {
      return setOpened({ what: dialog });
    }
    if (name === 'inspect' && waiting) {
      return setOpened({ what: 'inspect', id: waiting.documentId, number: waiting.number });
    }
    const body = { id, ...(order ? { version: order.version } : {}), ...(reason ? { reason } : {}) };
    const done = await call(orderSteps[name as OrderStep], { body }, {});
    notice.success(done.message);
    await refreshOrders();
  };
  const mayCome = data?.lines.some((line) => line.mostQty > 0 || allows(permissions, OVER_RECEIVE)) ?? false;
  const mayGo = data?.lines.some((line) => returnable(line) > 0) ?? false;
  const asks = new Decimal(data?.money.left ?? 0).gt(0) && (placed || order?.state === 'closed');
  const own = (name: string, title: string, code: string, when: boolean, primary = false): OfferedAction[] =>
    when && allows(permissions, code) ? [{ name, title, primary, reason: false }] : [];
  const unplaced = order?.state === 'draft' || order?.state === 'approved';
  const offered: OfferedAction[] = [
    ...(data?.actions ?? []),
    ...own('split', '拆分', EDIT, unplaced && (order?.qty ?? 0) > 1),
    ...own('merge', '合并', EDIT, unplaced),
    ...own('close', '结束收货', CLOSE, placed && (order?.openQty ?? 0) > 0),
    ...own('amend', '变更', AMEND, placed),
    ...own('exchange', '换货', EXCHANGE, mayGo && (placed || order?.state === 'closed')),
    ...own('return', '退货', RETURN, mayGo && (placed || order?.state === 'closed')),
    ...own('request', '请款', APPLY, asks),
    ...own('inspect', '登记质检', RECEIVE, placed && waiting !== undefined, true),
    ...own('receive', '登记到货', RECEIVE, placed && mayCome, waiting === undefined),
  ];
  const tabs: DocumentTab[] = [
    {
      key: 'lines',
      title: '商品明细',
      ...(data ? { count: data.lines.length } : {}),
      content: (
        <>
          <LineTable row={OrderLineRow} rows={data?.lines} only={LINES} density="picture" label="商品明细" />
          {order && <OrderFacts order={order} prices={prices} links={data?.links ?? []} />}
        </>
      ),
    },
    {
      key: 'receipts',
      title: '到货、质检与退换货',
      ...(data ? { count: data.receipts.length } : {}),
      content: (
        <LineTable
          row={OrderReceiptRow}
          rows={data?.receipts}
          only={RECEIPTS}
          density="picture"
          label="到货、质检与退换货"
          none="还没有到货"
        />
      ),
    },
    {
      key: 'shipments',
      title: '供应商发货',
      content: <Shipments orderId={id} open={placed} />,
    },
    {
      key: 'payments',
      title: '请款与付款',
      ...(data ? { count: data.payments.length } : {}),
      content: data && <Payments payments={data.payments} money={data.money} prices={prices} />,
    },
    {
      key: 'invoices',
      title: '发票',
      content: order && <Invoices order={order} lines={data.lines} />,
    },
    { key: 'clauses', title: '合同条款', content: order && <Clauses clauses={order.clauses} /> },
    { key: 'amendments', title: '变更', content: <Amendments orderId={id} /> },
    {
      key: 'charges',
      title: '后到费用',
      content: <Charges orderId={id} came={(order?.receivedQty ?? 0) > 0} overseas={order?.overseas ?? false} />,
    },
    notes.tab,
  ];
  return (
    <>
      <DocumentScreen
        number={order?.number}
        state={order && STAGES[order.stage]}
        subject={order && `${order.supplier} · 评级 ${order.supplierGrade} · ${order.warehouse}`}
        steps={order ? stepsOf(purchaseOrder, WAY, order.state) : []}
        figures={order && figuresOf(order, prices)}
        error={error}
        onRetry={() => void refetch()}
        head={
          <>
            <PrintMenu order={order} prices={prices} />
            <Allowed code={EDIT}>
              <Button onClick={() => tab.open('/e/p/o', { title: `复制${order?.number ?? ''}`, query: { copy: id } })}>
                复制
              </Button>
              {unplaced && order && (
                <Button data-edit onClick={() => tab.open('/e/p/o', { title: `编辑${order.number}`, query: { id } })}>
                  编辑
                </Button>
              )}
            </Allowed>
          </>
        }
        tabs={tabs}
        side={notes.side}
        actions={offered}
        onAction={run}
        approval={order && { def: purchaseOrder, id, onChanged: () => void refreshOrders() }}
      />
      {opened?.what === 'receive' && data && (
        <ReceiveDialog orderId={id} lines={data.lines} onClose={() => setOpened(undefined)} />
      )}
      {opened?.what === 'inspect' && <InspectDialog receipt={opened} onClose={() => setOpened(undefined)} />}
      {opened?.what === 'split' && <SplitDialog orderId={id} onClose={() => setOpened(undefined)} />}
      {opened?.what === 'merge' && order && <MergeWith order={order} onClose={() => setOpened(undefined)} />}
      {opened?.what === 'amend' && order && data && (
        <AmendDialog order={order} lines={data.lines} onClose={() => setOpened(undefined)} />
      )}
      {opened?.what === 'request' && order && data && (
        <RequestDialog order={order} left={data.money.left ?? '0'} onClose={() => setOpened(undefined)} />
      )}
      {opened?.what === 'return' && data && (
        <ReturnDialog orderId={id} lines={data.lines} replaceable={placed} onClose={() => setOpened(undefined)} />
      )}
      {opened?.what === 'close' && order && data && (
        <CloseDialog order={order} lines={data.lines} onClose={() => setOpened(undefined)} />
      )}
    </>
  );
}
