import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, Instant, OptionalText, Quantity, States, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { SCOPES, type Scope } from './oauth.ts';

/** The operator's own company: it holds what is the same for all companies, and no business rows. */
export const NOBODYS_COMPANY = '00000000-0000-0000-0000-000000000000';

export const CustomerState = States({
  active: { title: '正常', tone: 'done' },
  expired: { title: '已到期', tone: 'waiting' },
  suspended: { title: '已停用', tone: 'trouble' },
  closing: { title: '注销中', tone: 'side' },
  erased: { title: '已注销', tone: 'off' },
  merged: { title: '已迁移', tone: 'off' },
});

const Usage = z.object({ key: z.string(), title: z.string(), count: z.int(), limit: z.int().nullable() });
export type Usage = z.infer<typeof Usage>;

export const CustomerRow = z.object({
  id: Id,
  name: z.string().meta({ title: '公司名称', width: 200, pinned: 'left' }),
  owner: z.string().nullable().meta({ title: '客户信息', width: 220 }),
  ownerAccount: z.string().nullable().meta({ title: '主账号', kind: 'code', width: 180 }),
  state: CustomerState.meta({ width: 90 }),
  planName: z.string().nullable().meta({ title: '套餐', width: 110 }),
  users: Quantity.meta({ title: '账号数', width: 84 }),
  usage: z.array(Usage).meta({ hidden: true }),
  usageText: z.string().meta({ title: '用量', width: 300 }),
  createdAt: Instant.meta({ title: '注册时间', width: 120 }),
  lastLoginAt: Instant.nullable().meta({ title: '最后登录时间', width: 120 }),
  expireDate: Day.nullable().meta({ title: '到期', width: 110 }),
  remark: z.string().nullable().meta({ title: '备注', width: 160 }),
});
export type CustomerRow = z.infer<typeof CustomerRow>;

export const CustomerFilter = z.object({
  state: CustomerState,
  search: z.string().trim().max(100).meta({ title: '公司名称、主账号' }),
});
const AnyCustomerFilter = CustomerFilter.partial();
export type CustomerFilter = z.infer<typeof AnyCustomerFilter>;

const customers = '/admin/api/v1/customers';
const CompanyId = z.object({ id: Id });

export const listCustomers = endpoint({
  title: '客户列表',
  method: 'POST',
  path: `${customers}/page`,
  permission: 'sys:customer:view',
  access: 'read',
  body: PageQuery(CustomerFilter),
  sortable: ['name', 'createdAt', 'expireDate', 'lastLoginAt'],
  reply: Page(CustomerRow),
});

export const countCustomers = endpoint({
  title: '客户数量',
  method: 'POST',
  path: `${customers}/statusCounts`,
  permission: 'sys:customer:view',
  access: 'read',
  body: z.object({ filter: AnyCustomerFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

/** Kinds of things that a plan may limit, with their names. */
export const planKinds = endpoint({
  title: '套餐用量项',
  method: 'GET',
  path: `${customers}/planKinds`,
  permission: 'sys:customer:view',
  reply: z.array(z.object({ key: z.string(), title: z.string() })),
});

export const saveCustomer = endpoint({
  title: '修改客户',
  method: 'PUT',
  path: `${customers}/:id`,
  permission: 'sys:customer:edit',
  params: CompanyId,
  body: z.object({
    planName: OptionalText(50, '套餐'),
    expireDate: Day.nullable().optional().meta({ title: '到期', kind: 'date' }),
    remark: OptionalText(200, '备注'),
    /** By kind; null or absent: no limit. */
    limits: z
      .record(z.string().max(40), z.int().min(0).max(100_000_000).nullable())
      .optional()
      .meta({ title: '用量上限' }),
  }),
  reply: z.literal('success'),
});

export const suspendCustomer = endpoint({
  title: '停用客户',
  method: 'POST',
  path: `${customers}/suspend/:id`,
  permission: 'sys:customer:edit',
  params: CompanyId,
  body: z.object({ reason: Text(200, '原因') }),
  reply: z.literal('success'),
});

export const resumeCustomer = endpoint({
  title: '恢复客户',
  method: 'POST',
  path: `${customers}/resume/:id`,
  permission: 'sys:customer:edit',
  params: CompanyId,
  reply: z.literal('success'),
});

/** Everything a client may do stands on a person's log-in: there are no calls that a program could make by itself. */
export const GRANTS = {
  authorization_code: '授权码',
  refresh_token: '刷新令牌',
} as const;
const Grant = Choice(GRANTS, '授权方式');
const ScopeName = z.enum(Object.keys(SCOPES) as [Scope, ...Scope[]]);

export const ClientRow = z.object({
  id: Id,
  clientId: z.string().meta({ title: '客户端ID', kind: 'code', width: 200, pinned: 'left' }),
  name: z.string().meta({ title: '名称', width: 160 }),
  state: States({ active: { title: '正常', tone: 'done' }, disabled: { title: '停用', tone: 'off' } }).meta({
    width: 84,
  }),
  lastUsedAt: Instant.nullable().meta({ title: '最近使用', width: 120 }),
  scopesText: z.string().meta({ title: '域 scope', width: 200 }),
  grantsText: z.string().meta({ title: '授权方式', width: 170 }),
  tokenSeconds: Quantity.meta({ title: '令牌时效(秒)', width: 110 }),
  redirectText: z.string().meta({ title: '回调地址', width: 280 }),
  autoApprove: z.boolean().meta({ title: '自动放行', kind: 'boolean', width: 90 }),
  secretChangedAt: Instant.meta({ title: '密钥更新', width: 120 }),
  scopes: z.array(ScopeName).meta({ hidden: true }),
  grants: z.array(Grant).meta({ hidden: true }),
  redirectUris: z.array(z.string()).meta({ hidden: true }),
  version: z.int(),
});
export type ClientRow = z.infer<typeof ClientRow>;

export const ClientFilter = z.object({ search: z.string().trim().max(100).meta({ title: '客户端ID、名称' }) });

const clients = '/admin/api/v1/oauth-clients';

export const listClients = endpoint({
  title: '客户端列表',
  method: 'POST',
  path: `${clients}/page`,
  permission: 'sys:client:view',
  access: 'read',
  body: PageQuery(ClientFilter),
  sortable: ['clientId', 'name', 'secretChangedAt', 'lastUsedAt'],
  reply: Page(ClientRow),
});

/** Where a code may go: https, or this machine while somebody develops; no fragment. */
const RedirectUri = z
  .string()
  .max(500)
  .refine(
    (text) =>
      URL.canParse(text) &&
      !text.includes('#') &&
      (/^https:\/\/[^/@]+/.test(text) || /^http:\/\/(localhost|127\.0\.0\.1)([:/]|$)/.test(text)),
    '回调地址须以 https:// 开头，且不含 # 片段',
  );

export const ClientForm = z.object({
  clientId: z
    .string()
    .trim()
    .regex(/^[a-z][a-z0-9-]{2,39}$/, '客户端ID须为3-40位小写字母、数字或短横线，以字母开头')
    .meta({ title: '客户端ID' }),
  name: Text(50, '名称'),
  scopes: z
    .array(ScopeName)
    .max(4)
    .refine((scopes) => scopes.includes('openid'), '须包含 openid')
    .meta({ title: '域 scope' }),
  grants: z
    .array(Grant)
    .max(2)
    .refine((grants) => grants.includes('authorization_code'), '须包含授权码，令牌只随用户登录签发')
    .meta({ title: '授权方式' }),
  tokenSeconds: z.int().min(60).max(86_400).default(7200).meta({ title: '令牌时效(秒)' }),
  redirectUris: z.array(RedirectUri).min(1, '请填写回调地址').max(20).meta({ title: '回调地址' }),
  autoApprove: z.boolean().default(false).meta({ title: '自动放行' }),
  disabled: z.boolean().default(false).meta({ title: '停用' }),
});
export type ClientForm = z.infer<typeof ClientForm>;

/** The secret is answered once; only its hash is kept. `discovery`: where the program reads everything else. */
const Secret = z.object({ id: Id, clientId: z.string(), secret: z.string(), discovery: z.url() });
export type Secret = z.infer<typeof Secret>;

export const addClient = endpoint({
  title: '新增客户端',
  method: 'POST',
  path: clients,
  permission: 'sys:client:add',
  body: ClientForm,
  reply: Secret,
});

export const saveClient = endpoint({
  title: '修改客户端',
  method: 'PUT',
  path: `${clients}/:id`,
  permission: 'sys:client:edit',
  params: CompanyId,
  body: ClientForm.omit({ clientId: true }).extend({ version: z.int().min(0) }),
  reply: z.literal('success'),
});

export const removeClient = endpoint({
  title: '删除客户端',
  method: 'DELETE',
  path: `${clients}/:id`,
  permission: 'sys:client:delete',
  params: CompanyId,
  reply: z.literal('success'),
});

export const rotateClient = endpoint({
  title: '轮换客户端密钥',
  method: 'POST',
  path: `${clients}/rotate/:id`,
  permission: 'sys:client:edit',
  params: CompanyId,
  reply: Secret,
});
