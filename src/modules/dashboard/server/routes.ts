import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as cards from '../contract/cards.ts';
import * as contract from '../contract.ts';
import { adChartOf } from './ads.ts';
import { compareOf, marketPieOf, salesChartOf } from './chart.ts';
import { topGoodsOf } from './goods.ts';
import { kpiOf } from './kpi.ts';
import { layoutRoutes } from './layout/routes.ts';
import { performanceOf } from './performance.ts';
import { personRankOf } from './person.ts';
import { serviceOf } from './service.ts';
import { settlementOf } from './settlement.ts';
import { setupOf } from './setup.ts';
import { stockOf } from './stock.ts';
import { syncOf } from './sync.ts';
import { todoOf } from './todo.ts';

export const routes: AnyRoute[] = [
  serve(contract.kpi, (ctx, { body }) => kpiOf(ctx, body.filter)),
  serve(contract.salesChart, (ctx, { body }) => salesChartOf(ctx, body.filter)),
  serve(contract.marketPie, (ctx, { body }) => marketPieOf(ctx, body.filter)),
  serve(contract.compare, (ctx, { body }) => compareOf(ctx, body.filter)),
  serve(contract.topGoods, (ctx, { body }) => topGoodsOf(ctx, body.filter, body.by, body.limit)),
  serve(contract.stock, (ctx, { body }) => stockOf(ctx, body.filter)),
  serve(contract.settlement, (ctx, { body }) => settlementOf(ctx, body.filter)),
  serve(contract.sync, (ctx, { body }) => syncOf(ctx, body.filter)),
  serve(cards.adChart, (ctx, { body }) => adChartOf(ctx, body.filter)),
  serve(cards.personRank, (ctx, { body }) => personRankOf(ctx, body.filter)),
  serve(cards.performance, (ctx, { body }) => performanceOf(ctx, body.filter)),
  serveOpen(cards.todo, (ctx) => todoOf(ctx)),
  serve(cards.service, (ctx) => serviceOf(ctx)),
  serve(contract.setup, (ctx) => setupOf(ctx)),
  ...layoutRoutes,
];
