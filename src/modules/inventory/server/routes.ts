import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as contract from '../contract.ts';
import { exportAll } from './export.ts';
import { stockCounts, stockPage } from './list.ts';
import { stockSummary } from './summary.ts';
import { timeline } from './timeline.ts';

export const routes: AnyRoute[] = [
  serve(contract.listStock, (ctx, { body }) => stockPage(ctx, body)),
  serve(contract.countStock, (ctx, { body }) => stockCounts(ctx, body.filter)),
  serve(contract.stockSummary, (ctx, { body }) => stockSummary(ctx, body.filter)),
  serveOpen(contract.exportStock, (open, { body }) => exportAll(open, body)),
  serve(contract.stockTimeline, (ctx, { query }) => timeline(ctx, query)),
];
