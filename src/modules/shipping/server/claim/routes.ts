import { noteRoutes } from '#kit/server/document-notes.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as calls from '../../contract/claim/calls.ts';
import { claimCase } from '../../contract/claim/claim.ts';
import { check, file, pay, take } from './act.ts';
import { claimPageOf, claimRowOf } from './detail.ts';
import { claimCounts, claimPage, exportClaimRows } from './list.ts';
import { packOf } from './pack/pack.ts';
import { claimWindows, putClaimWindows } from './windows.ts';

export const claimRoutes: AnyRoute[] = [
  serve(calls.listClaims, (ctx, { body }) => claimPage(ctx, body)),
  serve(calls.countClaims, (ctx, { body }) => claimCounts(ctx, body.filter)),
  serveOpen(calls.exportClaims, (open, { body }) => exportClaimRows(open, body)),
  serve(calls.claimDetail, (ctx, { params }) => claimPageOf(ctx, params.id)),
  serve(calls.checkClaim, (ctx, { body }) => check(ctx, body)),
  serve(calls.fileClaim, (ctx, { body }) => file(ctx, body)),
  serve(calls.payClaim, (ctx, { body }) => pay(ctx, body)),
  ...Object.entries(calls.claimSteps).map(([name, call]) =>
    serve(call, (ctx, { body }) => take(ctx, name as calls.ClaimStep, body)),
  ),
  serveOpen(calls.claimPack, (open, { params }) => packOf(open, params.id)),
  serve(calls.readClaimWindows, (ctx) => claimWindows(ctx)),
  serve(calls.saveClaimWindows, (ctx, { body }) => putClaimWindows(ctx, body.windows)),
  ...noteRoutes(calls.claimNotes, { def: claimCase, find: claimRowOf }),
];
