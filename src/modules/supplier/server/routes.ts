import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as grading from '../contract/grading.ts';
import {
  askBank,
  countSuppliers,
  decideBank,
  exportSuppliers,
  gradeSupplier,
  listSuppliers,
  moveSupplier,
  saveSupplier,
  selectSuppliers,
  supplierDetail,
  supplierScorecard,
} from '../contract.ts';
import { ask, decide } from './bank.ts';
import { scorecard } from './card.ts';
import { apply, keep, lock } from './grading/decide.ts';
import { historyOf } from './grading/history.ts';
import { exportScoreFile, quartersOf, scoreCounts, scorePage } from './grading/list.ts';
import { putSetting, readSetting } from './grading/setting.ts';
import { exportFile, supplierCounts, supplierPage } from './list.ts';
import { move } from './move.ts';
import { choices } from './names.ts';
import { detail, grade, save } from './save.ts';

export const routes: AnyRoute[] = [
  serve(listSuppliers, (ctx, { body }) => supplierPage(ctx, body)),
  serve(countSuppliers, (ctx, { body }) => supplierCounts(ctx, body.filter)),
  serveOpen(exportSuppliers, (open, { body }) => exportFile(open, body)),
  serve(supplierDetail, (ctx, { body }) => detail(ctx, body.id)),
  serve(saveSupplier, (ctx, { body }) => save(ctx, body)),
  serve(moveSupplier, (ctx, { body }) => move(ctx, body)),
  serve(gradeSupplier, async (ctx, { body }) => {
    await grade(ctx, body);
    return 'success' as const;
  }),
  serve(askBank, (ctx, { body }) => ask(ctx, body)),
  serve(decideBank, (ctx, { body }) => decide(ctx, body)),
  serve(supplierScorecard, (ctx, { body }) => scorecard(ctx, body.id, body.quarter)),
  serve(grading.readGrading, (ctx) => readSetting(ctx)),
  serve(grading.saveGrading, (ctx, { body }) => putSetting(ctx, body)),
  serve(grading.scoreQuarters, (ctx) => quartersOf(ctx)),
  serve(grading.listScores, (ctx, { body }) => scorePage(ctx, body)),
  serve(grading.countScores, (ctx, { body }) => scoreCounts(ctx, body.filter)),
  serveOpen(grading.exportScores, (open, { body }) => exportScoreFile(open, body)),
  serve(grading.applyProposals, (ctx, { body }) => apply(ctx, body.ids)),
  serve(grading.keepGrades, (ctx, { body }) => keep(ctx, body.ids, body.reason)),
  serve(grading.lockGrade, async (ctx, { body }) => {
    await lock(ctx, body);
    return 'success' as const;
  }),
  serve(grading.gradeHistory, (ctx, { body }) => historyOf(ctx, body.id)),
  serve(selectSuppliers, (ctx) => choices(ctx)),
];
