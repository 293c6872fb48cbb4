import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as invoices from '../contract/invoices.ts';
import * as reports from '../contract/report.ts';
import * as calls from '../contract/settings.ts';
import { credit } from './invoice/credit.ts';
import { invoiceDetailOf, pdfOf } from './invoice/detail.ts';
import { generate } from './invoice/generate.ts';
import { exportInvoiceRows, invoiceCounts, invoicePage } from './invoice/list.ts';
import { upload } from './invoice/upload.ts';
import { refuseVoid } from './invoice/void.ts';
import { exportOss, exportPeriods } from './report/export.ts';
import { ossRows, periodRows } from './report/sums.ts';
import { dropLogo, takeLogo } from './settings/logo.ts';
import { settings } from './settings/read.ts';
import { putEntity, putRates, putSites } from './settings/save.ts';

export const routes: AnyRoute[] = [
  serve(invoices.listInvoices, (ctx, { body }) => invoicePage(ctx, body)),
  serve(invoices.countInvoices, (ctx, { body }) => invoiceCounts(ctx, body.filter)),
  serveOpen(invoices.exportInvoices, (open, { body }) => exportInvoiceRows(open, body)),
  serve(invoices.invoiceDetail, (ctx, { params }) => invoiceDetailOf(ctx, params.id)),
  serve(invoices.generateInvoices, (ctx, { body }) => generate(ctx, body.ids)),
  serve(invoices.uploadInvoices, (ctx, { body }) => upload(ctx, body.ids)),
  serve(invoices.creditInvoice, (ctx, { body }) => credit(ctx, body)),
  serve(invoices.voidInvoice, (ctx, { body }) => refuseVoid(ctx, body)),
  serve(invoices.invoicePdf, (ctx, { params }) => pdfOf(ctx, params.id)),
  serve(reports.periodReport, (ctx, { body }) => periodRows(ctx, body)),
  serveOpen(reports.exportPeriodReport, (open, { body }) => exportPeriods(open, body)),
  serve(reports.ossSummary, (ctx, { body }) => ossRows(ctx, body)),
  serveOpen(reports.exportOssSummary, (open, { body }) => exportOss(open, body)),
  serve(calls.readSettings, (ctx) => settings(ctx)),
  serve(calls.saveEntity, (ctx, { body }) => putEntity(ctx, body)),
  serveOpen(calls.saveLogo, (open, { body }) => takeLogo(open, body)),
  serve(calls.removeLogo, (ctx, { body }) => dropLogo(ctx, body)),
  serve(calls.saveSites, (ctx, { body }) => putSites(ctx, body.sites)),
  serve(calls.saveRates, (ctx, { body }) => putRates(ctx, body.rates)),
];
