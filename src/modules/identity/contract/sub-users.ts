import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Id, Instant, OptionalText, Quantity, States, Text } from '#kit/contract/field.ts';
import { ExportQuery, Page, PageQuery } from '#kit/contract/page.ts';
import { ScopeGrant } from './roles.ts';

export const UserState = States({
  active: { title: '正常', tone: 'done' },
  expired: { title: '过期', tone: 'waiting' },
  disabled: { title: '停用', tone: 'off' },
});
export type UserState = z.infer<typeof UserState>;

export const SubUserRow = z.object({
  id: Id,
  name: z.string().meta({ title: '用户名', kind: 'person', width: 150, pinned: 'left' }),
  account: z.string().meta({ title: '登录账号', kind: 'code', width: 200 }),
  state: UserState.meta({ width: 86 }),
  dept: z.string().nullable().meta({ title: '部门', width: 130 }),
  roles: z.string().meta({ title: '角色', width: 170 }),
  storeScope: z.string().meta({ title: '店铺权限', width: 170 }),
  warehouseScope: z.string().meta({ title: '仓库权限', width: 120 }),
  ownerScope: z.string().meta({ title: '数据权限', width: 120 }),
  mfa: z.boolean().meta({ title: '动态验证码', kind: 'boolean', width: 92, tip: '登录时的第二步验证' }),
  lastLoginAt: Instant.nullable().meta({ title: '最后登录', width: 120 }),
  online: Quantity.meta({ title: '在线', width: 64, tip: '正在使用的登录会话数', optional: true }),
  createdAt: Instant.meta({ title: '创建时间', width: 120 }),
  expireDate: Day.nullable().meta({ title: '到期时间', width: 110 }),
  email: z.string().nullable().meta({ title: '邮箱', optional: true }),
  tel: z.string().nullable().meta({ title: '联系电话', optional: true }),
  remark: z.string().nullable().meta({ title: '备注', optional: true }),
  userType: z.string().meta({ hidden: true }),
  version: z.int(),
});
export type SubUserRow = z.infer<typeof SubUserRow>;

export const SubUserFilter = z.object({
  state: UserState,
  search: z.string().trim().max(100).meta({ title: '用户名、账号' }),
  roleIds: z.array(z.uuid()).max(100).meta({ title: '角色' }),
  deptIds: z.array(z.uuid()).max(200).meta({ title: '部门' }),
});
const AnyFilter = SubUserFilter.partial();
export type SubUserFilter = z.infer<typeof AnyFilter>;

const base = '/admin/api/v1/users';
const UserId = z.object({ id: Id });

/** Ids parted by commas, as they stand in an address. */
const UserIds = z.object({
  ids: z
    .string()
    .max(4000)
    .transform((text) => text.split(',').map((id) => id.trim()))
    .pipe(z.array(z.uuid()).min(1).max(100))
    .meta({ title: '账号' }),
});

export const listSubUsers = endpoint({
  title: '子账号列表',
  method: 'POST',
  path: `${base}/list`,
  permission: 'sys:user:view',
  access: 'read',
  body: PageQuery(SubUserFilter),
  sortable: ['name', 'account', 'dept', 'lastLoginAt', 'createdAt', 'expireDate'],
  reply: Page(SubUserRow),
});

export const countSubUsers = endpoint({
  title: '子账号数量',
  method: 'POST',
  path: `${base}/statusCounts`,
  permission: 'sys:user:view',
  access: 'read',
  body: z.object({ filter: AnyFilter.default({}) }),
  reply: z.record(z.string(), z.int()),
});

export const exportSubUsers = endpoint({
  title: '导出子账号',
  method: 'POST',
  path: `${base}/export`,
  permission: 'sys:user:export',
  access: 'read',
  body: ExportQuery(SubUserFilter),
  file: true,
  reply: z.unknown(),
});

export const SubUserForm = z.object({
  name: Text(100, '用户名'),
  account: Text(254, '登录账号'),
  deptId: z.uuid().nullable().optional().meta({ title: '部门' }),
  email: OptionalText(254, '邮箱'),
  tel: OptionalText(30, '联系电话'),
  expireDate: Day.nullable().optional().meta({ title: '到期时间', kind: 'date' }),
  remark: OptionalText(200, '备注'),
});
export type SubUserForm = z.infer<typeof SubUserForm>;

const Rights = z.object({
  roleIds: z.array(z.uuid()).max(50).meta({ title: '角色' }),
  scopes: z.array(ScopeGrant).max(20).meta({ title: '数据权限' }),
});

/** A password that the server made up is answered once and kept as a hash only. */
const OneTime = z.object({ id: Id, password: z.string().nullable() });

export const addSubUser = endpoint({
  title: '新增子账号',
  method: 'POST',
  path: base,
  permission: 'sys:user:add',
  body: SubUserForm.extend({
    ...Rights.partial().shape,
    /** Left out: the server makes one up. */
    password: z.string().max(200).optional().meta({ title: '初始密码' }),
  }),
  reply: OneTime,
});

/** Parts that are left out stay; `version` as it was read, else 409. */
export const saveSubUser = endpoint({
  title: '修改子账号',
  method: 'PUT',
  path: `${base}/:id`,
  permission: 'sys:user:edit',
  params: UserId,
  body: SubUserForm.partial().extend({ ...Rights.partial().shape, version: z.int().min(0) }),
  reply: z.literal('success'),
});

/** The account becomes free for others; the name stays in what he did. */
export const removeSubUsers = endpoint({
  title: '删除子账号',
  method: 'DELETE',
  path: `${base}/:ids`,
  permission: 'sys:user:delete',
  params: UserIds,
  reply: z.literal('success'),
});

export const enableSubUsers = endpoint({
  title: '启用子账号',
  method: 'POST',
  path: `${base}/enable/:ids`,
  permission: 'sys:user:edit',
  params: UserIds,
  reply: z.literal('success'),
});

export const disableSubUsers = endpoint({
  title: '停用子账号',
  method: 'POST',
  path: `${base}/disable/:ids`,
  permission: 'sys:user:edit',
  params: UserIds,
  reply: z.literal('success'),
});

export const forceOff = endpoint({
  title: '强制下线',
  method: 'POST',
  path: `${base}/forceOff/:ids`,
  permission: 'sys:user:assign',
  params: UserIds,
  reply: z.object({ sessions: z.int() }),
});

export const resetPassword = endpoint({
  title: '重置子账号密码',
  method: 'POST',
  path: `${base}/resetPassword/:id`,
  permission: 'sys:user:edit',
  params: UserId,
  reply: OneTime,
});

const Scope = ScopeGrant.extend({ title: z.string(), enabled: z.boolean(), names: z.array(z.string()) });

/** One sub-user with what was set for him, for the editor. */
export const subUserDetail = endpoint({
  title: '子账号详情',
  method: 'GET',
  path: `${base}/:id/rights`,
  permission: 'sys:user:view',
  params: UserId,
  reply: z.object({
    id: Id,
    version: z.int(),
    name: z.string(),
    account: z.string(),
    userType: z.string(),
    state: UserState,
    deptId: Id.nullable(),
    email: z.string().nullable(),
    tel: z.string().nullable(),
    expireDate: Day.nullable(),
    remark: z.string().nullable(),
    roleIds: z.array(z.uuid()),
    /** What narrows him personally, per dimension; "ALL" narrows nothing. */
    scopes: z.array(Scope),
    /** What his roles reach together, per dimension. */
    byRoles: z.array(z.object({ dimension: z.string(), text: z.string() })),
    sessions: z.array(
      z.object({ id: Id, ip: z.string().nullable(), device: z.string(), loginAt: Instant, seenAt: Instant }),
    ),
  }),
});

/** Roles that the caller may give, and those that hold more than he has. */
export const roleChoices = endpoint({
  title: '可分配的角色',
  method: 'GET',
  path: `${base}/roleChoices`,
  permission: 'sys:user:view',
  reply: z.array(z.object({ id: Id, name: z.string(), description: z.string(), grantable: z.boolean() })),
});

const HandoverItem = z.object({ key: z.string(), title: z.string(), count: z.int() });
export type HandoverItem = z.infer<typeof HandoverItem>;

/** What somebody who leaves would hand over. */
export const handoverPreview = endpoint({
  title: '离职交接预览',
  method: 'GET',
  path: `${base}/handover/:id`,
  permission: 'sys:user:assign',
  params: UserId,
  reply: z.array(HandoverItem),
});

/** Moves everything (or the named parts) in one step; then disables the person if asked to. */
export const handOver = endpoint({
  title: '离职交接',
  method: 'POST',
  path: `${base}/handover`,
  permission: 'sys:user:assign',
  body: z.object({
    from: z.uuid().meta({ title: '交接人' }),
    to: z.uuid().meta({ title: '接收人' }),
    keys: z.array(z.string().max(80)).max(100).optional().meta({ title: '交接内容' }),
    disable: z.boolean().default(false).meta({ title: '交接后停用' }),
  }),
  reply: z.array(HandoverItem),
});

const Problem = z.object({
  line: z.int(),
  column: z.string(),
  value: z.string(),
  reason: z.string(),
  suggestion: z.string(),
});

const ImportLine = z.object({
  name: Text(100, '用户名'),
  account: Text(254, '登录账号'),
  dept: z.string().max(600).optional(),
  roles: z.array(z.string().max(50)).max(50),
  email: z.string().max(254).optional(),
  tel: z.string().max(30).optional(),
  expireDate: Day.optional(),
});
export type ImportLine = z.infer<typeof ImportLine>;

export const checkUserImport = endpoint({
  title: '子账号导入检查',
  method: 'POST',
  path: `${base}/import/check`,
  permission: 'sys:user:import',
  access: 'read',
  upload: true,
  body: z.object({}),
  reply: z.object({ rows: z.int(), lines: z.array(ImportLine), problems: z.array(Problem) }),
});

/** Adds all of them or none; answers the one-time passwords. */
export const commitUserImport = endpoint({
  title: '子账号导入写入',
  method: 'POST',
  path: `${base}/import/commit`,
  permission: 'sys:user:import',
  body: z.object({ lines: z.array(ImportLine).min(1).max(200).meta({ title: '子账号' }) }),
  reply: z.array(z.object({ account: z.string(), name: z.string(), password: z.string() })),
});

export const userImportTemplate = endpoint({
  title: '子账号导入模板',
  method: 'GET',
  path: `${base}/import/template`,
  permission: 'sys:user:import',
  file: true,
  reply: z.unknown(),
});

/** One step of the answer why somebody can or cannot: `ok` false where it ends. */
const Reason = z.object({ ok: z.boolean(), text: z.string() });
export type Reason = z.infer<typeof Reason>;

/** Why a person may or may not use a permission, and reach an id of a dimension with it. */
export const explainRight = endpoint({
  title: '权限解释',
  method: 'GET',
  path: `${base}/:id/explain`,
  permission: 'sys:user:view',
  params: UserId,
  query: z.object({
    code: z.string().min(1).max(80).meta({ title: '权限' }),
    dimension: z.string().max(40).optional().meta({ title: '数据维度' }),
    target: z.uuid().optional().meta({ title: '数据' }),
  }),
  reply: z.object({ allowed: z.boolean(), reasons: z.array(Reason) }),
});
