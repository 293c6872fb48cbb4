import { conflict } from '#kit/server/errors.ts';
import { on } from '#kit/server/events.ts';
import { type FeedKind, feedEnded, feedRetried, type MessageResult } from '#modules/marketplace/server/index.ts';
import { fileOf } from './file.ts';
import { FEED_TYPE, linesOf, REMOVAL } from './send.ts';
import { DUPLICATE, refusalWords } from './words.ts';

/** One request as Amazon takes it: a text of its own, whole or not at all. */
export const removalFeed: FeedKind = {
  feedType: FEED_TYPE,
  contentType: 'text/tab-separated-values; charset=UTF-8',
  async content(ctx, body) {
    const { removalId } = body as { removalId: string };
    const row = await ctx.db
      .selectFrom('returns.removal')
      .select(['number', 'type', 'address', 'remark'])
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', removalId)
      .executeTakeFirstOrThrow();
    const address = row.address as Record<string, string> | null;
    return Buffer.from(fileOf({ ...row, address, lines: await linesOf(ctx, removalId) }), 'utf8');
  },
  options: async () => undefined,
  words: refusalWords,
};

/** How a request stands once its feed is over. */
function standing(sent: boolean, { state, problem }: MessageResult): { state: string; problem: string } {
  if (state === 'accepted') return { state: 'accepted', problem: '' };
  // The number is ours alone: what was sent before arrived, though no answer did.
  if (state === 'refused' && problem?.includes(DUPLICATE)) return { state: 'accepted', problem: '' };
  if (state === 'refused') return { state: 'rejected', problem: problem ?? '亚马逊没有接受' };
  if (sent) return { state: 'unknown', problem: problem ?? '没有收到亚马逊的结果' };
  return { state: 'rejected', problem: `没有发给亚马逊：${problem ?? '提交已撤销'}` };
}

/** What the processing report says of a request. */
export const onFeedEnded = on(feedEnded, async (ctx, { feedId, origin, sent, results }) => {
  const [result] = results;
  if (origin !== REMOVAL || !result) return;
  await ctx.db
    .updateTable('returns.removal')
    .set(standing(sent, result))
    .where('company_id', '=', ctx.companyId)
    .where('feed_id', '=', feedId)
    .execute();
});

/** A request is sent once more from its own list, where its stock is looked at again. */
export const onFeedRetried = on(feedRetried, async (_ctx, { origin }) => {
  if (origin === REMOVAL) throw conflict('请在「移除订单」的「我的移除申请」重新提交');
});
