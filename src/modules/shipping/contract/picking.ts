import { z } from 'zod';
import { Command, Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Product } from '#kit/contract/field.ts';
import { ById, PICK, Pieces, VIEW } from './fields.ts';

const base = '/erp/api/v1/shipForm';

const SheetItem = z.object({
  image: z.string().nullable().meta({ title: '图片', kind: 'image' }),
  name: z.string().meta({ title: '名称' }),
  sku: z.string().meta({ title: 'SKU', kind: 'code' }),
  sellersku: z.string().meta({ title: '平台SKU', kind: 'code' }),
  invquantity: z.int().meta({ title: '可用库存', kind: 'integer' }),
  quantityShipped: z.int().meta({ title: '拟发货数', kind: 'integer' }),
  /** Pieces in a box as it came; null where nobody said. */
  boxnum: z.int().nullable(),
  /** kg and cm of a box, null where they were not measured. */
  boxweight: z.string().nullable(),
  boxlength: z.string().nullable(),
  boxwidth: z.string().nullable(),
  boxheight: z.string().nullable(),
  /** Where the pieces lie, e.g. 「A-01×3、B-02×1」; empty before they are held. */
  place: z.string(),
});
export type SheetItem = z.infer<typeof SheetItem>;

/** 配货单: what a picker takes along on paper. Times are instants. */
export const PickingSheet = z.object({
  shipmentid: z.string(),
  createdate: z.string(),
  skuamount: z.int(),
  sumQuantity: z.int(),
  groupname: z.string(),
  country: z.string(),
  center: z.string(),
  warehouse: z.string(),
  remark: z.string(),
  auditime: z.string().nullable(),
  itemList: z.array(SheetItem),
});
export type PickingSheet = z.infer<typeof PickingSheet>;

export const pickingSheet = endpoint({
  title: '配货单数据',
  method: 'GET',
  path: `${base}/quotainfo/:id`,
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: PickingSheet,
});

/** A picture of the code that opens the sheet on a phone; `size` is the pixels of a module, 1 to 10. */
export const pickingCode = endpoint({
  title: '配货单二维码',
  method: 'POST',
  path: `${base}/getQRCode/:id/:size`,
  permission: VIEW,
  access: 'read',
  params: ById.extend({ size: z.coerce.number().int().min(0).max(10).meta({ title: '尺寸' }) }),
  file: true,
  reply: z.unknown(),
});

/** A part of an order at one place, as a picker walks. */
export const PickRow = z.object({
  /** The line that the ledger's reservation names. */
  lineId: Id,
  product: Product.meta({ title: '本地商品', kind: 'product', width: 240 }),
  msku: z.string().meta({ title: '平台SKU', kind: 'code', width: 150 }),
  place: z.string().meta({ title: '库位', width: 180 }),
  want: z.int().meta({ title: '需求', kind: 'integer', width: 80 }),
  picked: z.int().meta({ title: '已配', kind: 'integer', width: 80 }),
});
export type PickRow = z.infer<typeof PickRow>;

export const pickRows = endpoint({
  title: '配货明细',
  method: 'GET',
  path: `${base}/pickRows/:id`,
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.array(PickRow),
});

/** Pieces that a picker took, by part; a scan that came before by its `clientId` changes nothing. */
export const pickShip = endpoint({
  title: '发货单·配货',
  method: 'POST',
  path: `${base}/pick`,
  permission: PICK,
  body: Command.extend({
    clientId: z.string().trim().min(1).max(100).optional().meta({ title: '客户端编号' }),
    lines: z
      .array(z.object({ lineId: Id.meta({ title: '明细行' }), qty: Pieces.meta({ title: '数量' }) }))
      .min(1, '至少添加一行数据')
      .max(2000)
      .meta({ title: '明细' }),
  }),
  reply: Outcome,
});
