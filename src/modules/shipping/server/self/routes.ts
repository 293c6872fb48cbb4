import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as calls from '../../contract/self/calls.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import * as waiting from '../../contract/self/waiting.ts';
import * as work from '../../contract/self/work.ts';
import { act } from './act.ts';
import { sendBack } from './back.ts';
import { buildAll, stepAll } from './batch.ts';
import { docChoices, productChoices } from './choices.ts';
import { docDetail, rowOf } from './detail.ts';
import { linesFor } from './lines.ts';
import { docCounts, docPage, exportDocs } from './list.ts';
import { pickDoc, pickRowsOf } from './pick.ts';
import { packingList, parcelLabels, pickSheet } from './print.ts';
import { saveDoc } from './save.ts';
import { importTracking } from './tracking/import.ts';
import { templateFile } from './tracking/sheet.ts';
import { waitingCount, waitingPage } from './waiting.ts';
import { putWay, weigh } from './way.ts';

/** Calls of 自发货单. */
export const selfRoutes: AnyRoute[] = [
  serve(calls.listSelf, (ctx, { body }) => docPage(ctx, body)),
  serve(calls.countSelf, (ctx, { body }) => docCounts(ctx, body.filter)),
  serveOpen(calls.exportSelf, (open, { body }) => exportDocs(open, body)),
  serve(calls.selfDetail, (ctx, { params }) => docDetail(ctx, params.id)),
  serve(calls.saveSelf, (ctx, { body }) => saveDoc(ctx, body)),
  serve(calls.putSelfWay, (ctx, { body }) => putWay(ctx, body)),
  serve(calls.weighSelf, (ctx, { body }) => weigh(ctx, body)),
  serve(calls.sendBackSelf, (ctx, { body }) => sendBack(ctx, body)),
  serve(calls.selfChoices, (ctx) => docChoices(ctx)),
  serve(calls.selfProducts, (ctx, { body }) => productChoices(ctx, body)),
  ...Object.entries(calls.selfSteps).map(([name, endpoint]) =>
    serve(endpoint, (ctx, { body }) => act(ctx, name as calls.SelfStep, body)),
  ),
  ...Object.entries(calls.selfBatches).map(([name, endpoint]) =>
    serveOpen(endpoint, (open, { body }) => stepAll(open, name as calls.SelfBatch, body)),
  ),
  serve(waiting.listWaiting, (ctx, { body }) => waitingPage(ctx, body)),
  serve(waiting.countWaiting, (ctx) => waitingCount(ctx)),
  serve(waiting.openLines, (ctx, { body }) => linesFor(ctx, body)),
  serveOpen(waiting.buildSelf, (open, { body }) => buildAll(open, body)),
  serve(work.selfPickRows, (ctx, { params }) => pickRowsOf(ctx, params.id)),
  serve(work.pickSelf, (ctx, { body }) => pickDoc(ctx, body)),
  serve(work.printSelfPicks, (ctx, { body }) => pickSheet(ctx, body.ids)),
  serve(work.printSelfPacking, (ctx, { params }) => packingList(ctx, params.id)),
  serve(work.printSelfLabels, (ctx, { body }) => parcelLabels(ctx, body.ids)),
  serveOpen(work.importSelfTracking, (open, { body }) => importTracking(open, body.write === 'yes')),
  serve(work.selfTrackingTemplate, async () => templateFile()),
  ...noteRoutes(calls.selfNotes, { def: selfDoc, find: rowOf }),
];
