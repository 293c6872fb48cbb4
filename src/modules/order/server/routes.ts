import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as acts from '../contract/acts.ts';
import * as orders from '../contract/orders.ts';
import * as today from '../contract/today.ts';
import { shipPasted } from './acts/pasted.ts';
import { shipOrders } from './acts/ship.ts';
import { solicitReviews } from './acts/solicit.ts';
import { changesOf, remarkOrders, tagOrders } from './list/changes.ts';
import { orderDetail } from './list/detail.ts';
import { exportOrders } from './list/export.ts';
import { orderPage } from './list/rows.ts';
import { countsByStatus } from './list/totals.ts';
import { todayCurve } from './today/curve.ts';
import { todayList } from './today/list.ts';
import { todaySummary } from './today/summary.ts';

export const routes: AnyRoute[] = [
  serve(orders.listOrders, (ctx, { body }) => orderPage(ctx, body)),
  serve(orders.orderStatusCounts, (ctx, { body }) => countsByStatus(ctx, body.filter)),
  serveOpen(orders.exportOrders, (open, { body }) => exportOrders(open, body)),
  serve(orders.orderDetail, (ctx, { params }) => orderDetail(ctx, params.id)),
  serve(orders.orderChanges, (ctx, { params }) => changesOf(ctx, params.id)),
  serve(orders.remarkOrders, async (ctx, { body }) => ({ changed: await remarkOrders(ctx, body.ids, body.remark) })),
  serve(orders.tagOrders, async (ctx, { body }) => ({
    changed: await tagOrders(ctx, body.ids, body.add, body.remove),
  })),
  serve(acts.shipOrders, async (ctx, { body }) => ({ planned: await shipOrders(ctx, body.packages) })),
  serve(acts.shipPasted, async (ctx, { body }) => ({ planned: await shipPasted(ctx, body.text, body.shippedAt) })),
  serve(acts.solicitReviews, (ctx, { body }) => solicitReviews(ctx, body.ids)),
  serve(today.todaySummary, (ctx, { body }) => todaySummary(ctx, body.filter)),
  serve(today.todayList, (ctx, { body }) => todayList(ctx, body)),
  serve(today.todayCurve, (ctx, { body }) => todayCurve(ctx, body.marketplaceId, body.filter)),
];
