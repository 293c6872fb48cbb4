import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { extensionPoint, extensionsOf } from '#kit/server/extension.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { CHANNELS, type Channel } from '../../contract/self.ts';

/** Something that people are told of, with the channels by which they hear of it unless they say otherwise. */
export interface MessageEvent {
  /** e.g. "marketplace.authorisationLost" */
  event: string;
  /** e.g. 店铺授权失效 */
  title: string;
  /** Heading under which the subscriptions list it, e.g. 授权 */
  group: string;
  channels: readonly Channel[];
}

/** Where modules declare what they tell people of. */
export const messageEvents = extensionPoint<MessageEvent>('identity.messageEvents');

const OWN: readonly MessageEvent[] = [
  { event: 'identity.newDevice', title: '新设备登录', group: '账号', channels: ['site', 'email'] },
  { event: 'identity.loginFailures', title: '连续登录失败', group: '账号', channels: ['site', 'email'] },
  { event: 'message.announcement', title: '系统与团队公告', group: '系统', channels: ['site'] },
  { event: 'kit.documentCommented', title: '单据有新评论', group: '系统', channels: ['site'] },
  { event: 'kit.taskFinished', title: '导入导出完成', group: '系统', channels: ['site'] },
];

const ALL = Object.keys(CHANNELS) as Channel[];
/** What is never switched off: somebody must be able to see it somewhere. */
const ALWAYS: Channel = 'site';

function eventsOf(runtime: Runtime): MessageEvent[] {
  const declared = extensionsOf(runtime.modules, messageEvents);
  const known = new Set(declared.map((each) => each.event));
  return [...OWN.filter((each) => !known.has(each.event)), ...declared];
}

/** What the caller is told of, and how. */
export async function subscriptionsOf(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('identity.channel_preference')
    .select(['event', 'channel', 'wanted'])
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', ctx.userId)
    .execute();
  const own = new Map(rows.map((row) => [`${row.event} ${row.channel}`, row.wanted]));
  return eventsOf(ctx.runtime).map(({ event, group, title, channels }) => ({
    event,
    group,
    title,
    channels: Object.fromEntries(
      ALL.map((channel) => [channel, own.get(`${event} ${channel}`) ?? channels.includes(channel)]),
    ) as Record<Channel, boolean>,
  }));
}

/** Remembers whether the caller wants to hear of an event by a channel. */
export async function subscribe(ctx: Ctx, choice: { event: string; channel: Channel; wanted: boolean }): Promise<void> {
  if (!eventsOf(ctx.runtime).some((each) => each.event === choice.event)) throw notFound();
  await ctx.db
    .insertInto('identity.channel_preference')
    .values({ company_id: ctx.companyId, member_id: ctx.userId ?? '', ...choice })
    .onConflict((conflict) =>
      conflict.columns(['company_id', 'member_id', 'event', 'channel']).doUpdateSet({ wanted: choice.wanted }),
    )
    .execute();
}

/**
 * By which channels each of the caller's colleagues wants to hear of an event. An event that nobody declared reaches
 * people on the site only.
 */
export async function channelsOf(ctx: Ctx, userIds: readonly string[], event: string): Promise<Map<string, Channel[]>> {
  const standard = eventsOf(ctx.runtime).find((each) => each.event === event)?.channels ?? [ALWAYS];
  if (userIds.length === 0) return new Map();
  const rows = await ctx.db
    .selectFrom('identity.channel_preference')
    .select(['member_id', 'channel', 'wanted'])
    .where('company_id', '=', ctx.companyId)
    .where('event', '=', event)
    .where('member_id', 'in', [...userIds])
    .execute();
  const own = new Map(rows.map((row) => [`${row.member_id} ${row.channel}`, row.wanted]));
  return new Map(
    userIds.map((id) => [id, ALL.filter((channel) => own.get(`${id} ${channel}`) ?? standard.includes(channel))]),
  );
}
