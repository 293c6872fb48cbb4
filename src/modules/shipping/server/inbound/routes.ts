import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as inbound from '../../contract/inbound.ts';
import { placementCosts } from '../../contract/placement.ts';
import { importTracking, trackingSheet } from '../../contract/tracking-sheet.ts';
import { changeShipment, giveUpChange } from './change.ts';
import * as choose from './choose.ts';
import { costsOf } from './costs/costs.ts';
import { importTrackingFile, trackingFile } from './tracking/files.ts';
import { labelsOf, viewOf } from './view.ts';

/** The way of orders through Amazon's inbound API. */
export const inboundRoutes: AnyRoute[] = [
  serve(inbound.inboundView, (ctx, { params }) => viewOf(ctx, params.id)),
  serve(placementCosts, (ctx, { params }) => costsOf(ctx, params.id)),
  serve(inbound.choosePlacement, (ctx, { body }) => choose.choosePlacement(ctx, body)),
  serve(inbound.chooseWays, (ctx, { body }) => choose.chooseWays(ctx, body)),
  serve(inbound.setReady, (ctx, { body }) => choose.setReady(ctx, body)),
  serve(inbound.offerAgain, (ctx, { body }) => choose.offerAgain(ctx, body)),
  serve(inbound.retryInbound, (ctx, { body }) => choose.retry(ctx, body)),
  serve(inbound.refreshInbound, (ctx, { body }) => choose.refresh(ctx, body)),
  serve(inbound.redoInbound, (ctx, { body }) => choose.redo(ctx, body)),
  serve(inbound.setPreps, (ctx, { body }) => choose.setPreps(ctx, body)),
  serve(inbound.putTracking, (ctx, { body }) => choose.putTracking(ctx, body)),
  serve(trackingSheet, (ctx, { params }) => trackingFile(ctx, params.id)),
  serveOpen(importTracking, (open, { body }) => importTrackingFile(open, body)),
  serve(inbound.changeContents, (ctx, { body }) => changeShipment(ctx, body)),
  serve(inbound.dropChange, (ctx, { body }) => giveUpChange(ctx, body)),
  serve(inbound.inboundLabels, (ctx, { params, query }) => labelsOf(ctx, params.id, params.shipmentId, query.paper)),
];
