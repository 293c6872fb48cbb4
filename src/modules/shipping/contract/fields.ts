import { z } from 'zod';
import { Choice, Day, Id, States } from '#kit/contract/field.ts';

/** Root of the calls for ship orders; the picking sheet and the scanner use their own. */
export const base = '/amazon/api/v2/shipInboundPlan';
export const VIEW = 'amz:ship:view';
export const ADD = 'amz:ship:add';
export const AUDIT = 'amz:ship:audit';
export const PICK = 'amz:ship:pick';
export const BOX = 'amz:ship:box';
export const SHIP = 'amz:ship:ship';
export const CLOSE = 'amz:ship:close';
export const EXPORT = 'amz:ship:export';

/** Amazon takes so many items in one inbound plan. */
export const MAX_LINES = 2000;
/** Amazon takes so many pieces of one item. */
export const MAX_PIECES = 500_000;

export const Pieces = z.int().min(1, '数量必须为正整数').max(MAX_PIECES, `数量不能超过${MAX_PIECES}`);
export const Words = (max: number, title: string) => z.string().trim().max(max).default('').meta({ title });
export const ById = z.object({ id: Id });

/** From one day to another, company days. */
export const DayRange = (title: string) =>
  z.object({ from: Day.optional(), to: Day.optional() }).meta({ title, kind: 'date' });

/** MIXED: several SKUs in a box. CASE: boxes of one SKU as they came from the factory. */
export const PackType = Choice({ MIXED: '混装', CASE: '原箱' }, '包装');
export type PackType = z.infer<typeof PackType>;

/**
 * NORMAL: our stock moves, and the product makes and follows Amazon's inbound plan. LOCAL: our stock moves, the shipment is
 * made in Seller Central. PLATFORM: nothing moves, the pieces left before.
 */
export const StockMode = Choice({ NORMAL: '常规', LOCAL: '仅本地', PLATFORM: '仅平台' }, '库存模式');
export type StockMode = z.infer<typeof StockMode>;

export const Transport = Choice({ SEA: '海运', AIR: '空运', EXPRESS: '快递', RAIL: '铁路', TRUCK: '卡航' }, '运输方式');
export type Transport = z.infer<typeof Transport>;

/** Who prepares or labels the pieces. */
export const Owner = Choice({ SELLER: '卖家', AMAZON: '亚马逊', NONE: '无需' }, '负责方');
export type Owner = z.infer<typeof Owner>;

/** How far an order's way through Amazon's inbound API is. */
export const InboundState = States(
  {
    working: { title: '处理中', tone: 'running' },
    waiting: { title: '待操作', tone: 'waiting' },
    trouble: { title: '需人工处理', tone: 'trouble' },
    ended: { title: '已完成', tone: 'done' },
    cancelled: { title: '已取消', tone: 'off' },
  },
  '平台处理',
);
export type InboundState = z.infer<typeof InboundState>;
