import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import { shipPaperFile, shipPapers } from '../../contract/papers/papers.ts';
import { paperFile } from './files.ts';
import { papersOf } from './read.ts';

export const paperRoutes: AnyRoute[] = [
  serve(shipPapers, (ctx, { params }) => papersOf(ctx, params.id)),
  serve(shipPaperFile, (ctx, { params, query }) => paperFile(ctx, params.id, query.paper, query.format)),
];
