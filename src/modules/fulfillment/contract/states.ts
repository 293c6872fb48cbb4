import type { z } from 'zod';
import { Choice, States } from '#kit/contract/field.ts';

export const VIEW = 'amz:mcf:view';
export const ADD = 'amz:mcf:add';
export const CANCEL = 'amz:mcf:void';
export const IMPORT = 'amz:mcf:import';
export const EXPORT = 'amz:mcf:export';

export const base = '/amazon/api/v1/mcf';

/** From a draft over Amazon's own states to its end. */
export const McfState = States(
  {
    DRAFT: { title: '草稿', tone: 'off' },
    SUBMITTING: { title: '提交中', tone: 'running' },
    REFUSED: { title: '提交被拒', tone: 'trouble' },
    UNKNOWN: { title: '结果未知', tone: 'trouble' },
    HELD: { title: '暂存', tone: 'waiting' },
    RECEIVED: { title: '已接收', tone: 'running' },
    PLANNING: { title: '计划中', tone: 'running' },
    PROCESSING: { title: '拣货中', tone: 'running' },
    COMPLETE: { title: '已发货', tone: 'done' },
    PARTIAL: { title: '部分发货', tone: 'waiting' },
    CANCELLING: { title: '取消中', tone: 'waiting' },
    CANCELLED: { title: '已取消', tone: 'off' },
    UNFULFILLABLE: { title: '无法配送', tone: 'trouble' },
    INVALID: { title: '无效', tone: 'trouble' },
  },
  '状态',
);
export type McfState = z.infer<typeof McfState>;

/** Views over the list and the states that each shows. */
export const TAB_STATES = {
  draft: ['DRAFT'],
  open: ['SUBMITTING', 'RECEIVED', 'PLANNING', 'PROCESSING', 'CANCELLING'],
  held: ['HELD'],
  shipped: ['COMPLETE', 'PARTIAL'],
  trouble: ['REFUSED', 'UNKNOWN', 'UNFULFILLABLE', 'INVALID'],
  cancelled: ['CANCELLED'],
} as const satisfies Record<string, readonly McfState[]>;

export const McfTab = States(
  {
    draft: { title: '草稿', tone: 'off' },
    open: { title: '进行中', tone: 'running' },
    held: { title: '暂存', tone: 'waiting' },
    shipped: { title: '已发货', tone: 'done' },
    trouble: { title: '异常', tone: 'trouble' },
    cancelled: { title: '已取消', tone: 'off' },
  },
  '状态分组',
);

export const SPEEDS = { STANDARD: '标准', EXPEDITED: '加急', PRIORITY: '优先' } as const;
export type Speed = keyof typeof SPEEDS;
export const Speed = Choice(SPEEDS, '配送速度');

export const POLICIES = {
  FillOrKill: '缺货则整单不发',
  FillAllAvailable: '有货先发，缺货取消',
  FillAll: '有货先发，缺货等待',
} as const;
export type Policy = keyof typeof POLICIES;
export const Policy = Choice(POLICIES, '缺货处理');

/** What can still be called off: Amazon refuses once picking has begun. */
export const CANCELLABLE: readonly McfState[] = ['DRAFT', 'REFUSED', 'HELD', 'RECEIVED', 'PLANNING'];
/** What can be handed in. */
export const SUBMITTABLE: readonly McfState[] = ['DRAFT', 'REFUSED'];
/** What Amazon knows, so that it can be asked for. */
export const KNOWN_THERE: readonly McfState[] = [
  'UNKNOWN',
  'HELD',
  'RECEIVED',
  'PLANNING',
  'PROCESSING',
  'COMPLETE',
  'PARTIAL',
  'CANCELLING',
];

/** Where a package is, as its carrier tells. */
export const PackageState = States(
  {
    NONE: { title: '待跟踪', tone: 'off' },
    IN_TRANSIT: { title: '运输中', tone: 'running' },
    OUT_FOR_DELIVERY: { title: '派送中', tone: 'running' },
    DELAYED: { title: '延误', tone: 'waiting' },
    AVAILABLE_FOR_PICKUP: { title: '待自提', tone: 'waiting' },
    DELIVERY_ATTEMPTED: { title: '派送未成功', tone: 'trouble' },
    DELIVERED: { title: '已送达', tone: 'done' },
    RETURNING: { title: '退回中', tone: 'trouble' },
    RETURNED: { title: '已退回', tone: 'trouble' },
    UNDELIVERABLE: { title: '无法派送', tone: 'trouble' },
    OTHER: { title: '其他', tone: 'off' },
  },
  '包裹状态',
);
export type PackageState = z.infer<typeof PackageState>;

/** Steps of a package in Chinese; one that is not here is shown in the carrier's words. */
export const EVENT_WORDS: Readonly<Record<string, string>> = {
  EVENT_101: '已通知承运商揽收',
  EVENT_102: '承运商已揽收',
  EVENT_201: '离开始发站',
  EVENT_202: '到达目的地站点',
  EVENT_203: '到达中转站',
  EVENT_204: '离开中转站',
  EVENT_205: '到达站点',
  EVENT_206: '运输途中',
  EVENT_301: '已送达',
  EVENT_302: '派送中',
  EVENT_304: '已尝试派送',
  EVENT_306: '收件人拒收',
  EVENT_307: '地址有误',
  EVENT_401: '运输延误',
};
