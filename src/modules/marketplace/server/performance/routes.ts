import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import * as performance from '../../contract/performance.ts';
import { alertOf, putAlert } from './alert.ts';
import { performanceFile, performanceOf, trendOf } from './show.ts';
import { performanceSites } from './sites.ts';

export const performanceRoutes: AnyRoute[] = [
  serve(performance.getPerformance, (ctx, { query }) => performanceOf(ctx, query)),
  serve(performance.performanceTrend, (ctx, { query }) => trendOf(ctx, query)),
  serve(performance.exportPerformance, (ctx, { query }) => performanceFile(ctx, query)),
  serve(performance.performanceSites, (ctx) => performanceSites(ctx)),
  serve(performance.getAlert, (ctx) => alertOf(ctx)),
  serve(performance.saveAlert, async (ctx, { body }) => {
    await putAlert(ctx, body);
    return 'success' as const;
  }),
];
