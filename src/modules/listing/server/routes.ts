import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as contract from '../contract.ts';
import { listingDetail } from './detail.ts';
import { exportAll } from './export.ts';
import { listingCounts, listingPage } from './list.ts';

export const routes: AnyRoute[] = [
  serve(contract.listListings, (ctx, { body }) => listingPage(ctx, body)),
  serve(contract.countListings, (ctx, { body }) => listingCounts(ctx, body.filter)),
  serveOpen(contract.exportListings, (open, { body }) => exportAll(open, body)),
  serve(contract.listingDetail, (ctx, { params }) => listingDetail(ctx, params.id)),
];
