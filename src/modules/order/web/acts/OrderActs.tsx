import { Button } from 'antd';
import { useState } from 'react';
import { Allowed } from '#kit/web/Allowed.tsx';
import type { OrderDetail } from '../../contract/orders.ts';
import { ShipDialog } from './ShipDialog.tsx';
import { useSolicit } from './use-solicit.ts';

/** What can be done at the marketplace with one order; what cannot says why. */
export function OrderActs({ order }: { order: OrderDetail }) {
  const [shipping, setShipping] = useState(false);
  const solicit = useSolicit();
  const { ship, solicit: why } = order.blocked;
  return (
    <>
      {order.fulfilledBy === 'MERCHANT' && (
        <Allowed code="amz:order:ship">
          <Button
            type="primary"
            disabled={ship !== null}
            {...(ship === null ? {} : { title: ship })}
            onClick={() => setShipping(true)}
          >
            确认发货
          </Button>
        </Allowed>
      )}
      <Allowed code="amz:review:send">
        <Button disabled={why !== null} {...(why === null ? {} : { title: why })} onClick={() => solicit([order.id])}>
          请求评价
        </Button>
      </Allowed>
      {order.messagesUrl !== null && (
        <Button
          href={order.messagesUrl}
          target="_blank"
          rel="noreferrer"
          title="在亚马逊卖家后台查看并回复该订单的买家消息"
        >
          买家消息
        </Button>
      )}
      {shipping && <ShipDialog id={order.id} onClose={() => setShipping(false)} />}
    </>
  );
}
