import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { NOTIFICATION_TYPES, type Subscription } from '../../contract/notifications.ts';
import { createSpApi } from '../api/client.ts';
import { ApiRefused, wordsOf } from '../api/port.ts';
import { accountOf } from '../auth/accounts.ts';
import type { AccountRef } from '../streams.ts';
import { callGrantless } from './grantless.ts';
import { goesByBus, payloadVersionOf } from './kinds.ts';
import { queueOf } from './queue.ts';

const RESOURCE = 'marketplace.subscription';

interface Destination {
  destinationId: string;
  resource: { sqs?: { arn: string }; eventBridge?: { region: string; accountId: string } };
}

/** Where Amazon shall send a kind: into our queue, or to the event bus of the account that the queue is in. */
function targetOf(type: string, arn: string) {
  const [, , , region = '', accountId = ''] = arn.split(':');
  return goesByBus(type)
    ? {
        specification: { eventBridge: { region, accountId } },
        isIt: ({ resource: { eventBridge: bus } }: Destination) =>
          bus?.region === region && bus.accountId === accountId,
      }
    : { specification: { sqs: { arn } }, isIt: ({ resource }: Destination) => resource.sqs?.arn === arn };
}

/** Number of our destination for a kind at the marketplace; it is registered there the first time. */
async function destinationOf(open: OpenCtx, account: AccountRef, type: string, arn: string): Promise<string> {
  const path = '/notifications/v1/destinations';
  const { region } = account;
  const { specification, isIt } = targetOf(type, arn);
  const { payload } = await callGrantless<{ payload: Destination[] }>(open.runtime, region, {
    operation: 'getDestinations',
    method: 'GET',
    path,
  });
  const known = payload.find(isIt);
  if (known) return known.destinationId;
  const name = goesByBus(type) ? 'crossborder-erp-bus' : 'crossborder-erp';
  const made = await callGrantless<{ payload: Destination }>(open.runtime, region, {
    operation: 'createDestination',
    method: 'POST',
    path,
    body: { name, resourceSpecification: specification },
  });
  return made.payload.destinationId;
}

/** Subscribes at the marketplace; one that stands already is taken over. Returns its number. */
async function subscribeThere(
  open: OpenCtx,
  account: AccountRef,
  type: string,
  destinationId: string,
): Promise<string> {
  const api = createSpApi(open.runtime, account, { calls: 0, throttled: 0 });
  const path = `/notifications/v1/subscriptions/${type}`;
  type Answer = { payload: { subscriptionId: string } };
  try {
    const body = { payloadVersion: payloadVersionOf(type), destinationId };
    const made = await api.call<Answer>({ operation: 'createSubscription', method: 'POST', path, body });
    return made.body.payload.subscriptionId;
  } catch (error) {
    if (!(error instanceof ApiRefused) || error.status !== 409) throw error;
    const known = await api.call<Answer>({ operation: 'getSubscription', method: 'GET', path });
    return known.body.payload.subscriptionId;
  }
}

async function inWords<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ApiRefused) throw refused(`亚马逊拒绝：${wordsOf(error)}`, 'B0371');
    throw error;
  }
}

interface Wish {
  authid: string;
  type: Subscription['type'];
}

async function liveAccount(open: OpenCtx, authid: string): Promise<AccountRef> {
  const found = await inTenant(open.runtime, open.principal, (ctx) => accountOf(ctx.db, ctx.companyId, authid), {
    readOnly: true,
  });
  if (!found) throw notFound('授权不存在或已删除');
  return found;
}

async function write(ctx: Ctx, { authid, type }: Wish, subscriptionId: string): Promise<void> {
  await ctx.db
    .insertInto(RESOURCE)
    .values({ company_id: ctx.companyId, account_id: authid, type, subscription_id: subscriptionId })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'account_id', 'type']).doUpdateSet({ subscription_id: subscriptionId }),
    )
    .execute();
  await audit(ctx, {
    action: `订阅${NOTIFICATION_TYPES[type]}通知`,
    resource: RESOURCE,
    resourceId: authid,
    after: { type, subscriptionId },
  });
}

/** Has a seller account told about one kind of event. The calls outwards hold no transaction open. */
export async function subscribe(open: OpenCtx, wish: Wish): Promise<void> {
  const queue = queueOf(open.runtime);
  if (!queue) throw refused('尚未配置接收通知的消息队列，请联系管理员', 'B0372');
  const account = await liveAccount(open, wish.authid);
  const subscriptionId = await inWords(async () =>
    subscribeThere(open, account, wish.type, await destinationOf(open, account, wish.type, queue.arn)),
  );
  const options = { requestId: open.requestId, ip: open.ip };
  await inTenant(open.runtime, open.principal, (ctx) => write(ctx, wish, subscriptionId), options);
}

/** Ends a subscription; one that the marketplace no longer knows has ended already. */
export async function unsubscribe(open: OpenCtx, { authid, type }: Wish): Promise<void> {
  const account = await liveAccount(open, authid);
  const options = { requestId: open.requestId, ip: open.ip };
  const row = await inTenant(open.runtime, open.principal, (ctx) =>
    ctx.db
      .selectFrom(RESOURCE)
      .select('subscription_id')
      .where('company_id', '=', ctx.companyId)
      .where('account_id', '=', authid)
      .where('type', '=', type)
      .executeTakeFirst(),
  );
  if (!row) throw notFound('没有订阅此类通知');
  const path = `/notifications/v1/subscriptions/${type}/${encodeURIComponent(row.subscription_id)}`;
  await inWords(async () => {
    try {
      await callGrantless(open.runtime, account.region, {
        operation: 'deleteSubscriptionById',
        method: 'DELETE',
        path,
      });
    } catch (error) {
      if (!(error instanceof ApiRefused) || error.status !== 404) throw error;
    }
  });
  await inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      await ctx.db
        .deleteFrom(RESOURCE)
        .where('company_id', '=', ctx.companyId)
        .where('account_id', '=', authid)
        .where('type', '=', type)
        .execute();
      await audit(ctx, {
        action: `取消订阅${NOTIFICATION_TYPES[type]}通知`,
        resource: RESOURCE,
        resourceId: authid,
        before: { type, subscriptionId: row.subscription_id },
      });
    },
    options,
  );
}
