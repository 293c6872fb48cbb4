import { useState } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import { Picture } from '#kit/web/cells/index.ts';
import { DetailDrawer } from '#kit/web/drawer/DetailDrawer.tsx';
import { usePorts } from '#kit/web/ports.ts';
import { useAllowed } from '#kit/web/session.ts';
import { ErrorState } from '#kit/web/states/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { type OrderDetail, orderDetail } from '../contract/orders.ts';
import { OrderActs } from './acts/OrderActs.tsx';
import { OrderChanges } from './OrderChanges.tsx';
import { OrderFacts } from './OrderFacts.tsx';
import { OrderLines } from './OrderLines.tsx';
import { OrderParcels } from './OrderParcels.tsx';
import { OrderShipments } from './OrderShipments.tsx';
import { OrderState } from './OrderState.tsx';

interface Props {
  id: string | undefined;
  onClose: () => void;
}

const parcels = (order: OrderDetail) => (
  <>
    <OrderParcels order={order} />
    <OrderShipments order={order} />
  </>
);

/** One order over the list: its lines and their proof, what else is known, parcels, history. */
export function OrderDrawer({ id, onClose }: Props) {
  const [tab, setTab] = useState('lines');
  const { data, isError, error, refetch } = useCall(
    orderDetail,
    { params: { id: id ?? '' } },
    { enabled: id !== undefined, keep: true },
  );
  const added = usePorts().useDocumentTabs('order', data?.id);
  const mayShip = useAllowed('amz:order:ship');
  const maySolicit = useAllowed('amz:review:send');
  const mayAct = maySolicit || (mayShip && data?.fulfilledBy === 'MERCHANT');
  const body = () => {
    if (isError) return <ErrorState error={error} onRetry={() => void refetch()} />;
    if (!data) return null;
    if (tab === 'facts') return <OrderFacts order={data} />;
    if (tab === 'packages') return parcels(data);
    if (tab === 'changes') return <OrderChanges id={data.id} />;
    return added.find(({ key }) => key === tab)?.content ?? <OrderLines order={data} />;
  };
  return (
    <DetailDrawer
      open={id !== undefined}
      onClose={onClose}
      title={data?.amazonOrderId ?? '订单详情'}
      subtitle={data?.store.name}
      picture={<Picture src={data?.product.image} size={40} />}
      extra={
        data && (
          <TabLink to="/orders/detail" title={data.amazonOrderId} query={{ id: data.id }}>
            打开详情页
          </TabLink>
        )
      }
      actions={data && mayAct ? <OrderActs order={data} /> : undefined}
      scope={data && <OrderState order={data} />}
      tabs={[
        { key: 'lines', title: '商品明细', ...(data ? { count: data.lines.length } : {}) },
        { key: 'facts', title: '概况' },
        { key: 'packages', title: '包裹', ...(data ? { count: data.packages.length } : {}) },
        ...added.map(({ key, title }) => ({ key, title })),
        { key: 'changes', title: '变更记录' },
      ]}
      tab={tab}
      onTab={setTab}
    >
      {body()}
    </DetailDrawer>
  );
}
