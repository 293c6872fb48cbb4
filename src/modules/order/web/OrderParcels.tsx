import { z } from 'zod';
import { Instant, Quantity, States } from '#kit/contract/field.ts';
import { LineTable } from '#kit/web/tables/LineTable.tsx';
import type { OrderDetail } from '../contract/orders.ts';

const Status = States({
  PENDING: { title: '待揽收', tone: 'waiting' },
  IN_TRANSIT: { title: '运输中', tone: 'running' },
  OUT_FOR_DELIVERY: { title: '派送中', tone: 'running' },
  DELIVERED: { title: '已送达', tone: 'done' },
  DELIVERY_ATTEMPTED: { title: '派送失败', tone: 'trouble' },
  RETURNED: { title: '已退回', tone: 'trouble' },
  CANCELLED: { title: '已取消', tone: 'off' },
});

const Row = z.object({
  id: z.string(),
  reference: z.string().meta({ title: '包裹号', kind: 'code', width: 80 }),
  status: z.string().nullable().meta({ title: '状态', kind: 'state', states: Status.meta()?.states }),
  carrier: z.string().nullable().meta({ title: '承运商' }),
  service: z.string().nullable().meta({ title: '物流方式' }),
  tracking: z.string().nullable().meta({ title: '追踪号', kind: 'code', width: 200 }),
  shippedAt: Instant.nullable().meta({ title: '发货时间' }),
  units: Quantity.meta({ title: '件数' }),
});

/** Parcels of an order that the seller ships himself; Amazon does not tell those of its own. */
export function OrderParcels({ order }: { order: OrderDetail }) {
  const rows = order.packages.map((parcel) => ({
    ...parcel,
    id: parcel.reference,
    units: parcel.items.reduce((sum, item) => sum + item.quantity, 0),
  }));
  const none = order.fulfilledBy === 'AMAZON' ? '由亚马逊配送，没有包裹信息' : '还没有发货';
  return <LineTable label="包裹" row={Row} rows={rows} none={none} />;
}
