import { sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { FTYPE, type MessageFilter, MessageRow } from '../contract/messages.ts';
import { waiting } from './arrivals.ts';
import { documentTitle, linkOf } from './documents.ts';
import { plain } from './html.ts';

type Filter = { [K in keyof z.infer<typeof MessageFilter>]?: z.infer<typeof MessageFilter>[K] | undefined };

const KINDS = { 1: 'announcement', 2: 'reminder', 3: 'private' } as const;

function own(ctx: Ctx, filter: Filter) {
  let query = ctx.db
    .selectFrom('message.inbox as i')
    .innerJoin('message.message as m', (join) =>
      join.onRef('m.company_id', '=', 'i.company_id').onRef('m.id', '=', 'i.message_id'),
    )
    .where('i.company_id', '=', ctx.companyId)
    .where('i.user_id', '=', ctx.userId);
  if (filter.kind?.length) {
    query = query.where(
      'i.ftype',
      'in',
      filter.kind.map((kind) => FTYPE[kind]),
    );
  }
  if (filter.state) query = query.where('i.is_read', '=', filter.state === 'read');
  if (filter.keyword) query = query.where('m.title', 'ilike', containing(filter.keyword));
  const day = sql<string>`kit.day(m.created_at)`;
  if (filter.created?.from) query = query.where(day, '>=', filter.created.from);
  if (filter.created?.to) query = query.where(day, '<=', filter.created.to);
  return query;
}

function selected(query: ReturnType<typeof own>) {
  return query.select([
    'm.id',
    'i.ftype',
    'i.is_read',
    'i.read_at',
    'm.title',
    'm.content',
    'm.prefix',
    'm.timely',
    'm.event',
    'm.approval',
    'm.document_type',
    'm.document_id',
    'm.created_at',
    'm.created_by_name',
    'm.expires_at',
  ]);
}

type Row = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(ctx: Ctx, row: Row): MessageRow {
  return {
    id: row.id,
    title: `${row.prefix ?? ''}${row.title}`,
    kind: KINDS[row.ftype as 1],
    text: plain(row.content),
    document: documentTitle(ctx.runtime, row.document_type),
    state: row.is_read ? 'read' : 'unread',
    createdAt: row.created_at,
    readAt: row.read_at,
    sender: row.created_by_name,
    ftype: row.ftype,
    isRead: row.is_read,
    content: row.content,
    prefix: row.prefix,
    action: row.timely ? 'timely' : 'like',
    event: row.event,
    documentType: row.document_type,
    documentId: row.document_id,
    link: linkOf(ctx.runtime, row),
    expiresAt: row.expires_at,
  };
}

/** Own messages, newest first. */
export function inboxPage(ctx: Ctx, request: PageRequest<Filter>): Promise<PageOf<MessageRow>> {
  return page<Row, MessageRow>(ctx, request, {
    row: MessageRow,
    query: listQuery(selected(own(ctx, request.filter))),
    sort: { createdAt: 'i.message_id' },
    order: [['i.message_id', 'desc']],
    key: 'i.message_id',
    map: (row) => toRow(ctx, row),
  });
}

/** Own messages of a filter by state, whatever state the filter names. */
export async function inboxCounts(ctx: Ctx, filter: Filter): Promise<Record<string, number>> {
  const rows = await own(ctx, { ...filter, state: undefined })
    .select((eb) => ['i.is_read', eb.fn.countAll<number>().as('n')])
    .groupBy('i.is_read')
    .execute();
  const of = (read: boolean) => rows.find((row) => row.is_read === read)?.n ?? 0;
  return { unread: of(false), read: of(true), all: of(false) + of(true) };
}

/** Unread messages by type: the counters, and announcements that are still to be brought. Never below 0. */
export async function unread(ctx: Ctx): Promise<{ ftype: number; nums: number }[]> {
  const rows = await ctx.db
    .selectFrom('message.counter')
    .select(['ftype', 'unread'])
    .where('company_id', '=', ctx.companyId)
    .where('user_id', '=', ctx.userId)
    .execute();
  const more = await waiting(ctx);
  return Object.values(FTYPE).map((ftype) => {
    const kept = rows.find((row) => row.ftype === ftype)?.unread ?? 0;
    return { ftype, nums: kept + (ftype === FTYPE.announcement ? more : 0) };
  });
}

/** The last announcements in the caller's inbox, read or not. */
export async function lastAnnouncements(ctx: Ctx, limit: number): Promise<MessageRow[]> {
  const rows = await selected(own(ctx, { kind: ['announcement'] }))
    .orderBy('i.message_id', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => toRow(ctx, row));
}

const MAX_POPUPS = 10;

/** Unread announcements that want to be seen at once, oldest first. */
export async function popups(ctx: Ctx): Promise<MessageRow[]> {
  const rows = await selected(own(ctx, { kind: ['announcement'], state: 'unread' }))
    .where('m.timely', '=', true)
    .orderBy('i.message_id', 'desc')
    .limit(MAX_POPUPS)
    .execute();
  return rows.map((row) => toRow(ctx, row)).reverse();
}

/**
 * Marks all that is in the caller's inbox as read, or one type of it; answers how many were unread. What arrives
 * meanwhile is not in the statement's sight and stays unread.
 */
export async function readAll(ctx: Ctx, ftype?: number): Promise<number> {
  let query = ctx.db
    .updateTable('message.inbox')
    .set({ is_read: true, read_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('user_id', '=', ctx.userId)
    .where('is_read', '=', false);
  if (ftype !== undefined) query = query.where('ftype', '=', ftype);
  const { numUpdatedRows } = await query.executeTakeFirst();
  return Number(numUpdatedRows);
}

/** Marks own messages as read; answers how many were unread. 404 where none of them is in the caller's inbox. */
export async function read(ctx: Ctx, ids: readonly string[]): Promise<number> {
  const mine = ctx.db
    .selectFrom('message.inbox')
    .select('message_id')
    .where('company_id', '=', ctx.companyId)
    .where('user_id', '=', ctx.userId)
    .where('message_id', 'in', [...ids]);
  if (!(await mine.limit(1).executeTakeFirst())) throw notFound('消息不存在或已删除');
  const { numUpdatedRows } = await ctx.db
    .updateTable('message.inbox')
    .set({ is_read: true, read_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('user_id', '=', ctx.userId)
    .where('message_id', 'in', [...ids])
    .where('is_read', '=', false)
    .executeTakeFirst();
  return Number(numUpdatedRows);
}
