import { metaOf } from '#kit/contract/columns.ts';
import { State } from '#kit/web/cells/index.ts';
import { ShipmentState } from '../contract/acts.ts';
import type { OrderRow } from '../contract/orders.ts';
import { OrderStatus } from '../contract/status.ts';

/** Where Amazon has the order, and beside it a package that was reported as sent and does not show there yet. */
export function OrderState({ order }: { order: Pick<OrderRow, 'status' | 'shipping'> }) {
  return (
    <>
      <State value={order.status} states={metaOf(OrderStatus).states} />
      {order.shipping !== null && <State value={order.shipping} states={metaOf(ShipmentState).states} />}
    </>
  );
}
