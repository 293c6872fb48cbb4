import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant } from '#kit/contract/field.ts';
import { ById, base, EDIT, VIEW, Words } from './fields.ts';

/** What a supplier sent of an order. */
export const ShipmentRow = z.object({
  id: Id,
  shippedOn: Day.meta({ title: '发货日期', width: 110 }),
  carrier: z.string().meta({ title: '承运商', width: 120 }),
  trackingNo: z.string().meta({ title: '运单号', kind: 'code', width: 180 }),
  remark: z.string().meta({ title: '备注', width: 200 }),
  by: z.string().meta({ title: '登记人', kind: 'person', width: 100 }),
  at: Instant.meta({ title: '登记时间', width: 130 }),
});
export type ShipmentRow = z.infer<typeof ShipmentRow>;

const at = <const S extends string>(part: S) => `${base}/purchaseOrder/shipment/${part}` as const;

export const orderShipments = endpoint({
  title: '采购单供应商发货',
  method: 'GET',
  path: at('list/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.array(ShipmentRow),
});

export const addShipment = endpoint({
  title: '登记供应商发货',
  method: 'POST',
  path: at('save'),
  permission: EDIT,
  body: z.object({
    orderId: Id.meta({ title: '采购单' }),
    shippedOn: Day.meta({ title: '发货日期' }),
    carrier: Words(50, '承运商'),
    trackingNo: Words(100, '运单号'),
    remark: Words(200, '备注'),
  }),
  reply: ById,
});

export const removeShipment = endpoint({
  title: '删除供应商发货',
  method: 'POST',
  path: at('remove'),
  permission: EDIT,
  body: ById,
  reply: z.literal('success'),
});
