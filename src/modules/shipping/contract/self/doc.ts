import type { z } from 'zod';
import { documentType } from '#kit/contract/document.ts';
import { States } from '#kit/contract/field.ts';
import { SELF_AUDIT, SELF_PICK, SELF_SHIP, SELF_VOID } from './fields.ts';

const STATES = {
  pending: { title: '待审核', tone: 'waiting' },
  short: { title: '缺货', tone: 'trouble' },
  printing: { title: '待打单', tone: 'running' },
  ready: { title: '待发货', tone: 'running' },
  out: { title: '已出库', tone: 'running' },
  trouble: { title: '异常', tone: 'trouble' },
  shipped: { title: '已发货', tone: 'done' },
  held: { title: '挂起', tone: 'waiting' },
  returned: { title: '异常退回', tone: 'off' },
  cancelled: { title: '不发货', tone: 'off' },
} as const;
export const SelfState = States(STATES);
export type SelfState = z.infer<typeof SelfState>;

/** States in which nothing has left and nobody has called it off. */
const BEFORE = ['pending', 'short', 'printing', 'ready'] as const;

const resumed = <const S extends (typeof BEFORE)[number]>(to: S, internal: boolean) =>
  ({ title: '恢复', from: ['held'], to, permission: SELF_AUDIT, primary: true, internal }) as const;

/** 自发货单: what one recipient gets from one of our warehouses in one parcel. */
export const selfDoc = documentType({
  name: 'shipping.self',
  title: '自发货单',
  number: 'ZF{yyMMdd}{seq:4}',
  detail: '/shipping/details',
  states: STATES,
  initial: 'pending',
  transitions: {
    approve: {
      title: '审核',
      from: ['pending', 'short'],
      to: 'printing',
      permission: SELF_AUDIT,
      primary: true,
      consequence: '审核后占用发货仓库存；库存不足的转为缺货，到货后自动再试',
    },
    lack: { title: '缺货', from: ['pending'], to: 'short', permission: SELF_AUDIT, internal: true },
    unapprove: {
      title: '反审核',
      from: ['printing', 'ready', 'short'],
      to: 'pending',
      permission: SELF_AUDIT,
      reason: true,
      consequence: '释放占用的库存，退回待审核',
    },
    print: { title: '完成打单', from: ['printing'], to: 'ready', permission: SELF_PICK },
    ship: {
      title: '出库',
      from: ['printing', 'ready', 'trouble'],
      to: 'out',
      permission: SELF_SHIP,
      primary: true,
      consequence: '出库后库存减少，成本按先进先出结转；有承运商和运单号的同时标记发货',
    },
    mark: {
      title: '标记发货',
      from: ['out', 'trouble'],
      to: 'out',
      permission: SELF_SHIP,
      primary: true,
      consequence: '把承运商和运单号提交到平台，平台显示后变为已发货',
    },
    confirm: { title: '平台确认', from: ['out', 'trouble'], to: 'shipped', permission: SELF_SHIP, internal: true },
    fail: {
      title: '异常',
      from: [...BEFORE, 'held', 'out'],
      to: 'trouble',
      permission: SELF_SHIP,
      internal: true,
    },
    hold: { title: '挂起', from: BEFORE, to: 'held', permission: SELF_AUDIT, reason: true },
    resume: resumed('pending', false),
    resumeShort: resumed('short', true),
    resumePrinting: resumed('printing', true),
    resumeReady: resumed('ready', true),
    cancel: {
      title: '不发货',
      from: [...BEFORE, 'held', 'trouble'],
      to: 'cancelled',
      permission: SELF_VOID,
      reason: true,
      consequence: '释放占用的库存，订单回到待建单',
    },
    sendBack: {
      title: '异常退回',
      from: ['out', 'trouble', 'shipped'],
      to: 'returned',
      permission: SELF_SHIP,
      reason: true,
      consequence: '货物按出库成本退回仓库；原出库记录保留',
    },
  },
});
