import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Instant, States, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { BASE } from './messages.ts';

export const SEND = 'sys:notify:send';

export const PREFIXES = { 重要公告: '【重要公告】', 系统公告: '【系统公告】', 重要通知: '【重要通知】' } as const;
/** Prefixes of what a company tells its own people; 系统公告 is the platform's alone. */
export const TEAM_PREFIXES = { 重要公告: PREFIXES.重要公告, 重要通知: PREFIXES.重要通知 } as const;
export const ACTIONS = { like: '常规', timely: '即时' } as const;
export const PLANS = { all: '全部', paid: '付费', free: '免费' } as const;
export const USER_TYPES = { owner: '管理员', member: '常规账户', support: '客服账户' } as const;

const ANNOUNCEMENT_STATES = {
  published: { title: '已发布', tone: 'done' },
  expired: { title: '已过期', tone: 'off' },
  retracted: { title: '已撤回', tone: 'off' },
} as const;
const AnnouncementState = States(ANNOUNCEMENT_STATES);

const Ids = (title: string) => z.array(Id).max(500).optional().meta({ title });

/**
 * Who an announcement is for; what is left out does not narrow. The parts narrow together: roles [R] and userTypes
 * [member] are the members in role R. `companies` and `plan` are the platform's: which companies get it at all.
 */
export const Audience = z.object({
  companies: Ids('公司'),
  plan: Choice(PLANS, '用户类型').optional(),
  departments: Ids('部门'),
  roles: Ids('角色'),
  userTypes: z.array(Choice(USER_TYPES, '账户类型')).max(3).optional().meta({ title: '账户类型' }),
});
export type Audience = z.infer<typeof Audience>;

export const Announcement = z.object({
  prefix: Choice(PREFIXES, '标题前缀').optional(),
  title: Text(80, '标题'),
  action: Choice(ACTIONS, '消息类型').default('like'),
  content: z
    .string()
    .trim()
    .min(1, '内容不能为空')
    .max(50_000, '内容过长，请精简后再发布')
    .meta({ title: '内容', kind: 'text' }),
  audience: Audience.default({}).meta({ title: '发送范围' }),
  /** Null or absent: it stays until it is retracted. */
  expiresAt: Instant.nullable().optional().meta({ title: '到期时间' }),
});
export type Announcement = z.infer<typeof Announcement>;

export const addAnnounce = endpoint({
  title: '发布公告',
  method: 'POST',
  path: `${BASE}/addAnnounce`,
  permission: SEND,
  body: Announcement,
  reply: Id,
});

/** An announcement as its publisher sees it. */
export const AnnouncementRow = z.object({
  id: Id,
  title: z.string().meta({ title: '标题', width: 320, pinned: 'left' }),
  action: Choice(ACTIONS, '消息类型').meta({ title: '消息类型', width: 90 }),
  audienceText: z.string().meta({ title: '发送范围', width: 220 }),
  state: AnnouncementState.meta({ width: 90 }),
  readCount: z.int().meta({ title: '已读人数', kind: 'integer', width: 90 }),
  createdByName: z.string().nullable().meta({ title: '发布人', kind: 'person', width: 120 }),
  createdAt: Instant.meta({ title: '发布时间', width: 150 }),
  expiresAt: Instant.nullable().meta({ title: '到期时间', width: 150 }),
  retractedByName: z.string().nullable().meta({ title: '撤回人', kind: 'person', width: 120, optional: true }),
  retractedAt: Instant.nullable().meta({ title: '撤回时间', width: 150, optional: true }),
  prefix: z.string().nullable(),
  content: z.string(),
  audience: Audience,
});
export type AnnouncementRow = z.infer<typeof AnnouncementRow>;

export const AnnouncementFilter = z.object({
  state: AnnouncementState,
  action: z.array(Choice(ACTIONS, '消息类型')).meta({ title: '消息类型' }),
  keyword: z.string().trim().max(100).meta({ title: '标题' }),
});

export const listAnnouncements = endpoint({
  title: '公告列表',
  method: 'POST',
  path: `${BASE}/announcements`,
  permission: SEND,
  access: 'read',
  body: PageQuery(AnnouncementFilter),
  sortable: ['readCount', 'createdAt', 'expiresAt'],
  reply: Page(AnnouncementRow),
});

export const countAnnouncements = endpoint({
  title: '公告数量',
  method: 'POST',
  path: `${BASE}/announcements/counts`,
  permission: SEND,
  access: 'read',
  body: z.object({ filter: AnnouncementFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** Takes an announcement out of every inbox, read or not. 404 where it is not a standing one of the own company. */
export const retractAnnounce = endpoint({
  title: '撤回公告',
  method: 'POST',
  path: `${BASE}/announcements/:id/retract`,
  permission: SEND,
  params: z.object({ id: Id }),
  reply: z.literal('success'),
});

const Option = z.object({ id: Id, name: z.string() });

/** What an announcement can be narrowed to. `platform`: the caller speaks to all companies. */
export const audienceOptions = endpoint({
  title: '公告可选范围',
  method: 'GET',
  path: `${BASE}/audience`,
  permission: SEND,
  reply: z.object({
    platform: z.boolean(),
    companies: z.array(Option),
    departments: z.array(Option),
    roles: z.array(Option),
  }),
});
