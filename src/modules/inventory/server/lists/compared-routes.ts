import type { Ctx } from '#kit/server/context.ts';
import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import type { comparedOf } from '../../contract/facts.ts';
import { type ComparedFilter, type ComparedList, comparedFile, comparedPage, comparedTrend } from './compared.ts';

/** List, file and chart of a report's products with two periods side by side. */
export function comparedRoutes<F extends ComparedFilter>(
  calls: ReturnType<typeof comparedOf>,
  list: (ctx: Ctx, filter: F) => ComparedList,
): AnyRoute[] {
  // The calls' own schemas have checked the filter.
  const filterOf = (body: unknown) => (body as { filter: F }).filter;
  return [
    serve(calls.list, (ctx, { body }) => comparedPage(ctx, body as never, list(ctx, filterOf(body))) as never),
    serveOpen(calls.export, (open, { body }) => comparedFile(open, body as never, (ctx) => list(ctx, filterOf(body)))),
    serve(calls.trend, (ctx, { body }) => comparedTrend(ctx, filterOf(body), list(ctx, filterOf(body)))),
  ];
}
