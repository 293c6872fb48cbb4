import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Product } from '#kit/contract/field.ts';
import { at, cny, ORDER, TradeStatus } from './fields.ts';

/** What is to be ordered: everything that is not ordered yet where no lines are named, else so many pieces of them. */
const Asked = z.object({
  orderId: Id.meta({ title: '采购单' }),
  buyerId: Id.meta({ title: '采购账号' }),
  addressId: z.string().min(1, '请选择收货地址').max(50).meta({ title: '收货地址' }),
  lines: z
    .array(
      z.object({
        lineId: Id.meta({ title: '采购单明细' }),
        qty: z.int().min(1, '数量必须为正整数').max(100_000_000).meta({ title: '本次件数' }),
      }),
    )
    .min(1, '请选择要下单的商品')
    .max(500)
    .optional()
    .meta({ title: '本次下单' }),
});
export type Asked = z.infer<typeof Asked>;

export const PreviewLine = z.object({
  lineId: Id,
  product: Product.meta({ title: '商品', kind: 'product', width: 220 }),
  seller: z.string().meta({ title: '1688卖家', width: 120 }),
  left: z.int().meta({ title: '未下件数', kind: 'integer', width: 80 }),
  qty: z.int().meta({ title: '本次件数', kind: 'integer', width: 80 }),
  units: z.int().meta({ title: '1688数量', kind: 'integer', width: 80 }),
  ordered: cny('采购单金额').nullable(),
  offered: cny('1688金额').nullable(),
});
/** One order as the platform would make it. */
export const PreviewPart = z.object({
  seller: z.string().meta({ title: '1688卖家', width: 160 }),
  skus: z.int().meta({ title: '规格数', kind: 'integer', width: 70 }),
  goods: cny('货款').nullable(),
  freight: cny('运费').nullable(),
  total: cny('1688应付').nullable(),
});
/**
 * What the platform would take for what is asked, CNY; `orderAmount` is the purchase order's for the same pieces with
 * their share of its fees, `difference` platform less purchase order.
 */
export const Preview = z.object({
  lines: z.array(PreviewLine),
  parts: z.array(PreviewPart),
  goods: cny('货款').nullable(),
  freight: cny('运费').nullable(),
  total: cny('1688应付').nullable(),
  orderAmount: cny('采购单金额').nullable(),
  difference: cny('差额').nullable(),
  /** Why it cannot be ordered so yet: the amount is to be approved first. */
  obstacle: z.string().nullable(),
});
export type Preview = z.infer<typeof Preview>;

export const previewTrade = endpoint({
  title: '1688下单预览',
  method: 'POST',
  path: at('preview'),
  permission: ORDER,
  access: 'read',
  body: Asked,
  reply: Preview,
});

/** `trades` are the orders at the platform, `id` and `status` of the first; `failed` counts sellers that refused. */
export const Placed = z.object({
  id: Id,
  status: TradeStatus,
  message: z.string(),
  trades: z.array(z.object({ id: Id, status: TradeStatus, platformId: z.string().nullable() })),
  failed: z.int(),
});
export type Placed = z.infer<typeof Placed>;

/** Orders a purchase order on the platform; `total` is what the preview said, CNY: another amount is refused. */
export const placeTrade = endpoint({
  title: '1688下单',
  method: 'POST',
  path: at('createOrder'),
  permission: ORDER,
  body: Asked.extend({
    total: z
      .string()
      .regex(/^\d{1,12}(\.\d{1,4})?$/)
      .meta({ title: '确认金额' }),
  }),
  reply: Placed,
});
