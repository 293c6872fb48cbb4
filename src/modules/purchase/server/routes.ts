import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { amendedOrder, amendmentSteps, amendOrder, orderAmendments } from '../contract/amend.ts';
import { addCharge, orderCharges, reverseCharge } from '../contract/charge.ts';
import { clauseChoices, listClauses, removeClauses, saveClauses } from '../contract/clause.ts';
import {
  acceptInvoice,
  countInvoices,
  exportInvoices,
  listInvoices,
  orderInvoices,
  saveInvoice,
  voidInvoice,
} from '../contract/invoice.ts';
import { exportLeadTimes, leadCharts, leadTimes } from '../contract/lead.ts';
import { purchaseOrder } from '../contract/order.ts';
import {
  checkOrder,
  closeLines,
  countOrders,
  exportOrders,
  findGoods,
  listOrders,
  type OrderStep,
  orderDetail,
  orderNotes,
  orderSteps,
  priceGoods,
  printOrder,
  purchaseChoices,
  requestOrderPayment,
  saveOrder,
} from '../contract/order-calls.ts';
import { importOrders, orderTemplate } from '../contract/order-import.ts';
import { mergeOrders, splitOrder } from '../contract/parts.ts';
import {
  addPlanLines,
  countPlan,
  listPlan,
  previewPlan,
  removePlanLines,
  savePlanLine,
  submitPlan,
} from '../contract/plan.ts';
import { exportPriceTrends, priceChart, priceTrends } from '../contract/price-trend.ts';
import {
  countReceipts,
  exportReceipts,
  inspectGoods,
  listReceipts,
  receiptLines,
  receiveGoods,
  reverseReceipt,
} from '../contract/receipt.ts';
import { exportDetail, exportSummary, purchaseDetail, purchaseSummary } from '../contract/report.ts';
import {
  countRequisitions,
  listRequisitions,
  type RequisitionStep,
  requisitionDetail,
  requisitionSteps,
} from '../contract/requisition.ts';
import {
  countReturns,
  createReturn,
  exportReturns,
  listReturns,
  type ReturnStep,
  returnSteps,
} from '../contract/return.ts';
import { readSetting, saveSetting } from '../contract/setting.ts';
import { addShipment as addSent, orderShipments, removeShipment as removeSent } from '../contract/shipment.ts';
import { countSurplus, decideSurplus, exportSurplus, listSurplus } from '../contract/surplus.ts';
import { amendOrder as amend } from './amend/amend.ts';
import { amendmentsOf, decideAmendment, orderOfAmendment } from './amend/decide.ts';
import { chargesOf, addCharge as saveCharge } from './charge.ts';
import { reverseCharge as takeBackCharge } from './charge-reverse.ts';
import { clauseChoices as clauseOptions, clausePage, removeTemplate, saveTemplate } from './clause/templates.ts';
import { exchangeRoutes } from './exchange/routes.ts';
import { decideInvoice } from './invoice/decide.ts';
import { exportInvoiceFile, invoiceCounts, invoicePage, invoicesOf } from './invoice/list.ts';
import { saveInvoice as putInvoice } from './invoice/save.ts';
import { act } from './order/act.ts';
import { checkOrder as check } from './order/check.ts';
import { purchaseChoices as choices } from './order/choices.ts';
import { closeLines as close } from './order/close.ts';
import { orderDetail as detail } from './order/detail.ts';
import { findGoods as find, priceGoods as price } from './order/goods.ts';
import { templateFile } from './order/import/sheet.ts';
import { importOrders as takeOrders } from './order/import/write.ts';
import { exportOrders as exportFile, orderCounts, orderPage } from './order/list.ts';
import { loaded } from './order/load.ts';
import { mergeOrders as merge } from './order/merge.ts';
import { printOrder as print } from './order/print.ts';
import { requestForOrder } from './order/request.ts';
import { saveOrder as save } from './order/save.ts';
import { splitOrder as split } from './order/split.ts';
import { addPlanLines as addPlan, removePlanLines as removePlan, savePlanLine as savePlan } from './plan/lines.ts';
import { planCounts, planPage } from './plan/list.ts';
import { plannedOrders } from './plan/preview.ts';
import { submitPlan as handInPlan } from './plan/submit.ts';
import { processRoutes } from './process/routes.ts';
import { inspect } from './receipt/inspect.ts';
import {
  exportReceipts as exportReceiptFile,
  receiptLines as lines,
  receiptCounts,
  receiptPage,
} from './receipt/list.ts';
import { receive } from './receipt/receive.ts';
import { reverseReceipt as reverse } from './receipt/reverse.ts';
import { detailPage, exportDetail as exportDetailFile } from './report/detail.ts';
import { exportLead, leadChartsOf, leadPage } from './report/lead.ts';
import { exportPrices, priceChartOf, pricePage } from './report/price.ts';
import { exportSummary as exportSummaryFile, summaryPage } from './report/summary.ts';
import { actRequisition } from './requisition/act.ts';
import { requisitionDetail as planDetail } from './requisition/detail.ts';
import { requisitionCounts, requisitionPage } from './requisition/list.ts';
import { actReturn } from './return/act.ts';
import { exportReturns as exportReturnFile, returnCounts, returnPage } from './return/list.ts';
import { createReturn as saveReturn } from './return/save.ts';
import { putSetting, settingOf } from './setting.ts';
import { addShipment, removeShipment, shipmentsOf } from './shipment.ts';
import { decide } from './surplus/decide.ts';
import { exportSurplusFile, surplusCounts, surplusPage } from './surplus/list.ts';

const steps = (Object.keys(orderSteps) as OrderStep[]).map((name) =>
  serve(orderSteps[name], (ctx, { body }) => act(ctx, name, body)),
);

const returns = (Object.keys(returnSteps) as ReturnStep[]).map((name) =>
  serve(returnSteps[name], (ctx, { body }) => actReturn(ctx, name, body)),
);

const plans = (Object.keys(requisitionSteps) as RequisitionStep[]).map((name) =>
  serve(requisitionSteps[name], (ctx, { body }) => actRequisition(ctx, name, body)),
);

export const routes: AnyRoute[] = [
  serve(listPlan, (ctx, { body }) => planPage(ctx, body)),
  serve(countPlan, (ctx, { body }) => planCounts(ctx, body.filter)),
  serve(addPlanLines, (ctx, { body }) => addPlan(ctx, body.lines)),
  serve(savePlanLine, async (ctx, { body }) => {
    await savePlan(ctx, body);
    return 'success' as const;
  }),
  serve(removePlanLines, (ctx, { body }) => removePlan(ctx, body.ids)),
  serve(previewPlan, (ctx, { body }) => plannedOrders(ctx, body)),
  serve(submitPlan, (ctx, { body }) => handInPlan(ctx, body)),
  serve(listRequisitions, (ctx, { body }) => requisitionPage(ctx, body)),
  serve(countRequisitions, (ctx, { body }) => requisitionCounts(ctx, body.filter)),
  serve(requisitionDetail, (ctx, { params }) => planDetail(ctx, params.id)),
  ...plans,

  serve(listOrders, (ctx, { body }) => orderPage(ctx, body)),
  serve(countOrders, (ctx, { body }) => orderCounts(ctx, body.filter)),
  serveOpen(exportOrders, (open, { body }) => exportFile(open, body)),
  serve(orderDetail, (ctx, { params }) => detail(ctx, params.id)),
  ...noteRoutes(orderNotes, { def: purchaseOrder, find: loaded }),
  serve(saveOrder, (ctx, { body }) => save(ctx, body)),
  serve(splitOrder, (ctx, { body }) => split(ctx, body)),
  serve(mergeOrders, (ctx, { body }) => merge(ctx, body)),
  serve(checkOrder, (ctx, { body }) => check(ctx, body)),
  serve(closeLines, (ctx, { body }) => close(ctx, body)),
  serve(findGoods, (ctx, { body }) => find(ctx, body)),
  serve(priceGoods, (ctx, { body }) => price(ctx, body.supplierId, body.lines)),
  serve(requestOrderPayment, (ctx, { body }) => requestForOrder(ctx, body)),
  serve(purchaseChoices, (ctx) => choices(ctx)),
  ...steps,

  serve(printOrder, (ctx, { params, query }) => print(ctx, params.id, query.paper)),
  serve(amendedOrder, (ctx, { params }) => orderOfAmendment(ctx, params.id)),
  serve(orderAmendments, (ctx, { params }) => amendmentsOf(ctx, params.id)),
  serve(amendOrder, (ctx, { body }) => amend(ctx, body)),
  serve(amendmentSteps.approve, (ctx, { body }) => decideAmendment(ctx, 'approve', body)),
  serve(amendmentSteps.reject, (ctx, { body }) => decideAmendment(ctx, 'reject', body)),
  serve(amendmentSteps.recall, (ctx, { body }) => decideAmendment(ctx, 'recall', body)),
  serve(orderCharges, (ctx, { params }) => chargesOf(ctx, params.id)),
  serve(addCharge, (ctx, { body }) => saveCharge(ctx, body)),
  serve(reverseCharge, (ctx, { body }) => takeBackCharge(ctx, body)),

  serve(listReceipts, (ctx, { body }) => receiptPage(ctx, body)),
  serve(countReceipts, (ctx, { body }) => receiptCounts(ctx, body.filter)),
  serveOpen(exportReceipts, (open, { body }) => exportReceiptFile(open, body)),
  serve(receiptLines, (ctx, { params }) => lines(ctx, params.id)),
  serve(receiveGoods, (ctx, { body }) => receive(ctx, body)),
  serve(inspectGoods, (ctx, { body }) => inspect(ctx, body)),
  serve(reverseReceipt, (ctx, { body }) => reverse(ctx, body)),

  serve(listSurplus, (ctx, { body }) => surplusPage(ctx, body)),
  serve(countSurplus, (ctx, { body }) => surplusCounts(ctx, body.filter)),
  serveOpen(exportSurplus, (open, { body }) => exportSurplusFile(open, body)),
  serve(decideSurplus, (ctx, { body }) => decide(ctx, body)),

  serve(listInvoices, (ctx, { body }) => invoicePage(ctx, body)),
  serve(countInvoices, (ctx, { body }) => invoiceCounts(ctx, body.filter)),
  serveOpen(exportInvoices, (open, { body }) => exportInvoiceFile(open, body)),
  serve(orderInvoices, (ctx, { params }) => invoicesOf(ctx, params.id)),
  serve(saveInvoice, (ctx, { body }) => putInvoice(ctx, body)),
  serve(acceptInvoice, (ctx, { body }) => decideInvoice(ctx, 'accepted', body)),
  serve(voidInvoice, (ctx, { body }) => decideInvoice(ctx, 'void', body)),

  serve(listReturns, (ctx, { body }) => returnPage(ctx, body)),
  serve(countReturns, (ctx, { body }) => returnCounts(ctx, body.filter)),
  serveOpen(exportReturns, (open, { body }) => exportReturnFile(open, body)),
  serve(createReturn, (ctx, { body }) => saveReturn(ctx, body)),
  ...returns,

  ...exchangeRoutes,
  ...processRoutes,

  serve(purchaseSummary, (ctx, { body }) => summaryPage(ctx, body)),
  serveOpen(exportSummary, (open, { body }) => exportSummaryFile(open, body)),
  serve(purchaseDetail, (ctx, { body }) => detailPage(ctx, body)),
  serveOpen(exportDetail, (open, { body }) => exportDetailFile(open, body)),

  serveOpen(importOrders, (open, { body }) => takeOrders(open, body?.write === 'yes')),
  serve(orderTemplate, async () => templateFile()),
  serve(leadTimes, (ctx, { body }) => leadPage(ctx, body)),
  serve(leadCharts, (ctx, { body }) => leadChartsOf(ctx, body.filter)),
  serveOpen(exportLeadTimes, (open, { body }) => exportLead(open, body)),
  serve(priceTrends, (ctx, { body }) => pricePage(ctx, body)),
  serve(priceChart, (ctx, { body }) => priceChartOf(ctx, body.filter)),
  serveOpen(exportPriceTrends, (open, { body }) => exportPrices(open, body)),
  serve(orderShipments, (ctx, { params }) => shipmentsOf(ctx, params.id)),
  serve(addSent, (ctx, { body }) => addShipment(ctx, body)),
  serve(removeSent, async (ctx, { body }) => {
    await removeShipment(ctx, body.id);
    return 'success' as const;
  }),
  serve(listClauses, (ctx, { body }) => clausePage(ctx, body)),
  serve(clauseChoices, (ctx) => clauseOptions(ctx)),
  serve(saveClauses, (ctx, { body }) => saveTemplate(ctx, body)),
  serve(removeClauses, async (ctx, { body }) => {
    await removeTemplate(ctx, body.id);
    return 'success' as const;
  }),
  serve(readSetting, (ctx) => settingOf(ctx)),
  serve(saveSetting, (ctx, { body }) => putSetting(ctx, body)),
];
