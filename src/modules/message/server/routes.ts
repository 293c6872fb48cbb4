import type { Endpoint, EndpointDef, Input, Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { sessionLost } from '#kit/server/errors.ts';
import { type AnyRoute, FileReply, serve, serveOpen } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { departmentsOf, rolesOf } from '#modules/identity/server/index.ts';
import {
  addAnnounce,
  audienceOptions,
  countAnnouncements,
  listAnnouncements,
  retractAnnounce,
} from '../contract/announcements.ts';
import { countDeliveries, listDeliveries, retryDelivery } from '../contract/deliveries.ts';
import {
  batchReadMessage,
  countMessages,
  findNitofyNums,
  findNoReadByUserAll,
  getAnnounce,
  getMessage,
  getMsgLimit,
  getRemind,
  listAllMessageByUserId,
  pullMessage,
  stream,
  updateAllTargets,
} from '../contract/messages.ts';
import { companiesFor, publish, retract } from './announcements.ts';
import { pull } from './arrivals.ts';
import { deliveryCounts, deliveryPage, retryOne } from './delivery/list.ts';
import { inboxCounts, inboxPage, lastAnnouncements, popups, read, readAll, unread } from './inbox.ts';
import { speaksForPlatform } from './platform.ts';
import { announcementCounts, announcementPage } from './published.ts';
import { hubOf } from './push/hub.ts';

/**
 * A call on the caller's own inbox. It may write (announcements come in when their reader comes by) and leaves no audit
 * row: what somebody has read is his own business.
 */
function serveInbox<E extends Endpoint<EndpointDef>>(
  endpoint: E,
  run: (ctx: Ctx, input: Input<E>) => Promise<Reply<E>>,
): AnyRoute {
  return serveOpen(endpoint, ({ runtime, principal, requestId, ip }, input) =>
    inTenant(runtime, principal, (ctx) => run(ctx, input), { requestId, ip }),
  );
}

const LIMIT = 5;

export const routes: AnyRoute[] = [
  serve(getRemind, (ctx, { body }) =>
    inboxPage(ctx, { ...body, filter: { ...body.filter, kind: ['reminder', 'private'] } }),
  ),
  serve(getMessage, (ctx, { body }) => inboxPage(ctx, { ...body, filter: { ...body.filter, kind: ['private'] } })),
  serveInbox(getAnnounce, async (ctx, { body }) => {
    await pull(ctx);
    return inboxPage(ctx, { ...body, filter: { ...body.filter, kind: ['announcement'] } });
  }),
  serveInbox(listAllMessageByUserId, async (ctx, { body }) => {
    await pull(ctx);
    return inboxPage(ctx, body);
  }),
  serveInbox(countMessages, async (ctx, { body }) => {
    await pull(ctx);
    return inboxCounts(ctx, body.filter);
  }),
  serveInbox(getMsgLimit, async (ctx) => {
    await pull(ctx);
    return lastAnnouncements(ctx, LIMIT);
  }),
  serveInbox(findNoReadByUserAll, async (ctx) => {
    await pull(ctx);
    return popups(ctx);
  }),
  serve(findNitofyNums, (ctx) => unread(ctx)),
  serveInbox(pullMessage, (ctx) => pull(ctx)),
  serveInbox(updateAllTargets, async (ctx, { query }) => {
    await pull(ctx);
    return readAll(ctx, query.ftype);
  }),
  serveInbox(batchReadMessage, (ctx, { body }) => read(ctx, body.ids)),
  serveOpen(stream, async ({ runtime, principal }, { query }) => {
    const { companyId, userId, sessionId } = principal;
    if (userId === null || sessionId === null) throw sessionLost('A0231');
    const line = hubOf(runtime).open({ companyId, userId, sessionId }, query.ms);
    return new FileReply('stream', 'text/event-stream; charset=utf-8', line, true);
  }),
  serve(addAnnounce, (ctx, { body }) => publish(ctx, body)),
  serve(listAnnouncements, (ctx, { body }) => announcementPage(ctx, body)),
  serve(countAnnouncements, (ctx, { body }) => announcementCounts(ctx, body.filter)),
  serve(retractAnnounce, async (ctx, { params }) => {
    await retract(ctx, params.id);
    return 'success' as const;
  }),
  serve(listDeliveries, (ctx, { body }) => deliveryPage(ctx, body)),
  serve(countDeliveries, (ctx, { body }) => deliveryCounts(ctx, body.filter)),
  serve(retryDelivery, async (ctx, { params }) => {
    await retryOne(ctx, params.id);
    return 'success' as const;
  }),
  serve(audienceOptions, async (ctx) => ({
    platform: speaksForPlatform(ctx),
    companies: await companiesFor(ctx),
    departments: speaksForPlatform(ctx) ? [] : await departmentsOf(ctx),
    roles: speaksForPlatform(ctx) ? [] : await rolesOf(ctx),
  })),
];
