import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { feeTypes, shareOf } from '#modules/costshare/server/index.ts';
import * as calls from '../contract/calls.ts';
import { expenseDocument } from '../contract/document.ts';
import { exportPeriodCosts, listPeriodCosts } from '../contract/period.ts';
import { addRecurring, listRecurring, setRecurring } from '../contract/recurring.ts';
import { act } from './act.ts';
import { detailOf } from './detail.ts';
import { expenseCounts, expensePage, exportAll } from './list.ts';
import { loaded } from './load.ts';
import { requestFor } from './pay.ts';
import { exportPeriod, periodPage } from './period.ts';
import { printExpense } from './print.ts';
import { add, recurringPage, setState } from './recurring/manage.ts';
import { save } from './save.ts';

const steps = Object.entries(calls.expenseSteps).map(([name, call]) =>
  serve(call, (ctx, { body }) => act(ctx, name as calls.ExpenseStep, body)),
);

/** Expenses, how they are paid, and what no store bears of them. */
export const routes: AnyRoute[] = [
  serve(calls.listExpenses, (ctx, { body }) => expensePage(ctx, body)),
  serve(calls.countExpenses, (ctx, { body }) => expenseCounts(ctx, body.filter)),
  serveOpen(calls.exportExpenses, (open, { body }) => exportAll(open, body)),
  serve(calls.expenseData, (ctx, { params }) => detailOf(ctx, params.id)),
  serve(calls.printExpense, (ctx, { params }) => printExpense(ctx, params.id)),
  serve(calls.saveExpense, (ctx, { body }) => save(ctx, body)),
  serve(calls.requestExpense, (ctx, { body }) => requestFor(ctx, body)),
  serve(calls.expenseTypes, (ctx) => feeTypes(ctx)),
  serve(calls.shareExpense, (ctx, { body }) => shareOf(ctx, body)),
  serve(listPeriodCosts, (ctx, { body }) => periodPage(ctx, body)),
  serveOpen(exportPeriodCosts, (open, { body }) => exportPeriod(open, body)),
  serve(listRecurring, (ctx, { body }) => recurringPage(ctx, body)),
  serve(addRecurring, (ctx, { body }) => add(ctx, body)),
  serve(setRecurring, (ctx, { body }) => setState(ctx, body)),
  ...noteRoutes(calls.expenseNotes, { def: expenseDocument, find: loaded }),
  ...steps,
];
