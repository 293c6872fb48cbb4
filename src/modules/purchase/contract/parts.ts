import { z } from 'zod';
import { Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id } from '#kit/contract/field.ts';
import { base, EDIT, MAX_LINES, Pieces, Words } from './fields.ts';
import { OrderStage } from './order.ts';

const at = <const S extends string>(part: S) => `${base}/purchaseOrder/${part}` as const;

/** Most orders that one is split into, or that become one, at once. */
export const MAX_PARTS = 20;

/** What another order is to the one that is looked at. */
export const LinkKind = Choice(
  { SPLIT_FROM: '拆分自', SPLIT_INTO: '拆出', MERGED_FROM: '合并自', MERGED_INTO: '并入' },
  '关联',
);
export type LinkKind = z.infer<typeof LinkKind>;

/** An order that came of this one, or that this one came of. */
export const OrderLink = z.object({
  id: Id,
  kind: LinkKind,
  number: z.string().meta({ title: '采购单号', kind: 'code' }),
  /** Null: out of the caller's reach. */
  stage: OrderStage.nullable(),
});
export type OrderLink = z.infer<typeof OrderLink>;

const Reprice = z.boolean().default(false).meta({ title: '按阶梯报价重新取价' });

/** An order that was made of pieces of another one. */
export const OrderPart = z.object({ id: Id, number: z.string(), state: z.string() });
export type OrderPart = z.infer<typeof OrderPart>;

/** Pieces of an order that is not placed go to new orders of the same supplier; the rest stays. */
export const splitOrder = endpoint({
  title: '拆分采购单',
  method: 'POST',
  path: at('split'),
  permission: EDIT,
  body: z.object({
    id: Id.meta({ title: '采购单' }),
    version: z.int().optional().meta({ title: '版本' }),
    /** Drafts only: prices by the tier of what each order comes to. */
    reprice: Reprice,
    parts: z
      .array(
        z.object({
          /** Left out: where the order goes. */
          warehouseId: z.uuid().optional().meta({ title: '入库仓' }),
          /** Left out: as the order has it. */
          expectedOn: Day.nullable().optional().meta({ title: '要求到货' }),
          remark: Words(500, '备注'),
          lines: z
            .array(z.object({ lineId: Id.meta({ title: '明细' }), qty: Pieces }))
            .min(1, '至少添加一行数据')
            .max(MAX_LINES)
            .meta({ title: '明细' }),
        }),
      )
      .min(1, '至少拆出一张采购单')
      .max(MAX_PARTS, `一次最多拆出${MAX_PARTS}张采购单`)
      .meta({ title: '拆出的采购单' }),
  }),
  reply: Outcome.extend({ made: z.array(OrderPart) }),
});
export type SplitInput = z.infer<typeof splitOrder.body>;

/** Orders of one supplier that are not placed become one: the oldest of them. The others are void. */
export const mergeOrders = endpoint({
  title: '合并采购单',
  method: 'POST',
  path: at('merge'),
  permission: EDIT,
  body: z.object({
    orders: z
      .array(z.object({ id: Id.meta({ title: '采购单' }), version: z.int().optional().meta({ title: '版本' }) }))
      .min(2, '请选择至少两张采购单')
      .max(MAX_PARTS, `一次最多合并${MAX_PARTS}张采购单`)
      .meta({ title: '采购单' }),
    reprice: Reprice,
  }),
  reply: Outcome,
});
export type MergeInput = z.infer<typeof mergeOrders.body>;
