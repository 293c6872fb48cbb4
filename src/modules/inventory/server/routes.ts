import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { comparedRoutes } from '#kit/server/list/compared/index.ts';
import * as events from '../contract/events.ts';
import * as fees from '../contract/fees.ts';
import * as ledger from '../contract/ledger.ts';
import { merchantReturns } from '../contract/merchant-returns.ts';
import * as plans from '../contract/planning.ts';
import { shipments } from '../contract/shipments.ts';
import { countryStock, removalAdvice } from '../contract/stock-reports.ts';
import * as contract from '../contract.ts';
import { agingRoutes } from './aging/routes.ts';
import { claimRoutes } from './claims/routes.ts';
import { exportAll } from './export.ts';
import { feeAuditRoutes } from './fee-audit/routes.ts';
import { stockCounts, stockPage } from './list.ts';
import { factFile, factPage } from './lists/base.ts';
import { paidSumList, reimbursementList, reimbursementSums, removalList } from './lists/events.ts';
import { agedList, overageList, previewList, storageList, storageSumList } from './lists/fees.ts';
import { balanceChart, balanceList, ledgerProof, movementList } from './lists/ledger.ts';
import { merchantReturnList } from './lists/merchant-returns.ts';
import { planningList, strandedList } from './lists/planning.ts';
import { shipmentList } from './lists/shipments.ts';
import { countryStockList, removalAdviceList } from './lists/stock-reports.ts';
import { stockSummary } from './summary.ts';
import { timeline } from './timeline.ts';

export const routes: AnyRoute[] = [
  serve(contract.listStock, (ctx, { body }) => stockPage(ctx, body)),
  serve(contract.countStock, (ctx, { body }) => stockCounts(ctx, body.filter)),
  serve(contract.stockSummary, (ctx, { body }) => stockSummary(ctx, body.filter)),
  serveOpen(contract.exportStock, (open, { body }) => exportAll(open, body)),
  serve(contract.stockTimeline, (ctx, { query }) => timeline(ctx, query)),
  serve(ledger.movements.list, (ctx, { body }) => factPage(ctx, body, movementList(ctx, body.filter))),
  serveOpen(ledger.movements.export, (open, { body }) => factFile(open, body, (ctx) => movementList(ctx, body.filter))),
  serve(ledger.proveLedger, (ctx, { body }) => ledgerProof(ctx, body.filter)),
  serve(ledger.balances.list, (ctx, { body }) => factPage(ctx, body, balanceList(ctx, body.filter))),
  serveOpen(ledger.balances.export, (open, { body }) => factFile(open, body, (ctx) => balanceList(ctx, body.filter))),
  serve(ledger.chartBalances, (ctx, { body }) => balanceChart(ctx, body.filter)),
  serve(events.reimbursements.list, (ctx, { body }) => factPage(ctx, body, reimbursementList(ctx, body.filter))),
  serveOpen(events.reimbursements.export, (open, { body }) =>
    factFile(open, body, (ctx) => reimbursementList(ctx, body.filter)),
  ),
  serve(events.sumReimbursements, (ctx, { body }) => reimbursementSums(ctx, body.filter)),
  serve(events.removals.list, (ctx, { body }) => factPage(ctx, body, removalList(ctx, body.filter))),
  serveOpen(events.removals.export, (open, { body }) => factFile(open, body, (ctx) => removalList(ctx, body.filter))),
  serve(fees.storageFees.list, (ctx, { body }) => factPage(ctx, body, storageList(ctx, body.filter))),
  serveOpen(fees.storageFees.export, (open, { body }) => factFile(open, body, (ctx) => storageList(ctx, body.filter))),
  ...comparedRoutes(fees.storageSums, storageSumList),
  ...comparedRoutes(events.paidSums, paidSumList),
  serve(fees.agedFees.list, (ctx, { body }) => factPage(ctx, body, agedList(ctx, body.filter))),
  serveOpen(fees.agedFees.export, (open, { body }) => factFile(open, body, (ctx) => agedList(ctx, body.filter))),
  serve(fees.feePreviews.list, (ctx, { body }) => factPage(ctx, body, previewList(ctx, body.filter))),
  serveOpen(fees.feePreviews.export, (open, { body }) => factFile(open, body, (ctx) => previewList(ctx, body.filter))),
  serve(plans.planning.list, (ctx, { body }) => factPage(ctx, body, planningList(ctx, body.filter))),
  serveOpen(plans.planning.export, (open, { body }) => factFile(open, body, (ctx) => planningList(ctx, body.filter))),
  serve(plans.stranded.list, (ctx, { body }) => factPage(ctx, body, strandedList(ctx, body.filter))),
  serveOpen(plans.stranded.export, (open, { body }) => factFile(open, body, (ctx) => strandedList(ctx, body.filter))),
  serve(fees.overageFees.list, (ctx, { body }) => factPage(ctx, body, overageList(ctx, body.filter))),
  serveOpen(fees.overageFees.export, (open, { body }) => factFile(open, body, (ctx) => overageList(ctx, body.filter))),
  serve(shipments.list, (ctx, { body }) => factPage(ctx, body, shipmentList(ctx, body.filter))),
  serveOpen(shipments.export, (open, { body }) => factFile(open, body, (ctx) => shipmentList(ctx, body.filter))),
  serve(merchantReturns.list, (ctx, { body }) => factPage(ctx, body, merchantReturnList(ctx, body.filter))),
  serveOpen(merchantReturns.export, (open, { body }) =>
    factFile(open, body, (ctx) => merchantReturnList(ctx, body.filter)),
  ),
  serve(countryStock.list, (ctx, { body }) => factPage(ctx, body, countryStockList(ctx, body.filter))),
  serveOpen(countryStock.export, (open, { body }) => factFile(open, body, (ctx) => countryStockList(ctx, body.filter))),
  serve(removalAdvice.list, (ctx, { body }) => factPage(ctx, body, removalAdviceList(ctx, body.filter))),
  serveOpen(removalAdvice.export, (open, { body }) =>
    factFile(open, body, (ctx) => removalAdviceList(ctx, body.filter)),
  ),
  ...agingRoutes,
  ...claimRoutes,
  ...feeAuditRoutes,
];
