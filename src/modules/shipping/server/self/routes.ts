import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as calls from '../../contract/self/calls.ts';
import { selfDoc } from '../../contract/self/doc.ts';
import * as label from '../../contract/self/label.ts';
import * as waiting from '../../contract/self/waiting.ts';
import * as work from '../../contract/self/work.ts';
import { act } from './act.ts';
import { sendBack } from './back.ts';
import { buildAll, stepAll } from './batch.ts';
import { docChoices, productChoices } from './choices.ts';
import { docDetail, rowOf } from './detail.ts';
import { buyMany, buyOne } from './label/buy.ts';
import { zplLabels } from './label/print.ts';
import { ratesOf } from './label/rates.ts';
import { lookOne, resolveOne } from './label/resolve.ts';
import { labelsOf } from './label/store.ts';
import { voidOne } from './label/void.ts';
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
  serve(label.printSelfZpl, (ctx, { body }) => zplLabels(ctx, body.ids)),
  serveOpen(label.labelRates, (open, { body }) => ratesOf(open, body)),
  serveOpen(label.buyLabel, (open, { body }) => buyOne(open, body)),
  serveOpen(label.buyLabels, (open, { body }) => buyMany(open, body)),
  serve(label.voidLabel, (ctx, { body }) => voidOne(ctx, body)),
  serveOpen(label.lookLabel, (open, { body }) => lookOne(open, body)),
  serve(label.resolveLabel, (ctx, { body }) => resolveOne(ctx, body)),
  serve(label.listLabels, (ctx, { params }) => labelsOf(ctx, params.id)),
  serveOpen(work.importSelfTracking, (open, { body }) => importTracking(open, body.write === 'yes')),
  serve(work.selfTrackingTemplate, async () => templateFile()),
  ...noteRoutes(calls.selfNotes, { def: selfDoc, find: rowOf }),
];
