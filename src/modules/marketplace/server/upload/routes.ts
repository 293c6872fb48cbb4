import { transition } from '#kit/server/document.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as stores from '../../contract/stores.ts';
import * as uploads from '../../contract/uploads.ts';
import { addManualAccount } from '../auth/manual.ts';
import { commit, uploadKind } from './commit.ts';
import { uploadCountsOf, uploadDetailOf, uploadPage } from './list.ts';
import { readable, receive } from './receive.ts';
import { uploadableTypes } from './recognise.ts';
import { badRowsFile, mappingOf, remap } from './remap.ts';

const success = 'success' as const;

/** Uploading report files, and the accounts that live on uploads alone. */
export const uploadRoutes: AnyRoute[] = [
  serve(uploads.reportTypeList, async (ctx) => uploadableTypes(ctx.runtime)),
  serveOpen(uploads.uploadReportFile, (open, { body }) => receive(open, body)),
  serve(uploads.uploadList, (ctx, { body }) => uploadPage(ctx, body)),
  serve(uploads.uploadCounts, (ctx, { body }) => uploadCountsOf(ctx, body.filter)),
  serve(uploads.uploadDetail, (ctx, { params }) => uploadDetailOf(ctx, params.id)),
  serve(uploads.uploadErrors, (ctx, { params }) => readable(() => badRowsFile(ctx, params.id))),
  serveOpen(uploads.commitUpload, (open, { params }) => commit(open, params.id)),
  serve(uploads.rejectUpload, async (ctx, { params, body }) => {
    await transition(ctx, uploadKind(), params.id, 'reject', { reason: body?.reason, version: body?.version });
    return success;
  }),
  serve(uploads.revertUpload, async (ctx, { params, body }) => {
    await transition(ctx, uploadKind(), params.id, 'revert', { reason: body?.reason, version: body?.version });
    return success;
  }),
  serve(uploads.readMapping, (ctx, { query }) => readable(() => mappingOf(ctx, query.id))),
  serve(uploads.saveMapping, (ctx, { body }) => readable(() => remap(ctx, body))),
  serve(stores.manualAccount, (ctx, { body }) => addManualAccount(ctx, body)),
];
