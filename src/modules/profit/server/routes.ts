import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportOrderProfit, listOrderProfit, orderProfit } from '../contract/order.ts';
import { drillProfit, exportProfit, listProfit, totalProfit, trendProfit } from '../contract/report.ts';
import { drillOf } from './drill.ts';
import { profitFile, profitPage } from './list.ts';
import { orderProfitOf } from './order/detail.ts';
import { orderProfitFile, orderProfitPage } from './order/list.ts';
import { totalOf } from './total.ts';
import { trendOf } from './trend.ts';

export const routes: AnyRoute[] = [
  serve(listProfit, (ctx, { body }) => profitPage(ctx, body)),
  serve(totalProfit, (ctx, { body }) => totalOf(ctx, body.filter)),
  serve(trendProfit, (ctx, { body }) => trendOf(ctx, body.filter)),
  serve(drillProfit, (ctx, { body }) => drillOf(ctx, body)),
  serveOpen(exportProfit, (open, { body }) => download(open, (ctx) => profitFile(ctx, body))),
  serve(listOrderProfit, (ctx, { body }) => orderProfitPage(ctx, body)),
  serve(orderProfit, (ctx, { params }) => orderProfitOf(ctx, params.id)),
  serveOpen(exportOrderProfit, (open, { body }) => download(open, (ctx) => orderProfitFile(ctx, body))),
];
