import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, States } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';

export const BASE = '/admin/api/v1/notify';

/** Kinds of message by the number that the wire carries. */
export const FTYPE = { announcement: 1, reminder: 2, private: 3 } as const;
export type Ftype = (typeof FTYPE)[keyof typeof FTYPE];

/** The page asks again this often (ms) even when nothing is pushed; no push connection lasts longer. */
export const REFRESH_MS = 600_000;

export const READ_STATES = {
  unread: { title: '未读', tone: 'waiting' },
  read: { title: '已读', tone: 'off' },
} as const;

export const MESSAGE_KINDS = {
  announcement: { title: '公告', tone: 'running' },
  reminder: { title: '提醒', tone: 'waiting' },
  private: { title: '私信', tone: 'side' },
} as const;

const Kind = States(MESSAGE_KINDS, '类型');

/** Where a message leads: a page of the frame, its tab's title and the query that opens the document. */
export const MessageLink = z.object({
  path: z.string(),
  title: z.string(),
  query: z.record(z.string(), z.string()),
});
export type MessageLink = z.infer<typeof MessageLink>;

/** One message in somebody's inbox. `content` is sanitised HTML; `text` is the same without marks, for lists. */
export const MessageRow = z.object({
  id: Id,
  title: z.string().meta({ title: '标题', width: 300, pinned: 'left' }),
  kind: Kind.meta({ title: '类型', width: 84 }),
  text: z.string().meta({ title: '内容', width: 420 }),
  document: z.string().nullable().meta({ title: '关联单据', width: 130 }),
  state: States(READ_STATES).meta({ width: 84 }),
  createdAt: Instant.meta({ title: '时间', width: 150 }),
  readAt: Instant.nullable().meta({ title: '阅读时间', width: 150, optional: true }),
  sender: z.string().nullable().meta({ title: '发送人', kind: 'person', width: 110, optional: true }),
  ftype: z.int(),
  isRead: z.boolean(),
  content: z.string(),
  /** Announcements: e.g. 【重要公告】. */
  prefix: z.string().nullable(),
  /** "timely" pops up after log-in, "like" waits in the list. */
  action: z.enum(['like', 'timely']),
  event: z.string().nullable(),
  documentType: z.string().nullable(),
  documentId: z.string().nullable(),
  /** Null: nothing to open; the message itself is all there is. */
  link: MessageLink.nullable(),
  expiresAt: Instant.nullable(),
});
export type MessageRow = z.infer<typeof MessageRow>;

export const MessageFilter = z.object({
  kind: z.array(Kind).max(3).meta({ title: '类型' }),
  state: States(READ_STATES, '阅读状态'),
  created: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '日期', kind: 'date' }),
  keyword: z.string().trim().max(100).meta({ title: '标题' }),
});

const Own = PageQuery(z.object({ state: States(READ_STATES, '阅读状态') }));

/** Own reminders, newest first. Listing marks nothing as read. */
export const getRemind = endpoint({
  title: '我的提醒',
  method: 'POST',
  path: `${BASE}/getRemind`,
  permission: 'login',
  access: 'read',
  body: Own,
  sortable: ['createdAt'],
  reply: Page(MessageRow),
});

/** Announcements for the caller, newest first. */
export const getAnnounce = endpoint({
  title: '系统消息',
  method: 'POST',
  path: `${BASE}/getAnnounce`,
  permission: 'login',
  access: 'read',
  body: Own,
  sortable: ['createdAt'],
  reply: Page(MessageRow),
});

/** Private messages to the caller, newest first. */
export const getMessage = endpoint({
  title: '我的私信',
  method: 'POST',
  path: `${BASE}/getMessage`,
  permission: 'login',
  access: 'read',
  body: Own,
  sortable: ['createdAt'],
  reply: Page(MessageRow),
});

/** The message centre: messages of every kind. */
export const listAllMessageByUserId = endpoint({
  title: '消息中心',
  method: 'POST',
  path: `${BASE}/listAllMessageByUserId`,
  permission: 'login',
  access: 'read',
  body: PageQuery(MessageFilter),
  sortable: ['createdAt'],
  reply: Page(MessageRow),
});

/** Messages of the message centre by state, for its tabs. */
export const countMessages = endpoint({
  title: '消息数量',
  method: 'POST',
  path: `${BASE}/counts`,
  permission: 'login',
  access: 'read',
  body: z.object({ filter: MessageFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** The last five announcements for the caller, read or not: the card of the home page. */
export const getMsgLimit = endpoint({
  title: '最新公告',
  method: 'GET',
  path: `${BASE}/getMsgLimit`,
  permission: 'login',
  concurrent: true,
  reply: z.array(MessageRow),
});

/** Unread messages by type. The badge is their sum. */
export const findNitofyNums = endpoint({
  title: '未读消息数',
  method: 'GET',
  path: `${BASE}/findNitofyNums`,
  permission: 'login',
  concurrent: true,
  reply: z.array(z.object({ ftype: z.int(), nums: z.int() })),
});

/** Brings new announcements into the caller's inbox; answers how many. */
export const pullMessage = endpoint({
  title: '拉取公告',
  method: 'GET',
  path: `${BASE}/pullMessage`,
  permission: 'login',
  access: 'write',
  concurrent: true,
  reply: z.int(),
});

/** Unread announcements that want to be seen at once: they pop up after log-in. */
export const findNoReadByUserAll = endpoint({
  title: '未读即时公告',
  method: 'GET',
  path: `${BASE}/findNoReadByUserAll`,
  permission: 'login',
  access: 'read',
  concurrent: true,
  reply: z.array(MessageRow),
});

/** Marks everything as read that has arrived by now, or one type of it; answers how many were unread. */
export const updateAllTargets = endpoint({
  title: '全部标为已读',
  method: 'GET',
  path: `${BASE}/updateAllTargets`,
  permission: 'login',
  access: 'write',
  query: z.object({ ftype: z.coerce.number().int().min(1).max(3).optional().meta({ title: '消息类型' }) }),
  reply: z.int(),
});

/** Marks own messages as read; answers how many were unread. 404 where none of them is the caller's. */
export const batchReadMessage = endpoint({
  title: '标记已读',
  method: 'POST',
  path: `${BASE}/batchReadMessage`,
  permission: 'login',
  concurrent: true,
  body: z.object({ ids: z.array(Id).min(1, '请选择消息').max(1000).meta({ title: '消息' }) }),
  reply: z.int(),
});

/**
 * Server-sent events: "unread" when the caller's counters moved, "announcement" when one may be for him, "end" when the
 * session is over. `ms` is how long it may last; the page then asks anew.
 */
export const stream = endpoint({
  title: '消息推送',
  method: 'GET',
  path: `${BASE}/stream`,
  permission: 'login',
  query: z.object({ ms: z.coerce.number().int().min(1).max(REFRESH_MS).meta({ title: '持续时间（毫秒）' }) }),
  file: true,
  reply: z.unknown(),
});
