import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { exportKingdee, exportYonyou } from '../contract/entry-files.ts';
import { generalLedger, subjectLedger, trialBalance } from '../contract/ledger.ts';
import * as periodCalls from '../contract/periods.ts';
import * as ruleCalls from '../contract/rules.ts';
import { exportStatement, printStatement, readStatement } from '../contract/statements.ts';
import * as subjectCalls from '../contract/subjects.ts';
import * as calls from '../contract/voucher-calls.ts';
import { voucher } from '../contract/vouchers.ts';
import { act } from './act.ts';
import { applyChart, stateOf } from './book.ts';
import { detailOf } from './detail.ts';
import { detailOf as ledgerOf } from './entries.ts';
import { kingdeeFile, yonyouFile } from './entry-files.ts';
import { generalOf } from './general.ts';
import { trialOf } from './ledger.ts';
import { exportFile, voucherCounts, voucherPage } from './list.ts';
import { loaded } from './load.ts';
import { checksOf, close, periodsOf, reopen } from './periods.ts';
import { makeOf } from './rules/make.ts';
import { previewOf } from './rules/preview.ts';
import { keepRule, ruleOf, ruleRows } from './rules/rule.ts';
import { exportFile as exportReport, printFile } from './statement/file.ts';
import { statementOf } from './statement/read.ts';
import { choices, exportChart, save as saveSubject, setState, subjectsOf } from './subjects.ts';
import { save } from './write.ts';

const steps = Object.entries(calls.voucherSteps).map(([name, call]) =>
  serve(call, (ctx, { body }) => act(ctx, body.id, name as calls.VoucherStep, body)),
);

export const routes: AnyRoute[] = [
  serve(subjectCalls.listSubjects, (ctx, { body }) => subjectsOf(ctx, body.filter)),
  serveOpen(subjectCalls.exportSubjects, (open, { body }) => exportChart(open, body)),
  serve(subjectCalls.subjectChoices, (ctx) => choices(ctx)),
  serve(subjectCalls.bookState, (ctx) => stateOf(ctx)),
  serve(subjectCalls.saveSubject, (ctx, { body }) => saveSubject(ctx, body)),
  serve(subjectCalls.setSubjectState, (ctx, { body }) => setState(ctx, body)),
  serve(subjectCalls.applyTemplate, (ctx, { body }) => applyChart(ctx, body.startMonth)),
  serve(calls.listVouchers, (ctx, { body }) => voucherPage(ctx, body)),
  serve(calls.countVouchers, (ctx, { body }) => voucherCounts(ctx, body.filter)),
  serveOpen(calls.exportVouchers, (open, { body }) => exportFile(open, body)),
  serveOpen(exportKingdee, (open, { body }) => kingdeeFile(open, body)),
  serveOpen(exportYonyou, (open, { body }) => yonyouFile(open, body)),
  serve(calls.voucherData, (ctx, { params }) => detailOf(ctx, params.id)),
  ...noteRoutes(calls.voucherNotes, { def: voucher, find: loaded }),
  serve(calls.saveVoucher, (ctx, { body }) => save(ctx, body)),
  serve(ruleCalls.makeVouchers, (ctx, { body }) => makeOf(ctx, body)),
  serve(ruleCalls.listRules, (ctx) => ruleRows(ctx)),
  serve(ruleCalls.ruleData, (ctx, { body }) => ruleOf(ctx, body.source)),
  serve(ruleCalls.saveRule, (ctx, { body }) => keepRule(ctx, body)),
  serve(ruleCalls.previewRule, (ctx, { body }) => previewOf(ctx, body)),
  serve(trialBalance, (ctx, { body }) => trialOf(ctx, body)),
  serve(subjectLedger, (ctx, { body }) => ledgerOf(ctx, body)),
  serve(generalLedger, (ctx, { body }) => generalOf(ctx, body)),
  serve(readStatement, (ctx, { body }) => statementOf(ctx, body)),
  serveOpen(exportStatement, (open, { body }) => exportReport(open, body)),
  serve(printStatement, (ctx, { body }) => printFile(ctx, body)),
  serve(periodCalls.listPeriods, (ctx) => periodsOf(ctx)),
  serve(periodCalls.checkPeriod, (ctx, { body }) => checksOf(ctx, body.month)),
  serve(periodCalls.closePeriod, (ctx, { body }) => close(ctx, body.month)),
  serve(periodCalls.reopenPeriod, (ctx, { body }) => reopen(ctx, body.month, body.reason)),
  ...steps,
];
