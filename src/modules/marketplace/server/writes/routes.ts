import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import * as writes from '../../contract/writes.ts';
import { cancel, retry } from './actions.ts';
import { kindChoices, writeCounts, writeDetailOf, writePage } from './list.ts';

/** Single writes: following them, calling them back, sending them once more. */
export const writeRoutes: AnyRoute[] = [
  serve(writes.listWrites, (ctx, { body }) => writePage(ctx, body)),
  serve(writes.countWrites, (ctx, { body }) => writeCounts(ctx, body.filter)),
  serve(writes.writeChoices, async (ctx) => kindChoices(ctx)),
  serve(writes.writeDetail, (ctx, { params }) => writeDetailOf(ctx, params.id)),
  serve(writes.cancelWrite, async (ctx, { params }) => {
    await cancel(ctx, params.id);
    return 'success' as const;
  }),
  serve(writes.retryWrite, async (ctx, { params }) => {
    await retry(ctx, params.id);
    return 'success' as const;
  }),
];
