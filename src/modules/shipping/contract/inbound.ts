import { z } from 'zod';
import { Command, Outcome, Reasoned } from '#kit/contract/document-calls.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Instant, Money } from '#kit/contract/field.ts';
import { ById, base, InboundState, SHIP, VIEW } from './fields.ts';
import { ShipRow } from './order.ts';

/** Categories of preparation that a seller may set, with the least that each asks for. */
export const PREP_TYPES = {
  NONE: ['ITEM_NO_PREP'],
  FRAGILE: ['ITEM_BUBBLEWRAP'],
  LIQUID: ['ITEM_POLYBAGGING'],
  SHARP: ['ITEM_BUBBLEWRAP'],
  SMALL: ['ITEM_POLYBAGGING'],
  TEXTILE: ['ITEM_POLYBAGGING'],
  BABY: ['ITEM_POLYBAGGING'],
  GRANULAR: ['ITEM_POLYBAGGING'],
  ADULT: ['ITEM_BLACK_SHRINKWRAP'],
} as const;
export const PrepCategory = Choice(
  {
    NONE: '无需预处理',
    FRAGILE: '易碎',
    LIQUID: '液体',
    SHARP: '尖锐',
    SMALL: '小件',
    TEXTILE: '纺织品',
    BABY: '母婴',
    GRANULAR: '颗粒粉末',
    ADULT: '成人用品',
  },
  '预处理分类',
);

export const ShippingMode = Choice(
  {
    GROUND_SMALL_PARCEL: '小包裹',
    FREIGHT_LTL: '汽运零担',
    FREIGHT_FTL_PALLET: '整车（托盘）',
    FREIGHT_FTL_NONPALLET: '整车（散箱）',
    OCEAN_LCL: '海运拼箱',
    OCEAN_FCL: '海运整柜',
    AIR_SMALL_PARCEL: '空运小包裹',
    AIR_SMALL_PARCEL_EXPRESS: '空运快件',
  },
  '承运方式',
);

const Fee = z.object({ amount: Money, code: z.string() });
const Items = z.array(z.object({ msku: z.string(), qty: z.int() }));

const Offer = z.object({ optionId: z.string(), expiresAt: Instant.nullable() });

export const InboundStep = z.object({
  key: z.string(),
  title: z.string(),
  /** Of the steps around it the one that is being made, what was done, what is still to come. */
  state: z.enum(['done', 'working', 'waiting', 'trouble', 'todo', 'skipped']),
  /** What it waits for or what is wrong. */
  words: z.string(),
  operation: z.string().nullable(),
  operationId: z.string().nullable(),
  /** Amazon's own word for how far the operation is. */
  operationState: z.string().nullable(),
  askedAt: Instant.nullable(),
  endedAt: Instant.nullable(),
  tries: z.int(),
  /** What Amazon said beside, warnings too. */
  problems: z.array(z.string()),
});
export type InboundStep = z.infer<typeof InboundStep>;

export const InboundShipmentRow = z.object({
  shipmentId: z.string(),
  shipmentNo: z.string(),
  center: z.string(),
  status: z.string(),
  items: Items,
  boxes: z.array(z.object({ no: z.int(), amazonBoxId: z.string().nullable(), trackingNo: z.string(), items: Items })),
  /** Whether a change of its contents is on its way. */
  changing: z.boolean(),
  transport: z.object({ mode: z.string(), solution: z.string(), carrier: z.string(), cost: Fee.nullable() }).nullable(),
  window: z.object({ from: Instant, to: Instant, editableUntil: Instant.nullable() }).nullable(),
  hasLabels: z.boolean(),
  /** Whether there are labels for label printers too. */
  hasThermal: z.boolean(),
  freightBill: z.string(),
  lading: z.string(),
});
export type InboundShipmentRow = z.infer<typeof InboundShipmentRow>;

/** What the screen of the steps shows of an order. */
export const InboundView = z.object({
  order: ShipRow,
  state: InboundState,
  stage: z.string(),
  words: z.string(),
  attempt: z.int(),
  planId: z.string().nullable(),
  steps: z.array(InboundStep),
  unprepared: z.array(z.string()),
  packing: z.array(z.object({ groupId: z.string(), items: Items })),
  maxWeight: z.object({ value: z.number(), unit: z.string() }).nullable(),
  placement: z.array(
    Offer.extend({
      fee: Fee.nullable(),
      fees: z.array(Fee.extend({ name: z.string() })),
      chosen: z.boolean(),
      expired: z.boolean(),
      shipments: z.array(z.object({ shipmentId: z.string(), center: z.string(), items: Items })),
    }),
  ),
  placementFixed: z.boolean(),
  transport: z.array(
    Offer.extend({
      shipmentId: z.string(),
      mode: z.string(),
      solution: z.string(),
      carrier: z.string(),
      cost: Fee.nullable(),
      needsWindow: z.boolean(),
    }),
  ),
  transportFixed: z.boolean(),
  windows: z.array(
    z.object({
      shipmentId: z.string(),
      optionId: z.string(),
      availability: z.string(),
      from: Instant,
      to: Instant,
    }),
  ),
  readyOn: Day.nullable(),
  shipments: z.array(InboundShipmentRow),
  /** What may be done now. */
  may: z.object({
    retry: z.boolean(),
    redo: z.boolean(),
    again: z.array(z.enum(['offerPacking', 'offerPlacement', 'offerTransport'])),
  }),
});
export type InboundView = z.infer<typeof InboundView>;

const at = <const S extends string>(part: S) => `${base}/inbound/${part}` as const;

export const inboundView = endpoint({
  title: '货件处理',
  method: 'GET',
  path: at('view/:id'),
  permission: VIEW,
  concurrent: true,
  params: ById,
  reply: InboundView.nullable(),
});

const Target = Command.omit({ version: true, reason: true });

function command<const P extends string, B extends z.ZodType>(title: string, part: P, body: B) {
  return endpoint({
    title: `货件处理·${title}`,
    method: 'POST',
    path: at(part),
    permission: SHIP,
    body,
    reply: Outcome,
  });
}

/** `fee` is what was shown: another one is refused. */
export const choosePlacement = command(
  '确认配送方案',
  'placement',
  Target.extend({
    optionId: z.string().min(1, '请选择配送方案').max(60).meta({ title: '配送方案' }),
    fee: Money.meta({ title: '接受的费用' }),
  }),
);

export const chooseWays = command(
  '确认承运',
  'ways',
  Target.extend({
    ways: z
      .array(
        z.object({
          shipmentId: z.string().max(60).meta({ title: '货件' }),
          optionId: z.string().min(1, '请选择承运方式').max(60).meta({ title: '承运方式' }),
          windowId: z.string().max(60).nullable().default(null).meta({ title: '送达窗口' }),
        }),
      )
      .min(1)
      .max(100)
      .meta({ title: '货件' }),
  }),
);

export const setReady = command('备货完成日', 'ready', Target.extend({ readyOn: Day.meta({ title: '备货完成日' }) }));

export const offerAgain = command(
  '重新生成',
  'again',
  Target.extend({ stage: z.enum(['offerPacking', 'offerPlacement', 'offerTransport']).meta({ title: '步骤' }) }),
);

export const retryInbound = command('重试', 'retry', Target);
export const refreshInbound = command('核对平台', 'refresh', Target);
/** Calls the plan off at Amazon and begins another one of what the order says. */
export const redoInbound = command('重建计划', 'redo', Reasoned.omit({ version: true }));

export const setPreps = command(
  '预处理分类',
  'prep',
  Target.extend({
    preps: z
      .array(z.object({ msku: z.string().min(1).max(100).meta({ title: '平台SKU' }), category: PrepCategory }))
      .min(1)
      .max(2000)
      .meta({ title: '平台SKU' }),
  }),
);

/** Tracking numbers of parcels by box; of freight the number of its bill. */
export const putTracking = command(
  '追踪号',
  'tracking',
  Target.extend({
    parcels: z
      .array(
        z.object({
          no: z.int().min(1).meta({ title: '箱号' }),
          trackingNo: z.string().trim().max(64).meta({ title: '追踪号' }),
        }),
      )
      .max(5000)
      .default([])
      .meta({ title: '箱' }),
    bills: z
      .array(
        z.object({
          shipmentId: z.string().max(60).meta({ title: '货件' }),
          freightBill: z.string().trim().max(64).meta({ title: '运单号（PRO）' }),
          lading: z.string().trim().max(64).default('').meta({ title: '提单号' }),
        }),
      )
      .max(100)
      .default([])
      .meta({ title: '货件' }),
  }),
);

/** Fewer pieces in the boxes of a shipment than were packed, by SKU; what is not named stays. */
export const changeContents = command(
  '修改数量',
  'change',
  Target.extend({
    shipmentId: z.string().max(60).meta({ title: '货件' }),
    boxes: z
      .array(
        z.object({
          no: z.int().min(1).meta({ title: '箱号' }),
          items: z
            .array(
              z.object({
                msku: z.string().max(100).meta({ title: '平台SKU' }),
                qty: z.int().min(0, '数量不能为负').meta({ title: '数量' }),
              }),
            )
            .min(1)
            .max(2000)
            .meta({ title: '明细' }),
        }),
      )
      .min(1)
      .max(5000)
      .meta({ title: '箱' }),
  }),
);

export const dropChange = command(
  '放弃修改数量',
  'change/drop',
  Target.extend({ shipmentId: z.string().max(60).meta({ title: '货件' }) }),
);

export const LabelPaper = Choice({ SHEET: '整页（A4 / Letter）', THERMAL: '标签机（4×6 英寸）' }, '标签纸');
export type LabelPaper = z.infer<typeof LabelPaper>;

/** Amazon's PDF of the box labels of a shipment, shown in the page. */
export const inboundLabels = endpoint({
  title: '货件处理·箱标签',
  method: 'GET',
  path: at('labels/:id/:shipmentId'),
  permission: VIEW,
  file: true,
  params: ById.extend({ shipmentId: z.string().max(60).meta({ title: '货件' }) }),
  query: z.object({ paper: LabelPaper.default('SHEET') }),
  reply: z.unknown(),
});
