import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Product } from '#kit/contract/field.ts';
import { MAX_PIECES, PICK, VIEW } from './fields.ts';
import { ShipState } from './order.ts';

const base = '/erp/api/v1/shipForm/wave';

/** So many orders are walked for at once. */
export const MAX_WAVE = 50;

const Ids = z
  .array(Id)
  .min(1, '请选择发货单')
  .max(MAX_WAVE, `一次最多合并${MAX_WAVE}张发货单`)
  .meta({ title: '发货单' });

/** What one order gets of a stop. */
export const WaveShare = z.object({ orderId: Id, want: z.int(), picked: z.int() });
export type WaveShare = z.infer<typeof WaveShare>;

/** A product at one place, for all orders of the wave. */
export const WaveStop = z.object({
  locationId: Id,
  productId: Id,
  place: z.string().meta({ title: '库位', width: 120 }),
  product: Product.meta({ title: '本地商品', kind: 'product', width: 260 }),
  want: z.int().meta({ title: '需求', kind: 'integer', width: 80 }),
  picked: z.int().meta({ title: '已配', kind: 'integer', width: 80 }),
  /** In the order in which they are served. */
  shares: z.array(WaveShare).meta({ title: '分配' }),
});
export type WaveStop = z.infer<typeof WaveStop>;

export const WaveOrder = z.object({
  id: Id,
  number: z.string().meta({ title: '发货单号', kind: 'code' }),
  state: ShipState,
  /** Store and site that it goes to. */
  goal: z.string().meta({ title: '目的' }),
  plannedOn: Day.nullable().meta({ title: '计划发货' }),
  want: z.int().meta({ title: '需求', kind: 'integer' }),
  picked: z.int().meta({ title: '已配', kind: 'integer' }),
});
export type WaveOrder = z.infer<typeof WaveOrder>;

/**
 * 合并配货: what several orders of one warehouse hold, in the order in which a picker walks. Orders stand in the order in
 * which they are served, by planned day and then by number; those that are no longer 待配货 have no stops.
 */
export const waveSheet = endpoint({
  title: '合并配货明细',
  method: 'POST',
  path: `${base}/sheet`,
  permission: VIEW,
  access: 'read',
  body: z.object({ ids: Ids }),
  reply: z.object({
    warehouse: z.string(),
    /** Whether the caller may move stock there. */
    mine: z.boolean(),
    orders: z.array(WaveOrder),
    stops: z.array(WaveStop),
  }),
});

/** What became of the orders of a wave. `repeated`: it was written down before and nothing has changed. */
export const WaveOutcome = z.object({ message: z.string(), repeated: z.boolean(), picked: z.int(), finished: z.int() });
export type WaveOutcome = z.infer<typeof WaveOutcome>;

/**
 * Pieces that were taken at each place, dealt to the orders by planned day: an earlier one gets all that it wants there before
 * a later one gets any. All orders or none; what came before by its `clientId` changes nothing.
 */
export const pickWave = endpoint({
  title: '合并配货·保存',
  method: 'POST',
  path: `${base}/pick`,
  permission: PICK,
  body: z.object({
    ids: Ids,
    clientId: z.string().trim().min(1).max(100).meta({ title: '客户端编号' }),
    stops: z
      .array(
        z.object({
          locationId: Id.meta({ title: '库位' }),
          productId: Id.meta({ title: '本地商品' }),
          qty: z.int().min(0, '数量不能为负数').max(MAX_PIECES).meta({ title: '本次配货' }),
        }),
      )
      .min(1, '至少添加一行数据')
      .max(5000)
      .meta({ title: '明细' }),
  }),
  reply: WaveOutcome,
});

/** What became of each order too; `short` are pieces of its lines that stay behind, null where nothing was found for it. */
export const FinishOutcome = WaveOutcome.extend({
  orders: z.array(z.object({ orderId: Id, finished: z.boolean(), short: z.int().nullable() })),
});
export type FinishOutcome = z.infer<typeof FinishOutcome>;

/** 完成配货 for all orders of a wave of which something was picked; the others stay and are named. */
export const finishWave = endpoint({
  title: '合并配货·完成',
  method: 'POST',
  path: `${base}/finish`,
  permission: PICK,
  body: z.object({ ids: Ids }),
  reply: FinishOutcome,
});
