import { type AnyRoute, serve, serveOpen, servePublic } from '#kit/server/http/serve.ts';
import * as catalog from '../contract/catalog.ts';
import * as drafts from '../contract/draft.ts';
import * as many from '../contract/many.ts';
import { fetchPicture, uploadPicture } from '../contract/pictures.ts';
import { exportFound } from './catalog/export.ts';
import { restrictions, search, types } from './catalog/search.ts';
import { beginEdit, beginNew, beginRestore } from './draft/begin.ts';
import { cancel, check, rebase, save } from './draft/change.ts';
import { copy } from './draft/copy.ts';
import { draftCounts, draftDetailOf, draftPage } from './draft/list.ts';
import { schedule } from './draft/schedule.ts';
import { submit, validate } from './draft/submit.ts';
import { startEdits } from './many/edit.ts';
import { startSubmits } from './many/submit.ts';
import { showPicture, takePicture } from './pictures.ts';
import { takeDraftSheet } from './sheet/read.ts';
import { draftWorkbook } from './sheet/write.ts';

export const routes: AnyRoute[] = [
  serveOpen(uploadPicture, (open, { body }) => takePicture(open, body.id)),
  servePublic(fetchPicture, (ctx, { params }) => showPicture(ctx, params.token)),
  serveOpen(catalog.searchCatalog, (open, { body }) => search(open, body)),
  serveOpen(catalog.exportCatalog, (open, { body }) => exportFound(open, body)),
  serveOpen(catalog.checkRestrictions, (open, { body }) => restrictions(open, body)),
  serveOpen(catalog.searchTypes, (open, { body }) => types(open, body)),
  serve(drafts.listDrafts, (ctx, { body }) => draftPage(ctx, body)),
  serve(drafts.countDrafts, (ctx, { body }) => draftCounts(ctx, body.filter)),
  serveOpen(drafts.draftDetail, (open, { params }) => draftDetailOf(open, params.id)),
  serveOpen(drafts.editListing, (open, { body }) => beginEdit(open, body.listingId)),
  serveOpen(drafts.newDraft, (open, { body }) => beginNew(open, body)),
  serve(drafts.saveDraft, (ctx, { body }) => save(ctx, body)),
  serveOpen(drafts.checkDraft, (open, { body }) => check(open, body.id, body.attributes)),
  serveOpen(drafts.validateDraft, (open, { body }) => validate(open, body)),
  serveOpen(drafts.submitDraft, (open, { body }) => submit(open, body)),
  serveOpen(drafts.rebaseDraft, (open, { body }) => rebase(open, body)),
  serve(drafts.cancelDraft, (ctx, { body }) => cancel(ctx, body)),
  serveOpen(drafts.copyDraft, (open, { body }) => copy(open, body)),
  serve(many.editMany, (ctx, { body }) => startEdits(ctx, body.listingIds)),
  serveOpen(many.draftSheet, (open, { body }) => draftWorkbook(open, body.ids)),
  serveOpen(many.takeSheet, (open, { body }) => takeDraftSheet(open, body)),
  serve(many.submitMany, (ctx, { body }) => startSubmits(ctx, body.drafts)),
  serve(many.scheduleDraft, (ctx, { body }) => schedule(ctx, body)),
  serveOpen(drafts.restoreVersion, (open, { body }) => beginRestore(open, body)),
];
