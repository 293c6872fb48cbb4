import { z } from 'zod';
import { Box } from '#kit/contract/box.ts';
import { Outcome } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Id, Product } from '#kit/contract/field.ts';
import { BOX, ById, base, VIEW } from '../fields.ts';
import { ShipState } from '../order.ts';
import { CheckedBox } from './box.ts';
import { BoxTemplate } from './template.ts';

const at = <const S extends string>(part: S) => `${base}/box/${part}` as const;

/** More boxes than that Amazon does not take in one plan. */
export const MOST_BOXES = 5000;

const OrderId = Id.meta({ title: '发货单' });
const BoxNo = z.int().min(1).max(MOST_BOXES).meta({ title: '箱号' });
const ClientId = z.string().trim().min(1).max(100).meta({ title: '客户端编号' });
const One = z.object({ id: OrderId, boxNo: BoxNo });

/** What a change of one box came to: the box as it is now, `null` once it is gone. */
const Changed = Outcome.extend({ boxNo: z.int(), box: CheckedBox.nullable() });
export type Changed = z.infer<typeof Changed>;

/** A line as a packer sees it: what may stand on a piece of it, and how many go into boxes. */
export const PackLine = z.object({
  lineId: Id,
  msku: z.string(),
  fnsku: z.string().nullable(),
  product: Product,
  /** In upper case: FNSKU, ASIN, MSKU; EAN and local SKU where one piece of the line is one local product. */
  codes: z.array(z.string()),
  picked: z.int(),
  boxed: z.int(),
});
export type PackLine = z.infer<typeof PackLine>;

/** Everything that packing an order with a scanner needs while there is no network. */
export const packTask = endpoint({
  title: '扫码装箱数据',
  method: 'GET',
  path: at('pack/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: z.object({
    id: Id,
    number: z.string(),
    state: ShipState,
    /** One SKU a box. */
    cases: z.boolean(),
    /** e.g. 「远航旗舰店-US」. */
    goal: z.string(),
    lines: z.array(PackLine),
    boxes: z.array(CheckedBox),
    templates: z.array(BoxTemplate),
  }),
});

/** A new empty box, the lowest number that is free; once for its `clientId`. */
export const addBox = endpoint({
  title: '发货单·新增箱',
  method: 'POST',
  path: at('add'),
  permission: BOX,
  body: z.object({
    id: OrderId,
    clientId: ClientId,
    templateId: z.uuid().nullable().default(null).meta({ title: '箱型' }),
  }),
  reply: Changed,
});

/** Pieces put into a box, below 0 taken out, by line or by what was scanned; once for its `clientId`. */
export const scanIntoBox = endpoint({
  title: '发货单·扫码装箱',
  method: 'POST',
  path: at('scan'),
  permission: BOX,
  body: One.extend({
    clientId: ClientId,
    lineId: z.uuid().optional().meta({ title: '明细行' }),
    code: z.string().trim().min(1).max(200).optional().meta({ title: '条码' }),
    qty: z
      .int()
      .min(-500_000)
      .max(500_000)
      .refine((qty) => qty !== 0, '数量不能为0')
      .default(1)
      .meta({ title: '数量' }),
  }).refine(({ lineId, code }) => (lineId === undefined) !== (code === undefined), '请扫描条码，或指明明细行'),
  reply: Changed,
});

const Measures = z.object({
  length: Box.shape.length,
  width: Box.shape.width,
  height: Box.shape.height,
  weight: Box.shape.weight,
  templateId: z.uuid().nullable().default(null).meta({ title: '箱型' }),
});

/** Sizes and weight of one box; those that are left out are taken away. */
export const measureBox = endpoint({
  title: '发货单·箱子尺寸重量',
  method: 'POST',
  path: at('measure'),
  permission: BOX,
  body: One.extend(Measures.shape),
  reply: Changed,
});

/** One box whole: its pieces, sizes and weight. */
export const putBox = endpoint({
  title: '发货单·修改箱',
  method: 'POST',
  path: at('put'),
  permission: BOX,
  body: One.extend({ ...Measures.shape, items: Box.shape.items }),
  reply: Changed,
});

/** Shuts a box; with sizes and weight where they are sent along. */
export const closeBox = endpoint({
  title: '发货单·封箱',
  method: 'POST',
  path: at('close'),
  permission: BOX,
  body: One.extend({ measures: Measures.optional().meta({ title: '尺寸重量' }) }),
  reply: Changed,
});

export const openBox = endpoint({
  title: '发货单·开箱',
  method: 'POST',
  path: at('open'),
  permission: BOX,
  body: One,
  reply: Changed,
});

/** Takes a box away with all that lies in it; its pieces are unpacked again. */
export const deleteBox = endpoint({
  title: '发货单·删除箱',
  method: 'POST',
  path: at('delete'),
  permission: BOX,
  body: One,
  reply: Changed,
});

/** Proposes boxes for what is picked and in no box yet; nothing is written. */
export const suggestBoxes = endpoint({
  title: '装箱建议',
  method: 'POST',
  path: at('suggest'),
  permission: VIEW,
  access: 'read',
  body: z.object({ id: OrderId, templateId: z.uuid().nullable().default(null).meta({ title: '箱型' }) }),
  reply: z.object({
    boxes: z.array(Box),
    /** SKUs that were left out, and why. */
    problems: z.array(z.string()),
    /** kg of the heaviest and the lightest box; null where not every weight is known. */
    heaviest: z.string().nullable(),
    lightest: z.string().nullable(),
  }),
});
