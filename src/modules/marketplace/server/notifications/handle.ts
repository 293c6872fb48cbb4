import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { extensionsOf } from '#kit/server/extension.ts';
import { enqueueFeed } from '../feeds/job.ts';
import { enqueueReport } from '../reports/plan.ts';
import { reportPlans, streams } from '../streams.ts';
import { wakeStream } from '../sync/wake.ts';
import { noticeReaders } from './readers.ts';

/** What followed from a notification. */
export interface Outcome {
  state: 'done' | 'idle';
  outcome: string;
}

/** A stream that ran a moment ago has seen the event, or sees it with the others of the next minute. */
const REST_SEC = 60;

interface Told {
  type: string;
  subject: string;
  account_id: string;
  event_at: string;
  /** Null where no module reads it. */
  payload: unknown;
}

async function wakeReport(ctx: Ctx, { subject, account_id }: Told): Promise<Outcome> {
  const row = await ctx.db
    .updateTable('marketplace.report_request')
    .set({ next_at: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', account_id)
    .where('report_id', '=', subject)
    .where('status', '=', 'requested')
    .returning(['id', 'priority'])
    .executeTakeFirst();
  if (!row) return { state: 'idle', outcome: '没有在等这份报表' };
  await enqueueReport(ctx, row.id, row.priority);
  return { state: 'done', outcome: '报表立即下载' };
}

async function wakeFeed(ctx: Ctx, { subject, account_id }: Told): Promise<Outcome> {
  const row = await ctx.db
    .updateTable('marketplace.feed')
    .set({ next_at: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('account_id', '=', account_id)
    .where('feed_id', '=', subject)
    .where('status', '=', 'submitted')
    .returning('id')
    .executeTakeFirst();
  if (!row) return { state: 'idle', outcome: '没有在等这次提交' };
  await enqueueFeed(ctx, row.id);
  return { state: 'done', outcome: '立即读取处理结果' };
}

async function wakeStreams(ctx: Ctx, { type, account_id }: Told): Promise<Outcome> {
  const { modules } = ctx.runtime;
  const all = [
    ...extensionsOf(modules, streams),
    ...extensionsOf(modules, reportPlans).map((plan) => ({ ...plan, wakeRestSec: undefined })),
  ];
  const woken = all.filter((def) => def.wokenBy?.includes(type));
  if (woken.length === 0) return { state: 'idle', outcome: '没有数据流等待此类通知' };
  let count = 0;
  for (const { code, wakeRestSec = REST_SEC } of woken) {
    count += await wakeStream(ctx, { accountId: account_id, stream: code }, wakeRestSec);
  }
  if (count === 0) return { state: 'idle', outcome: '数据流已暂停或授权失效' };
  return { state: 'done', outcome: `提前同步${woken.map(({ title }) => title).join('、')}` };
}

/** What modules take from the payload itself, in words. */
async function readFacts(ctx: Ctx, { type, account_id, event_at, payload }: Told): Promise<string[]> {
  if (payload === null) return [];
  const words: string[] = [];
  for (const reader of extensionsOf(ctx.runtime.modules, noticeReaders)) {
    if (reader.type !== type) continue;
    const said = await reader.read(ctx, { accountId: account_id, eventAt: event_at, payload });
    if (said !== undefined) words.push(said);
  }
  return words;
}

async function readAndWake(ctx: Ctx, told: Told): Promise<Outcome> {
  const words = await readFacts(ctx, told);
  const { state, outcome } = await wakeStreams(ctx, told);
  if (words.length === 0) return { state, outcome };
  return { state: 'done', outcome: [...words, ...(state === 'done' ? [outcome] : [])].join('，') };
}

/**
 * Makes what a notification is about be read soon. Most bring no fact themselves: what they say is read from the
 * marketplace, so a message that comes twice, late, in another order or never changes nothing but the time. Of the kinds
 * that have readers the payload is taken over as well, by the time of the event.
 */
export function handleNotification(ctx: Ctx, told: Told): Promise<Outcome> {
  if (told.type === 'REPORT_PROCESSING_FINISHED') return wakeReport(ctx, told);
  return told.type === 'FEED_PROCESSING_FINISHED' ? wakeFeed(ctx, told) : readAndWake(ctx, told);
}
