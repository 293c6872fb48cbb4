import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportGroup, listGroup, monthlyGroup } from '../contract/group.ts';
import { listLateMoney } from '../contract/late.ts';
import { exportOrderProfit, listOrderProfit, orderProfit } from '../contract/order.ts';
import { closeProfitMonth, listProfitMonths, reopenProfitMonth } from '../contract/period.ts';
import { drillProfit, exportProfit, listProfit, totalProfit, trendProfit } from '../contract/report.ts';
import { exportSettled, listSettled, proveSettled } from '../contract/settled.ts';
import { drillOf } from './drill.ts';
import { groupFile } from './group/file.ts';
import { groupPage } from './group/list.ts';
import { monthlyOf } from './group/monthly.ts';
import { latePage } from './late.ts';
import { profitFile, profitPage } from './list.ts';
import { orderProfitOf } from './order/detail.ts';
import { orderProfitFile, orderProfitPage } from './order/list.ts';
import { closeMonth, profitMonths, reopenMonth } from './period.ts';
import { settledFile, settledPage } from './settled/list.ts';
import { settledProofs } from './settled/proof.ts';
import { totalOf } from './total.ts';
import { trendOf } from './trend.ts';

export const routes: AnyRoute[] = [
  serve(listProfit, (ctx, { body }) => profitPage(ctx, body)),
  serve(totalProfit, (ctx, { body }) => totalOf(ctx, body.filter)),
  serve(trendProfit, (ctx, { body }) => trendOf(ctx, body.filter)),
  serve(drillProfit, (ctx, { body }) => drillOf(ctx, body)),
  serveOpen(exportProfit, (open, { body }) => download(open, (ctx) => profitFile(ctx, body))),
  serve(listGroup, (ctx, { body }) => groupPage(ctx, body)),
  serve(monthlyGroup, (ctx, { body }) => monthlyOf(ctx, body.filter)),
  serveOpen(exportGroup, (open, { body }) => download(open, (ctx) => groupFile(ctx, body))),
  serve(listSettled, (ctx, { body }) => settledPage(ctx, body)),
  serve(proveSettled, async (ctx, { body }) => ({ proofs: await settledProofs(ctx, body.filter) })),
  serveOpen(exportSettled, (open, { body }) => download(open, (ctx) => settledFile(ctx, body))),
  serve(listLateMoney, (ctx, { body }) => latePage(ctx, body)),
  serve(listProfitMonths, (ctx) => profitMonths(ctx)),
  serve(closeProfitMonth, (ctx, { body }) => closeMonth(ctx, body)),
  serve(reopenProfitMonth, (ctx, { body }) => reopenMonth(ctx, body)),
  serve(listOrderProfit, (ctx, { body }) => orderProfitPage(ctx, body)),
  serve(orderProfit, (ctx, { params }) => orderProfitOf(ctx, params.id)),
  serveOpen(exportOrderProfit, (open, { body }) => download(open, (ctx) => orderProfitFile(ctx, body))),
];
