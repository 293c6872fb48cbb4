import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, Quantity, States } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';

const base = '/admin/api/v1';

export const LoginType = Choice({ api: '账号密码', sso: '单点登录', other: '其他方式' }, '登录方式');

/** A session that still counts. */
export const OnlineRow = z.object({
  id: Id,
  userName: z.string().meta({ title: '用户', kind: 'person', width: 150, pinned: 'left' }),
  account: z.string().meta({ title: '登录账号', kind: 'code', width: 200 }),
  device: z.string().meta({ title: '设备', width: 220 }),
  ip: z.string().nullable().meta({ title: 'IP 地址', kind: 'code', width: 140 }),
  loginType: LoginType.meta({ width: 100 }),
  loggedInAt: Instant.meta({ title: '登录时间', width: 120 }),
  lastSeenAt: Instant.meta({ title: '最近活动', width: 120 }),
  expiresAt: Instant.meta({ title: '最迟到期', width: 120, optional: true }),
  /** The caller's own. */
  current: z.boolean(),
});
export type OnlineRow = z.infer<typeof OnlineRow>;

export const OnlineFilter = z.object({
  search: z.string().trim().max(100).meta({ title: '用户、账号' }),
  ip: z.string().trim().max(45).meta({ title: 'IP 地址' }),
});
const AnyOnlineFilter = OnlineFilter.partial();
export type OnlineFilter = z.infer<typeof AnyOnlineFilter>;

export const listOnline = endpoint({
  title: '在线用户列表',
  method: 'POST',
  path: `${base}/online/list`,
  permission: 'sys:security:view',
  access: 'read',
  body: PageQuery(OnlineFilter),
  sortable: ['userName', 'ip', 'loggedInAt', 'lastSeenAt'],
  reply: Page(OnlineRow),
});

/** Ends sessions of others; answers how many. */
export const forceOff = endpoint({
  title: '强退',
  method: 'POST',
  path: `${base}/online/forceOff`,
  permission: 'sys:user:assign',
  body: z.object({ ids: z.array(Id).min(1, '请选择会话').max(100).meta({ title: '会话' }) }),
  reply: z.int(),
});

export const LoginResult = States(
  { ok: { title: '成功', tone: 'done' }, failed: { title: '失败', tone: 'trouble' } },
  '结果',
);

export const LoginLogRow = z.object({
  id: Id,
  at: Instant.meta({ title: '时间', width: 130, pinned: 'left' }),
  account: z.string().meta({ title: '登录账号', kind: 'code', width: 200 }),
  userName: z.string().nullable().meta({ title: '用户', kind: 'person', width: 140 }),
  result: LoginResult.meta({ width: 90 }),
  reason: z.string().nullable().meta({ title: '原因', width: 240 }),
  ip: z.string().nullable().meta({ title: 'IP 地址', kind: 'code', width: 140 }),
  device: z.string().meta({ title: '设备', width: 220 }),
});
export type LoginLogRow = z.infer<typeof LoginLogRow>;

export const LoginLogFilter = z.object({
  result: LoginResult,
  at: z.object({ from: Day.optional(), to: Day.optional() }).meta({ title: '时间', kind: 'date' }),
  search: z.string().trim().max(100).meta({ title: '账号、用户' }),
  ip: z.string().trim().max(45).meta({ title: 'IP 地址' }),
});
const AnyLoginLogFilter = LoginLogFilter.partial();
export type LoginLogFilter = z.infer<typeof AnyLoginLogFilter>;

export const listLoginLog = endpoint({
  title: '登录日志列表',
  method: 'POST',
  path: `${base}/loginlog/list`,
  permission: 'sys:log:view',
  access: 'read',
  body: PageQuery(LoginLogFilter),
  sortable: ['at', 'account', 'ip'],
  reply: Page(LoginLogRow),
});

export const countLoginLog = endpoint({
  title: '登录日志数量',
  method: 'POST',
  path: `${base}/loginlog/counts`,
  permission: 'sys:log:view',
  access: 'read',
  body: z.object({ filter: LoginLogFilter.partial().default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportLoginLog = endpoint({
  title: '导出登录日志',
  method: 'POST',
  path: `${base}/loginlog/export`,
  permission: 'sys:log:export',
  body: ExportQuery(LoginLogFilter),
  file: true,
  reply: z.unknown(),
});

const CIDR = /^(\d{1,3}(\.\d{1,3}){3}(\/\d{1,2})?|[0-9a-fA-F:]*:[0-9a-fA-F:.]*(\/\d{1,3})?)$/;

export const SecuritySettings = z.object({
  mfaRequired: z.boolean().meta({ title: '强制动态验证码' }),
  passwordProfile: Choice({ standard: '标准', amazonDpp: '亚马逊数据保护政策' }, '密码策略'),
  idleMinutes: z
    .int('请输入整数')
    .min(5, '闲置退出须在5至720分钟之间')
    .max(720, '闲置退出须在5至720分钟之间')
    .meta({ title: '闲置退出' }),
  maxSessions: z
    .int('请输入整数')
    .min(1, '同时登录数须在1至20之间')
    .max(20, '同时登录数须在1至20之间')
    .meta({ title: '同时登录数' }),
  ipAllow: z
    .array(z.string().trim().regex(CIDR, '请输入 IP 地址或网段，例如 203.0.113.0/24'))
    .max(100, '最多100个网段')
    .default([])
    .meta({ title: 'IP 允许名单' }),
});
export type SecuritySettings = z.infer<typeof SecuritySettings>;

export const getSecurity = endpoint({
  title: '安全设置',
  method: 'GET',
  path: `${base}/security`,
  permission: 'sys:security:view',
  reply: SecuritySettings.extend({
    /** The caller's address, as the list is compared with. */
    ip: z.string().nullable(),
    updatedAt: Instant.nullable(),
    updatedByName: z.string().nullable(),
    /** People without a second factor: they set it up at their next log-in when it becomes required. */
    withoutMfa: Quantity,
  }),
});

export const saveSecurity = endpoint({
  title: '修改安全设置',
  method: 'PUT',
  path: `${base}/security`,
  permission: 'sys:security:edit',
  body: SecuritySettings,
  reply: z.literal('success'),
});
