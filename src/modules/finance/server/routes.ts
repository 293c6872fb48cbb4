import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as accounts from '../contract/accounts.ts';
import { dueDays } from '../contract/due.ts';
import * as gains from '../contract/gains.ts';
import * as payables from '../contract/payables.ts';
import * as paymentFiles from '../contract/payment-import.ts';
import * as payments from '../contract/payments.ts';
import * as rates from '../contract/rates.ts';
import * as requests from '../contract/requests.ts';
import * as setting from '../contract/setting.ts';
import * as settlements from '../contract/settlements.ts';
import { add, change, disable, accounts as listOfAccounts, makeDefault } from './accounts/accounts.ts';
import { categories, saveCategoryOf } from './accounts/categories.ts';
import { transfer, undo, write } from './accounts/journal.ts';
import { exportAll as exportJournal, journalPage } from './accounts/list.ts';
import { trend } from './accounts/trend.ts';
import { bankRoutes } from './bank/routes.ts';
import { billRoutes } from './bills/routes.ts';
import { blocRoutes } from './bloc/routes.ts';
import { exportGainFile, gainPage } from './gains/list.ts';
import { dealingPage, exportDealingsFile, statementOf } from './payables/dealings.ts';
import { duePlan } from './payables/due.ts';
import { debtsOf, exportItemsFile, itemPage } from './payables/list.ts';
import { lend, partyList, receive, savePartnerOf, settleByHand } from './payables/parties.ts';
import { printSettlement, printStatement } from './payables/print.ts';
import { exportPaymentFile, paymentPage } from './payments/list.ts';
import { paymentTemplate, uploadPayments } from './payments/upload.ts';
import { copyFromBefore, dropMonth, setDay, setMonth } from './rates/edit.ts';
import { history, ratePage } from './rates/list.ts';
import { close, periods, reopen } from './rates/periods.ts';
import { template, uploadDays } from './rates/upload.ts';
import { act, setMethod } from './requests/act.ts';
import { detailOf } from './requests/detail.ts';
import { exportAll as exportRequests, requestCounts, requestPage } from './requests/list.ts';
import { loaded as loadRequest } from './requests/load.ts';
import { pay } from './requests/pay.ts';
import { printRequest } from './requests/print.ts';
import { save } from './requests/save.ts';
import { putSetting, settingOf } from './setting.ts';
import { add as addSettlement, confirm, move } from './settlements/act.ts';
import { settlementCounts, settlementDetail, settlementHead, settlementPage } from './settlements/read.ts';

const success = 'success' as const;

const steps = Object.entries(requests.requestSteps).map(([name, call]) =>
  serve(call, (ctx, { body }) => act(ctx, name as requests.RequestStep, body)),
);

export const routes: AnyRoute[] = [
  serve(accounts.listAccounts, (ctx) => listOfAccounts(ctx)),
  serve(accounts.addAccount, (ctx, { body }) => add(ctx, body)),
  serve(accounts.changeAccount, (ctx, { body }) => change(ctx, body)),
  serve(accounts.switchAccount, (ctx, { body }) => disable(ctx, body.id, body.disabled)),
  serve(accounts.defaultAccount, (ctx, { body }) => makeDefault(ctx, body.id)),
  serve(accounts.listCategories, (ctx) => categories(ctx)),
  serve(accounts.saveCategory, (ctx, { body }) => saveCategoryOf(ctx, body)),
  serve(accounts.listJournal, (ctx, { body }) => journalPage(ctx, body)),
  serveOpen(accounts.exportJournal, (open, { body }) => exportJournal(open, body)),
  serve(accounts.addJournal, (ctx, { body }) => write(ctx, body)),
  serve(accounts.addTransfer, (ctx, { body }) => transfer(ctx, body)),
  serve(accounts.undoJournal, (ctx, { body }) => undo(ctx, body.postingId, body.reason)),
  serve(accounts.accountTrend, (ctx, { body }) => trend(ctx, body)),

  serve(setting.readSetting, (ctx) => settingOf(ctx)),
  serve(setting.saveSetting, (ctx, { body }) => putSetting(ctx, body)),

  serve(payables.listItems, (ctx, { body }) => itemPage(ctx, body)),
  serveOpen(payables.exportItems, (open, { body }) => exportItemsFile(open, body)),
  serve(dueDays, (ctx) => duePlan(ctx)),
  serve(payables.openDebts, (ctx, { body }) => debtsOf(ctx, body.partyId, body.currency)),
  serve(payables.settleItems, (ctx, { body }) => settleByHand(ctx, body)),
  serve(payables.receiveMoney, (ctx, { body }) => receive(ctx, body)),
  serve(payables.listDealings, (ctx, { body }) => dealingPage(ctx, body)),
  serveOpen(payables.exportDealings, (open, { body }) => exportDealingsFile(open, body)),
  serve(payables.partyStatement, (ctx, { body }) => statementOf(ctx, body)),
  serve(payables.printStatement, (ctx, { body }) => printStatement(ctx, body)),
  serve(gains.listGains, (ctx, { body }) => gainPage(ctx, body)),
  serveOpen(gains.exportGains, (open, { body }) => exportGainFile(open, body)),
  serve(payables.addDealing, (ctx, { body }) => lend(ctx, body)),
  serve(payables.partyChoices, (ctx) => partyList(ctx)),
  serve(payables.savePartner, (ctx, { body }) => savePartnerOf(ctx, body)),

  serve(requests.listRequests, (ctx, { body }) => requestPage(ctx, body)),
  serve(requests.countRequests, (ctx, { body }) => requestCounts(ctx, body.filter)),
  serveOpen(requests.exportRequests, (open, { body }) => exportRequests(open, body)),
  serve(requests.printRequest, (ctx, { params }) => printRequest(ctx, params.id)),
  serve(requests.requestData, (ctx, { params }) => detailOf(ctx, params.id)),
  ...noteRoutes(requests.requestNotes, { def: requests.paymentRequest, find: loadRequest }),
  serve(requests.saveRequest, (ctx, { body }) => save(ctx, body)),
  serve(requests.payRequests, (ctx, { body }) => pay(ctx, body)),
  serve(requests.changeMethod, (ctx, { body }) => setMethod(ctx, body)),
  ...steps,
  serveOpen(paymentFiles.uploadPayments, (open, { body }) => uploadPayments(open, body?.write === 'yes')),
  serve(paymentFiles.paymentTemplate, () => paymentTemplate()),
  serve(payments.listPayments, (ctx, { body }) => paymentPage(ctx, body)),
  serveOpen(payments.exportPayments, (open, { body }) => exportPaymentFile(open, body)),

  serve(settlements.listSettlements, (ctx, { body }) => settlementPage(ctx, body)),
  serve(settlements.countSettlements, (ctx, { body }) => settlementCounts(ctx, body.filter)),
  serve(settlements.settlementData, (ctx, { params }) => settlementDetail(ctx, params.id)),
  serve(settlements.printSettlement, (ctx, { params }) => printSettlement(ctx, params.id)),
  ...noteRoutes(settlements.settlementNotes, { def: settlements.supplierSettlement, find: settlementHead }),
  serve(settlements.addSettlement, (ctx, { body }) => addSettlement(ctx, body)),
  serve(settlements.confirmSettlement, (ctx, { body }) => confirm(ctx, body)),
  serve(settlements.moveSettlement, (ctx, { body }) => move(ctx, body)),

  ...billRoutes,
  ...bankRoutes,
  ...blocRoutes,

  serve(rates.listRates, (ctx, { body }) => ratePage(ctx, body)),
  serve(rates.rateHistory, (ctx, { body }) => history(ctx, body)),
  serve(rates.saveMonthRate, async (ctx, { body }) => setMonth(ctx, body).then(() => success)),
  serve(rates.dropMonthRate, async (ctx, { body }) => dropMonth(ctx, body).then(() => success)),
  serve(rates.saveDayRate, async (ctx, { body }) => setDay(ctx, body).then(() => success)),
  serve(rates.copyMonth, (ctx, { body }) => copyFromBefore(ctx, body.month)),
  serve(rates.rateTemplate, async () => template()),
  serveOpen(rates.uploadRates, (open, { body }) => uploadDays(open, body?.write === 'yes')),
  serve(rates.listPeriods, (ctx) => periods(ctx)),
  serve(rates.closePeriod, async (ctx, { body }) => close(ctx, body.month).then(() => success)),
  serve(rates.reopenPeriod, async (ctx, { body }) => reopen(ctx, body.month, body.reason).then(() => success)),
];
