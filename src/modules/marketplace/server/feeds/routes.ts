import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import * as feeds from '../../contract/feeds.ts';
import { cancel, feedFile, hurry, retry } from './actions.ts';
import { feedCounts, feedDetailOf, feedPage } from './list.ts';

/** Feeds: following them, calling them back, sending again what was refused. */
export const feedRoutes: AnyRoute[] = [
  serve(feeds.listFeeds, (ctx, { body }) => feedPage(ctx, body)),
  serve(feeds.countFeeds, (ctx, { body }) => feedCounts(ctx, body.filter)),
  serve(feeds.feedDetail, (ctx, { params }) => feedDetailOf(ctx, params.id)),
  serve(feeds.cancelFeed, async (ctx, { params }) => {
    await cancel(ctx, params.id);
    return 'success' as const;
  }),
  serve(feeds.hurryFeed, async (ctx, { params }) => {
    await hurry(ctx, params.id);
    return 'success' as const;
  }),
  serve(feeds.retryFeed, (ctx, { params }) => retry(ctx, params.id)),
  serve(feeds.feedDocument, (ctx, { params }) => feedFile(ctx, params.id, params.which)),
];
