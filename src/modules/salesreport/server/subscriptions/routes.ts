import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import * as calls from '../../contract/subscriptions.ts';
import { add, mine, readersOf, remove, sendNow, setPaused } from './manage.ts';

export const subscriptionRoutes: AnyRoute[] = [
  serve(calls.listSubscriptions, (ctx) => mine(ctx)),
  serve(calls.subscriptionReaders, (ctx) => readersOf(ctx)),
  serve(calls.addSubscription, (ctx, { body }) => add(ctx, body)),
  serve(calls.pauseSubscription, async (ctx, { params, body }) => {
    await setPaused(ctx, params.id, body.isPaused);
    return 'success' as const;
  }),
  serve(calls.sendSubscription, async (ctx, { params }) => {
    await sendNow(ctx, params.id);
    return 'success' as const;
  }),
  serve(calls.removeSubscription, async (ctx, { params }) => {
    await remove(ctx, params.id);
    return 'success' as const;
  }),
];
