import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import * as transit from '../../contract/transit.ts';
import { boardOf } from './board.ts';
import { exportTransitRows, transitPage } from './list.ts';
import { speedRows } from './speed.ts';

export const transitRoutes: AnyRoute[] = [
  serve(transit.listTransit, (ctx, { body }) => transitPage(ctx, body)),
  serveOpen(transit.exportTransit, (open, { body }) => exportTransitRows(open, body)),
  serve(transit.transitBoard, (ctx, { body }) => boardOf(ctx, body.filter)),
  serve(transit.transitSpeed, (ctx) => speedRows(ctx)),
];
