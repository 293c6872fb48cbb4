import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { countsBy } from '#kit/server/list/counts.ts';
import { onDays } from '#kit/server/list/days.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { type FeedDetail, type FeedFilter, type FeedMessage, FeedRow } from '../../contract/feeds.ts';
import { countryOf } from '../../contract/marketplaces.ts';
import { storeNames } from '../auth/accounts.ts';
import { OPEN_STATES } from './job.ts';

/** The drawer shows so many messages; the documents hold all. */
const MOST_LINES = 500;

interface Row {
  id: string;
  account_id: string;
  marketplace_id: string;
  feed_type: string;
  title: string;
  status: FeedRow['status'];
  feed_id: string | null;
  messages: number;
  accepted: number | null;
  refused: number | null;
  error: string | null;
  attempts: number;
  next_at: string;
  input_file_id: string | null;
  result_file_id: string | null;
  created_by_name: string;
  created_at: string;
  submitted_at: string | null;
  finished_at: string | null;
  released_at: string | null;
  urgent: boolean;
}

function queryOf(ctx: Ctx, { status, authid, created, refusedOnly }: FeedFilter) {
  let query = ctx.db.selectFrom('marketplace.feed as f').where('f.company_id', '=', ctx.companyId);
  if (status?.length) query = query.where('f.status', 'in', status);
  if (authid?.length) query = query.where('f.account_id', 'in', authid);
  if (created) query = query.where(onDays('f.created_at', created));
  if (refusedOnly) query = query.where('f.refused', '>', 0);
  return query;
}

function rowOf(row: Row, stores: ReadonlyMap<string, string>): FeedRow {
  return {
    id: row.id,
    title: row.title,
    store: stores.get(row.account_id) ?? '',
    country: countryOf(row.marketplace_id),
    status: row.status,
    messages: row.messages,
    accepted: row.accepted,
    refused: row.refused,
    createdBy: row.created_by_name,
    createdAt: row.created_at,
    submittedAt: row.submitted_at,
    finishedAt: row.finished_at,
    error: row.error,
    feedType: row.feed_type,
    feedId: row.feed_id,
  };
}

/** Feeds, newest first. */
export async function feedPage(ctx: Ctx, request: PageRequest<FeedFilter>): Promise<PageOf<FeedRow>> {
  const stores = await storeNames(ctx);
  return page<Row, FeedRow>(ctx, request, {
    row: FeedRow,
    query: listQuery(queryOf(ctx, request.filter).selectAll('f')),
    sort: { status: 'f.status', messages: 'f.messages', createdAt: 'f.created_at', finishedAt: 'f.finished_at' },
    order: [['f.created_at', 'desc']],
    key: 'f.id',
    map: (row) => rowOf(row, stores),
  });
}

/** How many feeds are in each state; "all" is their sum. */
export function feedCounts(ctx: Ctx, { status: _, ...others }: FeedFilter): Promise<Record<string, number>> {
  return countsBy(queryOf(ctx, others), 'f.status');
}

async function linesOf(ctx: Ctx, id: string): Promise<FeedMessage[]> {
  const { rows } = await sql<Omit<FeedMessage, 'id'>>`
    SELECT message_id AS "messageId", sku, before, after, state, problem FROM marketplace.feed_message
     WHERE company_id = ${ctx.companyId} AND feed_id = ${id}
     ORDER BY array_position(ARRAY['refused', 'unknown', 'waiting', 'accepted', 'dropped'], state), message_id
     LIMIT ${MOST_LINES}`.execute(ctx.db);
  return rows.map((row) => ({ id: String(row.messageId), ...row }));
}

function stepsOf(row: Row): FeedDetail['steps'] {
  const rank = ['planned', 'uploaded', 'submitting', 'submitted', 'processed', 'done'].indexOf(row.status);
  const step = (title: string, done: boolean, at: string | null = null) => ({ title, at, done, note: null });
  return [
    step('登记', true, row.created_at),
    step('收集修改', rank >= 1 || row.released_at !== null || row.input_file_id !== null, row.released_at),
    step('上传文件', rank >= 1 || row.input_file_id !== null),
    step('提交亚马逊', row.feed_id !== null, row.submitted_at),
    step('亚马逊处理', rank >= 4),
    step('读取结果', row.status === 'done', row.status === 'done' ? row.finished_at : null),
  ];
}

/** The row of a feed. @throws 404 */
export async function requireFeed(ctx: Ctx, id: string): Promise<Row> {
  const row = await queryOf(ctx, {}).selectAll('f').where('f.id', '=', id).executeTakeFirst();
  if (!row) throw notFound('数据提交不存在');
  return row as Row;
}

/** Whether a feed may be sent once more: some of it was refused, or nobody knows what became of it. */
export function mayRetry({ status, refused }: Pick<Row, 'status' | 'refused'>): boolean {
  return status === 'failed' || (status === 'done' && (refused ?? 0) > 0);
}

/** One feed with its steps and messages. @throws 404 */
export async function feedDetailOf(ctx: Ctx, id: string): Promise<FeedDetail> {
  const row = await requireFeed(ctx, id);
  const open = OPEN_STATES.some((state) => state === row.status);
  return {
    ...rowOf(row, await storeNames(ctx)),
    steps: stepsOf(row),
    nextAt: open ? row.next_at : null,
    attempts: row.attempts,
    lines: await linesOf(ctx, id),
    documents: { sent: row.input_file_id !== null, result: row.result_file_id !== null },
    may: {
      cancel: ['planned', 'uploaded', 'submitted'].includes(row.status),
      hurry: row.status === 'planned' && row.released_at === null && !row.urgent,
      retry: mayRetry(row),
    },
  };
}
