import { formatInteger } from '#kit/contract/format.ts';
import { State } from '#kit/web/cells/index.ts';
import { TabLink } from '#kit/web/tabs/TabLink.tsx';
import { shipOrder } from '../../contract/order.ts';
import type { FinishOutcome, WaveOrder } from '../../contract/wave.ts';

type Ended = FinishOutcome['orders'][number];

/** What the end of the walk was for an order. */
function Outcome({ ended }: { ended: Ended | undefined }) {
  if (!ended) return null;
  if (ended.short === null) return <span className="warning">没有配到货，仍为待配货</span>;
  if (ended.short === 0) return <span className="text2">已配齐</span>;
  return <span className="warning">缺 {formatInteger(ended.short)} 件，发货数量以配货为准</span>;
}

interface Props {
  orders: readonly WaveOrder[];
  /** What became of them when the walk was ended, if it was. */
  ended: readonly Ended[];
}

/** The orders of a wave in the order in which they are served. */
export function WaveOrders({ orders, ended }: Props) {
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
          <Outcome ended={ended.find(({ orderId }) => orderId === order.id)} />
        </li>
      ))}
    </ul>
  );
}
