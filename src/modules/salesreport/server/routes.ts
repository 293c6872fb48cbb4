import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as details from '../contract/details.ts';
import * as report from '../contract/report.ts';
import * as summary from '../contract/summary.ts';
import { detailPage, exportAll } from './details/list.ts';
import { fieldsOf } from './details/plan.ts';
import { seriesOf } from './details/series.ts';
import { optionsOf } from './options.ts';
import { exportReport, reportChart, reportPage } from './periods/report.ts';
import { exportSummary, summaryChart, summaryPage } from './periods/summary.ts';
import { subscriptionRoutes } from './subscriptions/routes.ts';

export const routes: AnyRoute[] = [
  serve(details.detailFields, (ctx, { body }) => fieldsOf(ctx, body.filter)),
  serve(details.listDetails, (ctx, { body }) => detailPage(ctx, body)),
  serveOpen(details.exportDetails, (open, { body }) => exportAll(open, body)),
  serve(details.detailSeries, (ctx, { body }) => seriesOf(ctx, body.filter, body.key)),
  serve(details.salesOptions, (ctx) => optionsOf(ctx)),
  serve(summary.listSummary, (ctx, { body }) => summaryPage(ctx, body)),
  serveOpen(summary.exportSummary, (open, { body }) => exportSummary(open, body)),
  serve(summary.chartSummary, (ctx, { body }) => summaryChart(ctx, body.filter)),
  serve(report.listReport, (ctx, { body }) => reportPage(ctx, body)),
  serveOpen(report.exportReport, (open, { body }) => exportReport(open, body)),
  serve(report.chartReport, (ctx, { body }) => reportChart(ctx, body.filter)),
  ...subscriptionRoutes,
];
