import { type AnyRoute, serve, serveOpen } from '#kit/server/http/serve.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import * as contract from '../../contract/notifications.ts';
import { noticePage, queueState, replayNotice, subscriptionList } from './list.ts';
import { receiveJob } from './receive.ts';
import { subscribe, unsubscribe } from './subscribe.ts';

const success = 'success' as const;

export const notificationRoutes: AnyRoute[] = [
  serve(contract.listNotices, (ctx, { body }) => noticePage(ctx, body)),
  serve(contract.listSubscriptions, (ctx) => subscriptionList(ctx)),
  serveOpen(contract.queueStateOf, (open) => queueState(open)),
  serveOpen(contract.subscribeTo, async (open, { body }) => {
    await subscribe(open, body);
    return success;
  }),
  serveOpen(contract.unsubscribeFrom, async (open, { body }) => {
    await unsubscribe(open, body);
    return success;
  }),
  serve(contract.receiveNow, async (ctx) => {
    await enqueue(ctx, receiveJob.name, {}, { key: receiveJob.name });
    return success;
  }),
  serveOpen(contract.replayNotice, async (open, { body }) => {
    await replayNotice(open, body.id);
    return success;
  }),
];
