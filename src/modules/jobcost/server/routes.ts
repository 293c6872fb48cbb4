import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as batch from '../contract/batch.ts';
import * as batches from '../contract/batches.ts';
import { reload, setCost } from './change.ts';
import { detailOf } from './detail.ts';
import { batchCounts, batchFile, batchPage, choices } from './list.ts';

/** What batches at Amazon's cost and where they went. */
export const routes: AnyRoute[] = [
  serve(batches.listBatches, (ctx, { body }) => batchPage(ctx, body)),
  serve(batches.countBatches, (ctx, { body }) => batchCounts(ctx, body.filter)),
  serveOpen(batches.exportBatches, (open, { body }) => batchFile(open, body)),
  serve(batches.batchChoices, (ctx) => choices(ctx)),
  serve(batch.batchData, (ctx, { params }) => detailOf(ctx, params.id)),
  serve(batch.setBatchCost, (ctx, { body }) => setCost(ctx, body)),
  serve(batch.reloadFreight, (ctx, { body }) => reload(ctx, body)),
];
