import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as bills from '../../contract/bills/bill.ts';
import * as lines from '../../contract/bills/lines.ts';
import { confirmBill, moveBill } from './act.ts';
import { billOrderFile, billOrderPage } from './lines.ts';
import { billCounts, billDetail, billPage } from './list.ts';
import { assignLines, matchBill, releaseLines } from './match.ts';
import { billPaymentFile, billPaymentPage } from './payments.ts';
import { settleBill } from './settle.ts';
import { sheetFile, sheetPage } from './sheets.ts';
import { billTemplate } from './template.ts';
import { uploadBill } from './upload.ts';

/** The calls of the bills of the platform. */
export const billRoutes: AnyRoute[] = [
  serve(bills.listBills, (ctx, { body }) => billPage(ctx, body)),
  serve(bills.countBills, (ctx, { body }) => billCounts(ctx, body.filter)),
  serve(bills.billData, (ctx, { params }) => billDetail(ctx, params.id)),
  serveOpen(bills.uploadBill, (open, { body }) => uploadBill(open, body?.write === 'yes')),
  serve(bills.billTemplate, () => billTemplate()),
  serve(bills.matchBill, (ctx, { body }) => matchBill(ctx, body)),
  serve(bills.confirmBill, (ctx, { body }) => confirmBill(ctx, body)),
  serve(bills.moveBill, (ctx, { body }) => moveBill(ctx, body)),
  serve(bills.settleBill, (ctx, { body }) => settleBill(ctx, body)),
  serve(lines.listBillOrders, (ctx, { body }) => billOrderPage(ctx, body)),
  serveOpen(lines.exportBillOrders, (open, { body }) => billOrderFile(open, body)),
  serve(lines.assignLines, (ctx, { body }) => assignLines(ctx, body)),
  serve(lines.releaseLines, (ctx, { body }) => releaseLines(ctx, body)),
  serve(lines.repayments.list, (ctx, { body }) => sheetPage(ctx, 'repayments', body)),
  serveOpen(lines.repayments.file, (open, { body }) => sheetFile(open, 'repayments', body)),
  serve(lines.refunds.list, (ctx, { body }) => sheetPage(ctx, 'refunds', body)),
  serveOpen(lines.refunds.file, (open, { body }) => sheetFile(open, 'refunds', body)),
  serve(lines.topups.list, (ctx, { body }) => sheetPage(ctx, 'topups', body)),
  serveOpen(lines.topups.file, (open, { body }) => sheetFile(open, 'topups', body)),
  serve(lines.listBillPayments, (ctx, { body }) => billPaymentPage(ctx, body)),
  serveOpen(lines.exportBillPayments, (open, { body }) => billPaymentFile(open, body)),
];
