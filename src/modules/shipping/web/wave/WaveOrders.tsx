import { formatInteger } from '#kit/contract/format.ts';
import { State } from '#kit/web/cells/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { shipOrder } from '../../contract/order.ts';
import type { WaveOrder } from '../../contract/wave.ts';

/** The orders of a wave in the order in which they are served. */
export function WaveOrders({ orders }: { orders: readonly WaveOrder[] }) {
  return (
    <ul className="wave-orders" aria-label="发货单">
      {orders.map((order) => (
        <li key={order.id}>
          <TabLink to={shipOrder.detail} title={order.number} query={{ id: order.id }}>
            {order.number}
          </TabLink>
          <State value={order.state} states={shipOrder.states} />
          <span className="text2">{order.goal}</span>
          <span className="text2">{order.plannedOn ? `计划 ${order.plannedOn}` : '未定发货日'}</span>
          <span className="num">
            {formatInteger(order.picked)}/{formatInteger(order.want)}
          </span>
        </li>
      ))}
    </ul>
  );
}
