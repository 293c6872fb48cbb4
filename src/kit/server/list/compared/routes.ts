import type { comparedCalls } from '../../../contract/compared-calls.ts';
import type { Ctx } from '../../context.ts';
import { type AnyRoute, serve, serveOpen } from '../../http/serve.ts';
import type { ComparedFilter, ComparedList } from './def.ts';
import { comparedFile, comparedPage } from './page.ts';
import { comparedTrend } from './trend.ts';

/**
 * List, file and chart of a report with two periods side by side. `list` takes the filter of the calls' own schema, which has
 * checked it: a call that stands for all of them does not tell its type.
 */
export function comparedRoutes<F extends ComparedFilter>(
  calls: ReturnType<typeof comparedCalls>,
  list: (ctx: Ctx, filter: F) => ComparedList | Promise<ComparedList>,
): AnyRoute[] {
  const of = <B extends { filter: object }>(body: B) => ({ ...body, filter: body.filter as F });
  return [
    serve(calls.list, async (ctx, { body }) => comparedPage(ctx, of(body), await list(ctx, of(body).filter))),
    serveOpen(calls.export, (open, { body }) =>
      comparedFile(open, of(body), async (ctx) => list(ctx, of(body).filter)),
    ),
    serve(calls.trend, async (ctx, { body }) => comparedTrend(ctx, of(body).filter, await list(ctx, of(body).filter))),
  ];
}
