import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as bindings from '../contract/bindings.ts';
import * as fields from '../contract/fields.ts';
import * as report from '../contract/report.ts';
import * as volume from '../contract/volume.ts';
import { optionsOf } from './options.ts';
import { bind } from './orders/bind.ts';
import { bindingCounts, bindingPage } from './orders/bindings.ts';
import { templateFile } from './orders/columns.ts';
import { importSheet } from './orders/import.ts';
import { exportOrderLines, ordersPage } from './orders/list.ts';
import { exportReports, ratesMissing, reportPage } from './report.ts';
import { daysOf } from './volume/days.ts';
import { exportVolumes, volumePage } from './volume/list.ts';

export const routes: AnyRoute[] = [
  serve(fields.salesOptions, optionsOf),
  serve(report.salesReport, (ctx, { body }) => reportPage(ctx, body)),
  serveOpen(report.exportReport, (open, { body }) => exportReports(open, body)),
  serve(report.missingRates, (ctx, { body }) => ratesMissing(ctx, body.filter)),
  serve(report.salesOrders, (ctx, { body }) => ordersPage(ctx, body)),
  serveOpen(report.exportOrders, (open, { body }) => exportOrderLines(open, body)),
  serve(bindings.listBindings, (ctx, { body }) => bindingPage(ctx, body)),
  serve(bindings.countBindings, (ctx, { body }) => bindingCounts(ctx, body.filter)),
  serve(bindings.bindSku, (ctx, { body }) => bind(ctx, body)),
  serveOpen(bindings.importOrders, (open, { body }) => importSheet(open, body.write === 'yes')),
  serve(bindings.orderTemplate, async () => templateFile()),
  serve(volume.salesVolume, (ctx, { body }) => volumePage(ctx, body)),
  serveOpen(volume.exportVolume, (open, { body }) => exportVolumes(open, body)),
  serve(volume.volumeDays, (ctx, { params, query }) => daysOf(ctx, params.id, query.bundles)),
];
