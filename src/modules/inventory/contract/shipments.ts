import { z } from 'zod';
import { Instant, Money, OptionalText } from '#kit/contract/field.ts';
import { AMOUNTS, code, goods, goodsFilter, listOf, pieces } from './facts.ts';

const amount = (title: string) =>
  Money.nullable().meta({ title, currency: 'currency', permission: AMOUNTS, width: 110 });

export const ShipmentRow = z.object({
  ...goods,
  orderId: code('订单号', 186),
  shippedAt: Instant.meta({ title: '发货时间', width: 130 }),
  quantity: pieces('发货数量', 90),
  centre: code('发货仓库', 90),
  carrier: z.string().meta({ title: '承运商', width: 150 }),
  tracking: code('追踪号', 170),
  arrivesAt: Instant.nullable().meta({ title: '预计送达', width: 130 }),
  country: code('收货国家', 84),
  state: z.string().meta({ title: '州/省', width: 90 }),
  goodsAmount: amount('商品金额'),
  goodsTax: amount('商品税额').meta({ optional: true }),
  freightAmount: amount('运费').meta({ optional: true }),
  freightTax: amount('运费税额').meta({ optional: true }),
  wrapAmount: amount('礼品包装费').meta({ optional: true }),
  wrapTax: amount('礼品包装税额').meta({ optional: true }),
  goodsDiscount: amount('商品促销折扣').meta({ optional: true }),
  freightDiscount: amount('运费促销折扣').meta({ optional: true }),
  currency: z.string().meta({ title: '币种', hidden: true }),
  purchasedAt: Instant.nullable().meta({ title: '下单时间', width: 130, optional: true }),
  serviceLevel: z.string().meta({ title: '配送服务', width: 110, optional: true }),
  channel: z.string().meta({ title: '销售渠道', width: 120, optional: true }),
  shipmentId: code('货件号', 130).meta({ optional: true }),
});
export type ShipmentRow = z.infer<typeof ShipmentRow>;

export const ShipmentFilter = z.object({
  ...goodsFilter,
  keyword: OptionalText(100, 'SKU/订单号/追踪号'),
  centre: OptionalText(20, '发货仓库'),
  carrier: OptionalText(60, '承运商').meta({ optional: true }),
  country: OptionalText(2, '收货国家').meta({ optional: true }),
});
const AnyShipmentFilter = ShipmentFilter.partial();
export type ShipmentFilter = z.infer<typeof AnyShipmentFilter>;

export const shipments = listOf({
  title: 'FBA发货明细',
  path: '/amazon/api/v1/inventory/shipment',
  row: ShipmentRow,
  filter: ShipmentFilter,
  sortable: ['day', 'product', 'shippedAt', 'quantity', 'goodsAmount'],
});
