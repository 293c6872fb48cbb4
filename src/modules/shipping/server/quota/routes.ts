import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as calls from '../../contract/quota/calls.ts';
import { exportQuotaFile, quotaPage } from './list.ts';
import { decide, detailOf, request } from './request.ts';
import { removeQuotaOf, saveQuotaOf } from './save.ts';

/** Calls of FBA仓容. */
export const quotaRoutes: AnyRoute[] = [
  serve(calls.listQuotas, (ctx, { body }) => quotaPage(ctx, body)),
  serveOpen(calls.exportQuotas, (open, { body }) => exportQuotaFile(open, body)),
  serve(calls.quotaDetail, (ctx, { params }) => detailOf(ctx, params.id)),
  serve(calls.saveQuota, (ctx, { body }) => saveQuotaOf(ctx, body)),
  serve(calls.removeQuota, (ctx, { body }) => removeQuotaOf(ctx, body)),
  serve(calls.requestQuota, (ctx, { body }) => request(ctx, body)),
  serve(calls.decideQuota, (ctx, { body }) => decide(ctx, body)),
];
