import { useState } from 'react';
import { formatInteger } from '#kit/contract/format.ts';
import { call, useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { DocumentScreen, type DocumentTab, PiecesDialog, stepsOf, useNotes } from '#kit/web/document/index.ts';
import { notice } from '#kit/web/notice.tsx';
import { useAllowed } from '#kit/web/session.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { useTab } from '#kit/web/tabs/scope.ts';
import { FREIGHT_VIEW } from '../../contract/freight/fields.ts';
import { ShipLineRow, type ShipRow, shipOrder } from '../../contract/order.ts';
import { putShipReceived, type ShipStep, shipNotes, shipOrderDetail, shipSteps } from '../../contract/order-calls.ts';
import { BoxesTab } from '../box/BoxesTab.tsx';
import { refreshShip } from '../choices.ts';
import { OrderFreight } from '../freight/OrderFreight.tsx';
import { OrderButtons } from '../order/OrderButtons.tsx';
import { WayDialog } from '../order/WayDialog.tsx';
import { PapersTab } from '../papers/PapersTab.tsx';
import { OrderBooking } from '../quote-request/OrderBooking.tsx';
import { ReceiptsTab } from '../receipt/ReceiptsTab.tsx';
import '../shipping.css';

const WAY = ['draft', 'pending', 'picking', 'packing', 'ready', 'shipped', 'receiving', 'done'];
const LEFT: readonly string[] = ['shipped', 'receiving', 'done'];
const GOODS = ['product', 'msku', 'fnsku', 'local'] as const;
/** What is asked of a line before it leaves, and after. */
const PLANNED = [
  ...GOODS,
  'qty',
  'available',
  'pickedQty',
  'boxedQty',
  'boxQty',
  'labelOwner',
  'prepOwner',
  'expiresOn',
] as const;
const SENT = [...GOODS, 'qty', 'shippedQty', 'receivedQty', 'lostQty', 'expiresOn'] as const;

const figuresOf = (order: ShipRow): Figure[] => [
  { key: 'skus', label: 'SKU数', value: formatInteger(order.skus) },
  { key: 'qty', label: '计划数量', value: formatInteger(order.qty) },
  { key: 'picked', label: '已配', value: formatInteger(order.pickedQty) },
  { key: 'boxes', label: '箱数', value: formatInteger(order.boxes) },
  { key: 'shipped', label: '已发', value: formatInteger(order.shippedQty) },
  { key: 'received', label: '已接收', value: formatInteger(order.receivedQty) },
];

const subjectOf = ({ store, warehouse, carrier, trackingNo, shipmentNos, remark }: ShipRow): string =>
  [`${warehouse} → ${store.name}-${store.country}`, shipmentNos, carrier, trackingNo, remark]
    .filter(Boolean)
    .join(' · ');

/** 发货单详情: what goes, where it stands, its boxes, and what can be done now. */
export default function OrderDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const { data, error, refetch } = useCall(shipOrderDetail, { params: { id } }, { staleTime: 0 });
  const [open, setOpen] = useState<'way' | 'received'>();
  const notes = useNotes({ calls: shipNotes, id, timeline: data?.timeline, refresh: refetch });
  const seesFreight = useAllowed(FREIGHT_VIEW);
  const { order, lines = [], boxes = [] } = data ?? {};
  const run = async (name: string, reason?: string) => {
    const body = { id, ...(order ? { version: order.version } : {}), ...(reason ? { reason } : {}) };
    notice.success((await call(shipSteps[name as ShipStep], { body }, {})).message);
    await refreshShip();
  };
  const tabs: DocumentTab[] = [
    {
      key: 'lines',
      title: '发货明细',
      ...(data ? { count: lines.length } : {}),
      content: (
        <LineTable
          row={ShipLineRow}
          rows={data?.lines}
          only={order && LEFT.includes(order.state) ? SENT : PLANNED}
          density="picture"
          label="发货明细"
        />
      ),
    },
    {
      key: 'boxes',
      title: '装箱',
      count: boxes.length,
      content: order && <BoxesTab order={order} lines={lines} boxes={boxes} />,
    },
    ...(order && LEFT.includes(order.state)
      ? [{ key: 'receipts', title: '按箱收货', content: <ReceiptsTab id={id} /> }]
      : []),
    ...(seesFreight && order && LEFT.includes(order.state)
      ? [{ key: 'freight', title: '费用', content: <OrderFreight order={order} /> }]
      : []),
    { key: 'booking', title: '订舱', content: <OrderBooking id={id} /> },
    { key: 'papers', title: '报关资料', content: <PapersTab id={id} /> },
    notes.tab,
  ];
  return (
    <>
      <DocumentScreen
        number={order?.number}
        state={order && shipOrder.states[order.state]}
        subject={order && subjectOf(order)}
        steps={order ? stepsOf(shipOrder, WAY, order.state) : []}
        figures={order && figuresOf(order)}
        error={error}
        onRetry={() => void refetch()}
        head={<OrderButtons id={id} order={order} boxes={boxes.length} onOpen={setOpen} />}
        tabs={tabs}
        side={notes.side}
        actions={data?.actions ?? []}
        onAction={run}
        approval={{ def: shipOrder, id, onChanged: () => void refreshShip() }}
      />
      {open === 'way' && order && <WayDialog order={order} onClose={() => setOpen(undefined)} />}
      {open === 'received' && order && (
        <PiecesDialog
          title="登记接收"
          note="填写亚马逊到目前为止的累计接收数；比之前少的数量退回在途，全部接收后发货单完成。"
          word="累计接收"
          lines={lines.map((line) => ({
            ...line,
            product: { ...line.product, code: line.msku },
            qty: line.shippedQty,
          }))}
          start={(line) => line.receivedQty}
          onClose={() => setOpen(undefined)}
          onSend={async (pieces) => {
            const totals = pieces.map(({ lineId, pieces: total }) => ({ lineId, total }));
            const body = { id, version: order.version, lines: totals };
            notice.success((await call(putShipReceived, { body }, { quiet: true })).message);
            await refreshShip();
          }}
        />
      )}
    </>
  );
}
