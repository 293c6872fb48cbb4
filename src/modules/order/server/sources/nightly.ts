import type { Ctx } from '#kit/server/context.ts';
import {
  allOrdersByUpdate,
  type ReportPlan,
  type ReportSource,
  skipStream,
} from '#modules/marketplace/server/index.ts';
import { LIVE } from './codes.ts';

/** Behind by so much, the live stream leaves it to the report: with as many calls as are saved up it gets over less. */
const LATE_SEC = 6 * 3600;

/**
 * Every order that changed in the last two days, once a day. The live stream may ask 484 times a day for a hundred orders: a
 * seller with more changes than that falls behind for good, and one whose notifications or pages went missing would never
 * know.
 */
export const nightlyOrders: ReportPlan = {
  code: 'orders.updated',
  title: '订单变更（每日核对）',
  reportType: allOrdersByUpdate.type,
  how: 'window',
  windowDays: 1,
  historyDays: 1,
  overlapDays: 2,
  priority: 30,
  cadenceSec: 86_400,
  sloMin: 26 * 60,
  inBackground: true,
};

/** After a report of changed orders: a live stream that has fallen far behind goes on from where the reports end. */
export async function catchUp(ctx: Ctx, { account, reportType, asked }: ReportSource): Promise<void> {
  if (reportType !== allOrdersByUpdate.type || !asked?.wholeDays) return;
  await skipStream(ctx, {
    accountId: account.id,
    stream: LIVE,
    plan: nightlyOrders.code,
    brought: { from: asked.from, to: asked.to },
    lateSec: LATE_SEC,
  });
}
