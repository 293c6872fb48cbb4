import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import { boxReceipts, markBox } from '../../contract/receipt/calls.ts';
import { mark } from './mark.ts';
import { boxReceiptsOf } from './view.ts';

export const receiptRoutes: AnyRoute[] = [
  serve(boxReceipts, (ctx, { params }) => boxReceiptsOf(ctx, params.id)),
  serve(markBox, (ctx, { body }) => mark(ctx, body)),
];
