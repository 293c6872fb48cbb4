import { z } from 'zod';
import { Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id } from '#kit/contract/field.ts';
import { MOST_BOXES } from '../box/calls.ts';
import { ById, base, SHIP, VIEW, Words } from '../fields.ts';
import { BoxMark, BoxReceiptRow, SkuReceiptRow } from './receipt.ts';

/** 按箱收货: Amazon's counts of each SKU shared out over the boxes of an order that has left. */
export const boxReceipts = endpoint({
  title: '按箱收货',
  method: 'GET',
  path: `${base}/box/receipts/:id`,
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({ skus: z.array(SkuReceiptRow), boxes: z.array(BoxReceiptRow) }),
});

/** What somebody knows of a box; it takes precedence over the rule. `version` is that of the mark, 0 while there is none. */
export const markBox = endpoint({
  title: '按箱收货·标记',
  method: 'POST',
  path: `${base}/box/receipts/mark`,
  permission: SHIP,
  body: z.object({
    id: Id.meta({ title: '发货单' }),
    boxNo: z.int().min(1).max(MOST_BOXES).meta({ title: '箱号' }),
    version: z.int().min(0).optional().meta({ title: '版本' }),
    mark: BoxMark,
    /** Pieces of a box that came in part; what is not named did not come. */
    items: z
      .array(
        z.object({
          lineId: Id.meta({ title: '明细行' }),
          qty: z.int().min(0, '实收数不能为负').meta({ title: '实收数' }),
        }),
      )
      .max(2000)
      .default([])
      .meta({ title: '实收明细' }),
    deliveredOn: Day.nullable().default(null).meta({ title: '签收日' }),
    remark: Words(500, '备注'),
  }),
  reply: Outcome,
});
