import { Button } from 'antd';
import { useState } from 'react';
import { metaOf } from '#kit/contract/columns.ts';
import { formatInteger } from '#kit/contract/format.ts';
import { Allowed } from '#kit/web/Allowed.tsx';
import { useCall } from '#kit/web/api/index.ts';
import type { Figure } from '#kit/web/cards/Figures.tsx';
import { Money, State, StoreName, When } from '#kit/web/cells/index.ts';
import { DocumentScreen } from '#kit/web/document/index.ts';
import { useTab } from '#kit/web/tabs/scope.ts';
import { ShipmentState } from '../../contract/acts.ts';
import { type OrderDetail as Detail, orderDetail } from '../../contract/orders.ts';
import { OrderStatus } from '../../contract/status.ts';
import { OrderActs } from '../acts/OrderActs.tsx';
import { OrderChanges } from '../OrderChanges.tsx';
import { OrderFacts } from '../OrderFacts.tsx';
import { OrderLines } from '../OrderLines.tsx';
import { OrderParcels } from '../OrderParcels.tsx';
import { OrderShipments } from '../OrderShipments.tsx';
import { RemarkDialog } from '../RemarkDialog.tsx';

function figuresOf(order: Detail): Figure[] {
  const money = (key: string, label: string, amount: string | null): Figure => ({
    key,
    label,
    value: <Money amount={amount} currency={order.currency} />,
  });
  return [
    money('total', '订单总金额', order.orderTotal),
    money('items', '商品金额', order.itemAmount),
    money('discount', '折扣', order.discountAmount),
    { key: 'quantity', label: '数量', value: formatInteger(order.quantity), hint: `${order.lines.length} 行` },
    {
      key: 'purchased',
      label: '订购时间',
      value: <When at={order.purchasedAt} />,
      hint: `站点日期 ${order.localDate}`,
    },
    { key: 'ship', label: '最晚发货', value: <When at={order.latestShipAt} /> },
  ];
}

/** 订单详情: one order on a page of its own. */
export default function OrderDetail() {
  const tab = useTab();
  const id = new URLSearchParams(tab.address.split('?')[1]).get('id') ?? '';
  const [remarking, setRemarking] = useState(false);
  const { data, error, refetch } = useCall(orderDetail, { params: { id } });
  return (
    <>
      <DocumentScreen
        number={data?.amazonOrderId}
        state={data && metaOf(OrderStatus).states?.[data.status]}
        subject={
          data && (
            <>
              <StoreName store={data.store} />{' '}
              {data.shipping !== null && <State value={data.shipping} states={metaOf(ShipmentState).states} />}
            </>
          )
        }
        figures={data && figuresOf(data)}
        error={error}
        onRetry={() => void refetch()}
        head={
          <>
            {data && <OrderActs order={data} />}
            <Allowed code="amz:order:edit">
              <Button data-edit disabled={!data} onClick={() => setRemarking(true)}>
                备注
              </Button>
            </Allowed>
          </>
        }
        tabs={[
          { key: 'lines', title: '商品明细', ...countOf(data?.lines), content: data && <OrderLines order={data} /> },
          { key: 'facts', title: '概况', content: data && <OrderFacts order={data} /> },
          {
            key: 'packages',
            title: '包裹',
            ...countOf(data?.packages),
            content: data && (
              <>
                <OrderParcels order={data} />
                <OrderShipments order={data} />
              </>
            ),
          },
        ]}
        about={data && { type: 'order', id: data.id }}
        side={data && <OrderChanges id={data.id} />}
      />
      {remarking && data && (
        <RemarkDialog orders={{ ids: [data.id], remark: data.remark ?? '' }} onClose={() => setRemarking(false)} />
      )}
    </>
  );
}

function countOf(list: readonly unknown[] | undefined): { count?: number } {
  return list ? { count: list.length } : {};
}
