import { z } from 'zod';
import { Choice, Day, Decimal, Id, States } from '#kit/contract/field.ts';

/** How far a box has come in: by what people marked, else by the rule that shares Amazon's counts out. */
export const BoxState = States(
  {
    WAITING: { title: '待接收', tone: 'waiting' },
    RECEIVED: { title: '已收', tone: 'done' },
    PARTLY: { title: '部分', tone: 'running' },
    MISSING: { title: '未收', tone: 'trouble' },
  },
  '收货状态',
);
export type BoxState = z.infer<typeof BoxState>;

/** What people may say of a box. AUTO: nothing, the rule decides. */
export const BoxMark = Choice({ AUTO: '按规则分配', RECEIVED: '已收', PARTLY: '部分', MISSING: '未收' }, '收货标记');
export type BoxMark = z.infer<typeof BoxMark>;

export const BoxReceiptRow = z.object({
  no: z.int().meta({ title: '箱号', kind: 'integer', width: 60, pinned: 'left' }),
  shipmentNo: z.string().meta({ title: '货件编号', kind: 'code', width: 140 }),
  amazonBoxId: z.string().nullable().meta({ title: '亚马逊箱号', kind: 'code', width: 180, optional: true }),
  trackingNo: z.string().meta({ title: '追踪号', kind: 'code', width: 140 }),
  size: z.string().meta({ title: '长×宽×高(cm)', width: 120 }),
  weight: Decimal.nullable().meta({ title: '重量(kg)', width: 80 }),
  content: z.string().meta({ title: '已收 / 装箱', width: 220, tip: '每个平台SKU分到本箱的接收数和装箱数' }),
  packed: z.int().meta({ title: '装箱数', kind: 'integer', width: 70 }),
  received: z.int().meta({ title: '已收', kind: 'integer', width: 70 }),
  state: BoxState.meta({ width: 90 }),
  /** What people said, and that the marketplace's counts do not allow it any more. */
  mark: BoxMark.meta({ width: 100, tip: '人工标记优先于规则' }),
  conflict: z
    .boolean()
    .meta({ title: '与平台不符', kind: 'boolean', width: 90, tip: '亚马逊的接收数已变，标记无法满足' }),
  score: z
    .int()
    .nullable()
    .meta({ title: '匹配分', kind: 'integer', width: 80, tip: '0 至 100，越高越可能是丢失的箱' }),
  suspect: z.string().meta({ title: '疑似丢失箱', width: 260, tip: '为什么怀疑这一箱；空为没有嫌疑' }),
  deliveredOn: Day.nullable().meta({ title: '签收日', width: 100, tip: '承运商签收的日期，由人工填写' }),
  remark: z.string().meta({ title: '备注', width: 160 }),
  updatedByName: z.string().meta({ title: '标记人', width: 90 }),
  items: z.array(z.object({ lineId: Id, msku: z.string(), packed: z.int(), received: z.int() })).meta({ hidden: true }),
  version: z.int().meta({ hidden: true }),
});
export type BoxReceiptRow = z.infer<typeof BoxReceiptRow>;

/** A SKU of a shipment: received = inBoxes + beyond, packed = inBoxes + missing. */
export const SkuReceiptRow = z.object({
  shipmentNo: z.string().meta({ title: '货件编号', kind: 'code', width: 140 }),
  msku: z.string().meta({ title: '平台SKU', kind: 'code', width: 150 }),
  packed: z.int().meta({ title: '装箱数', kind: 'integer', width: 80 }),
  received: z.int().meta({ title: '亚马逊已接收', kind: 'integer', width: 110 }),
  inBoxes: z.int().meta({ title: '已分到箱', kind: 'integer', width: 90 }),
  beyond: z
    .int()
    .meta({ title: '超出装箱', kind: 'integer', width: 90, tip: '亚马逊接收的多于本单装箱的数量，不属于任何一箱' }),
  missing: z.int().meta({ title: '未收', kind: 'integer', width: 80 }),
});
export type SkuReceiptRow = z.infer<typeof SkuReceiptRow>;
