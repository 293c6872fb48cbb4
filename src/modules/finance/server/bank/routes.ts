import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as bank from '../../contract/bank.ts';
import { bankCounts, bankPage, exportBankFile } from './list.ts';
import { ignore, match, matchAlike, payByLine, restore, unmatch } from './match.ts';
import { reconcile } from './reconcile.ts';
import { suggest } from './suggest.ts';
import { bankTemplate, uploadBank } from './upload.ts';

/** The calls of the statements of banks. */
export const bankRoutes: AnyRoute[] = [
  serve(bank.listBank, (ctx, { body }) => bankPage(ctx, body)),
  serve(bank.countBank, (ctx, { body }) => bankCounts(ctx, body.filter)),
  serveOpen(bank.exportBank, (open, { body }) => exportBankFile(open, body)),
  serveOpen(bank.uploadBank, (open, { body }) => uploadBank(open, body)),
  serve(bank.bankTemplate, () => bankTemplate()),
  serve(bank.suggestBank, (ctx, { body }) => suggest(ctx, body.ids)),
  serve(bank.matchBank, (ctx, { body }) => match(ctx, body)),
  serve(bank.autoMatch, (ctx, { body }) => matchAlike(ctx, body.cashAccountId)),
  serve(bank.unmatchBank, (ctx, { body }) => unmatch(ctx, body.id)),
  serve(bank.ignoreBank, (ctx, { body }) => ignore(ctx, body)),
  serve(bank.restoreBank, (ctx, { body }) => restore(ctx, body.ids)),
  serve(bank.payFromBank, (ctx, { body }) => payByLine(ctx, body)),
  serve(bank.reconcileBank, (ctx, { body }) => reconcile(ctx, body.cashAccountId)),
];
