import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import { exportDeclaredLines, shipPaperFile, shipPapers } from '../../contract/papers/papers.ts';
import { declaredLinesFile } from './declared.ts';
import { paperFile } from './files.ts';
import { papersOf } from './read.ts';

export const paperRoutes: AnyRoute[] = [
  serve(shipPapers, (ctx, { params }) => papersOf(ctx, params.id)),
  serve(shipPaperFile, (ctx, { params, query }) => paperFile(ctx, params.id, query.paper, query.format)),
  serve(exportDeclaredLines, (ctx, { body }) => declaredLinesFile(ctx, body.ids, body.format)),
];
