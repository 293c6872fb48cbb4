import type { z } from 'zod';
import { Choice, States } from '#kit/contract/field.ts';

/** Where an order stands; codes of Orders API 2026-01-01. Amazon drives them, ours is a mirror. */
export const OrderStatus = States(
  {
    PENDING_AVAILABILITY: { title: '预售待定', tone: 'off' },
    PENDING: { title: '待付款', tone: 'off' },
    UNSHIPPED: { title: '未发货', tone: 'waiting' },
    PARTIALLY_SHIPPED: { title: '部分发货', tone: 'running' },
    SHIPPED: { title: '已发货', tone: 'done' },
    CANCELLED: { title: '已取消', tone: 'off' },
    UNFULFILLABLE: { title: '无法配送', tone: 'trouble' },
  },
  '订单状态',
);
export type OrderStatus = z.infer<typeof OrderStatus>;

export const FulfilledBy = Choice({ AMAZON: 'FBA', MERCHANT: 'FBM' }, '配送方式');
export type FulfilledBy = 'AMAZON' | 'MERCHANT';

/** Where a row came from. A higher rank always replaces a lower one, never the other way round. */
export type OrderSource = 'api' | 'report' | 'upload';
export const SOURCE_NAMES: Record<OrderSource | 'user', string> = {
  api: '接口',
  report: '报表',
  upload: '导入',
  user: '人工',
};

/** Marks that people put on orders. */
export const ORDER_TAGS = { promotion: '推广', abnormal: '异常', noForecast: '不计入预测' } as const;
export const OrderTag = Choice(ORDER_TAGS, '标记');
export type OrderTag = keyof typeof ORDER_TAGS;

const WORDS: readonly [RegExp, OrderStatus][] = [
  [/^pending\s*availability|^preorder/i, 'PENDING_AVAILABILITY'],
  [/^pending|^payment\s*pending/i, 'PENDING'],
  [/^partial/i, 'PARTIALLY_SHIPPED'],
  [/^unship|^invoice\s*unconfirmed|^processing/i, 'UNSHIPPED'],
  [/^ship|^delivered|^returned/i, 'SHIPPED'],
  [/^cancel/i, 'CANCELLED'],
  [/^unfulfil/i, 'UNFULFILLABLE'],
];

/**
 * The status that a report or a list means: "Cancelled" and "Canceled", "Partially Shipped" and "PartiallyShipped",
 * "Shipped - Delivered to Buyer", or the code itself. Undefined for a word that is not known: it is never guessed.
 */
export function statusOf(text: string): OrderStatus | undefined {
  const word = text.trim().replaceAll('_', ' ');
  return WORDS.find(([pattern]) => pattern.test(word))?.[1];
}
