import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as details from '../../contract/report/detail.ts';
import * as sums from '../../contract/report/summary.ts';
import { exportShipOrderReport, shipOrderReport } from './detail.ts';
import { exportShipSums, shipSumPage } from './summary.ts';

export const reportRoutes: AnyRoute[] = [
  serve(sums.listShipSums, (ctx, { body }) => shipSumPage(ctx, body)),
  serveOpen(sums.exportShipSums, (open, { body }) => exportShipSums(open, body)),
  serve(details.listShipOrderReport, (ctx, { body }) => shipOrderReport(ctx, body)),
  serveOpen(details.exportShipOrderReport, (open, { body }) => exportShipOrderReport(open, body)),
];
