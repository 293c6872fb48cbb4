import { metaOf } from '#kit/contract/columns.ts';
import { State } from '#kit/web/cells/index.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import { Shipment, ShipmentState } from '../contract/acts.ts';
import type { OrderDetail } from '../contract/orders.ts';

/** Packages that people reported as sent, and what Amazon made of each; nothing where nobody did. */
export function OrderShipments({ order }: { order: OrderDetail }) {
  if (order.shipments.length === 0) return null;
  return (
    <LineTable
      label="发货提交"
      row={Shipment}
      rows={order.shipments}
      columns={{ state: { render: (line) => <State value={line.state} states={metaOf(ShipmentState).states} /> } }}
    />
  );
}
