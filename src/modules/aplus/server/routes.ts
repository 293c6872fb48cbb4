import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as aplus from '../contract/documents.ts';
import { detailOf, recordsOf } from './detail.ts';
import { copy, create, discard, hide, reload, save } from './draft.ts';
import { aplusCounts, aplusPage, exportAll } from './list.ts';
import { servePicture, takePicture } from './pictures.ts';
import { syncAll } from './sync/wake.ts';
import { push, relate, submit, suspend, validate } from './write/steps.ts';

export const routes: AnyRoute[] = [
  serve(aplus.listAplus, (ctx, { body }) => aplusPage(ctx, body)),
  serve(aplus.countAplus, (ctx, { body }) => aplusCounts(ctx, body.filter)),
  serveOpen(aplus.exportAplus, (open, { body }) => exportAll(open, body)),
  serve(aplus.aplusDetail, (ctx, { params }) => detailOf(ctx, params.id)),
  serve(aplus.createAplus, (ctx, { body }) => create(ctx, body)),
  serve(aplus.saveAplus, (ctx, { body }) => save(ctx, body)),
  serve(aplus.discardAplus, (ctx, { body }) => discard(ctx, body)),
  serveOpen(aplus.reloadAplus, (open, { body }) => reload(open, body)),
  serveOpen(aplus.validateAplus, (open, { body }) => validate(open, body)),
  serveOpen(aplus.pushAplus, (open, { body }) => push(open, body)),
  serveOpen(aplus.relateAplus, (open, { body }) => relate(open, body)),
  serveOpen(aplus.submitAplus, (open, { body }) => submit(open, body)),
  serveOpen(aplus.suspendAplus, (open, { body }) => suspend(open, body)),
  serve(aplus.hideAplus, (ctx, { body }) => hide(ctx, body)),
  serve(aplus.copyAplus, (ctx, { body }) => copy(ctx, body)),
  serveOpen(aplus.aplusRecords, (open, { body }) => recordsOf(open, body)),
  serveOpen(aplus.uploadPicture, (open, { body }) => takePicture(open, body.id)),
  serveOpen(aplus.showPicture, (open, { params }) => servePicture(open, params.id)),
  serve(aplus.syncAplus, (ctx) => syncAll(ctx)),
];
