import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as calls from '../../contract/claim-calls.ts';
import { answer, dismiss, file } from './act.ts';
import { claimPageOf } from './detail.ts';
import { findLater } from './later.ts';
import { claimCounts, claimPage, exportClaimRows } from './list.ts';
import { claimRules, putClaimRules } from './rules.ts';

export const claimRoutes: AnyRoute[] = [
  serve(calls.listClaims, (ctx, { body }) => claimPage(ctx, body)),
  serve(calls.countClaims, (ctx, { body }) => claimCounts(ctx, body.filter)),
  serveOpen(calls.exportClaims, (open, { body }) => exportClaimRows(open, body)),
  serve(calls.claimDetail, (ctx, { params }) => claimPageOf(ctx, params.id)),
  serve(calls.fileClaim, (ctx, { body }) => file(ctx, body)),
  serve(calls.answerClaim, (ctx, { body }) => answer(ctx, body)),
  serve(calls.dismissClaim, (ctx, { body }) => dismiss(ctx, body)),
  serve(calls.buildClaims, async (ctx) => {
    await findLater(ctx);
    return { message: '已开始查找，完成后刷新列表' };
  }),
  serve(calls.readClaimRules, (ctx) => claimRules(ctx)),
  serve(calls.saveClaimRules, async (ctx, { body }) => {
    const rules = await putClaimRules(ctx, body);
    await findLater(ctx);
    return rules;
  }),
];
