import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
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
  serve(selectSuppliers, (ctx) => choices(ctx)),
];
