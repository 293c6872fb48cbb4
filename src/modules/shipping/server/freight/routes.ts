import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { freightBill } from '../../contract/freight/bill.ts';
import * as calls from '../../contract/freight/calls.ts';
import * as report from '../../contract/freight/report.ts';
import { actBill } from './bill/act.ts';
import { billDetail, billRowOf } from './bill/detail.ts';
import { billCounts, billPage, exportBills } from './bill/list.ts';
import { saveBill } from './bill/save.ts';
import { choicesOf } from './choices.ts';
import { exportFees, feePage } from './fees.ts';
import { templateFile } from './import/sheet.ts';
import { importBills } from './import/write.ts';
import { estimateAgain, freightOf } from './of-order.ts';
import { findOrders } from './references.ts';
import { freightSettingOf, putFreightSetting } from './setting.ts';

/** What the first leg costs: carriers' bills, and what they come to for orders and their lines. */
export const freightRoutes: AnyRoute[] = [
  serve(calls.listFreightBills, (ctx, { body }) => billPage(ctx, body)),
  serve(calls.countFreightBills, (ctx, { body }) => billCounts(ctx, body.filter)),
  serveOpen(calls.exportFreightBills, (open, { body }) => exportBills(open, body)),
  serve(calls.freightBillDetail, (ctx, { params }) => billDetail(ctx, params.id)),
  serve(calls.saveFreightBill, (ctx, { body }) => saveBill(ctx, body)),
  serve(calls.findFreightOrders, (ctx, { body }) => findOrders(ctx, body.references)),
  serve(calls.freightChoices, (ctx) => choicesOf(ctx)),
  ...Object.entries(calls.freightSteps).map(([name, call]) =>
    serve(call, (ctx, { body }) => actBill(ctx, name as calls.FreightStep, body)),
  ),
  serveOpen(calls.importFreightBills, (open, { body }) => importBills(open, body.write === 'yes')),
  serve(calls.freightBillTemplate, async () => templateFile()),
  serve(calls.readFreightSetting, (ctx) => freightSettingOf(ctx)),
  serve(calls.saveFreightSetting, (ctx, { body }) => putFreightSetting(ctx, body)),
  serve(report.listFreightFees, (ctx, { body }) => feePage(ctx, body)),
  serveOpen(report.exportFreightFees, (open, { body }) => exportFees(open, body)),
  serve(report.orderFreight, (ctx, { params }) => freightOf(ctx, params.id)),
  serve(report.estimateFreight, (ctx, { body }) => estimateAgain(ctx, body)),
  ...noteRoutes(calls.freightNotes, { def: freightBill, find: billRowOf }),
];
