import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Id, Instant, OptionalText, Quantity, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';
import { MenuEntry } from './menus.ts';

/** How far a grant on a dimension goes. The last three are of persons: himself, his department, all below it. */
export const ScopeMode = Choice(
  { ALL: '全部', LIST: '指定', SELF: '本人', DEPT: '本部门', DEPT_TREE: '本部门及下级' },
  '范围',
);
export type ScopeMode = z.infer<typeof ScopeMode>;

export const ScopeGrant = z.object({
  dimension: z.string().min(1).max(40).meta({ title: '数据维度' }),
  mode: ScopeMode,
  ids: z.array(z.uuid()).max(5000).default([]).meta({ title: '范围' }),
});
export type ScopeGrant = z.infer<typeof ScopeGrant>;

/** The dimension of persons; it alone knows the modes by department. */
export const OWNER_DIMENSION = 'owner';

export const RoleRow = z.object({
  id: Id,
  name: z.string().meta({ title: '角色名称', width: 180 }),
  description: z.string().meta({ title: '说明', width: 260 }),
  members: Quantity.meta({ title: '用户数', width: 90 }),
  codes: Quantity.meta({ title: '权限数', width: 90 }),
  updatedBy: z.string().nullable().meta({ title: '修改人', kind: 'person' }),
  updatedAt: Instant.meta({ title: '修改时间' }),
  version: z.int(),
});
export type RoleRow = z.infer<typeof RoleRow>;

const Code = z.string().min(1).max(80);
const Codes = z.array(Code).max(3000).meta({ title: '功能权限' });
const Version = z.int().min(0).meta({ title: '版本' });
const base = '/admin/api/v1/roles';
const RoleId = z.object({ id: Id });

export const listRoles = endpoint({
  title: '角色列表',
  method: 'GET',
  path: base,
  permission: 'sys:role:view',
  reply: z.array(RoleRow),
});

export const RoleFilter = z.object({ name: z.string().trim().max(50).meta({ title: '角色名称' }) });

export const pageRoles = endpoint({
  title: '角色分页',
  method: 'POST',
  path: `${base}/page`,
  permission: 'sys:role:view',
  access: 'read',
  body: PageQuery(RoleFilter),
  sortable: ['name', 'updatedAt'],
  reply: Page(RoleRow),
});

export const RoleForm = z.object({
  name: Text(50, '角色名称'),
  description: OptionalText(200, '说明'),
  template: z.string().max(40).optional().meta({ title: '模板' }),
  copyFrom: z.uuid().optional().meta({ title: '复制自' }),
});
export type RoleForm = z.infer<typeof RoleForm>;

/** A new role: empty, from a template, or with the rights of another. */
export const addRole = endpoint({
  title: '新增角色',
  method: 'POST',
  path: base,
  permission: 'sys:role:add',
  body: RoleForm,
  reply: Id,
});

/** Name and rights in one step. Parts that are left out stay; `version` as it was read, else 409. */
export const saveRole = endpoint({
  title: '修改角色',
  method: 'PUT',
  path: `${base}/:id`,
  permission: 'sys:role:edit',
  params: RoleId,
  body: z.object({
    version: Version,
    name: Text(50, '角色名称').optional(),
    description: OptionalText(200, '说明'),
    codes: Codes.optional(),
    scopes: z.array(ScopeGrant).max(20).optional().meta({ title: '数据范围' }),
  }),
  reply: z.object({ version: z.int() }),
});

export const removeRole = endpoint({
  title: '删除角色',
  method: 'DELETE',
  path: `${base}/:id`,
  permission: 'sys:role:delete',
  params: RoleId,
  reply: z.literal('success'),
});

export const rolePermissions = endpoint({
  title: '角色功能权限',
  method: 'GET',
  path: `${base}/:id/permissions`,
  permission: 'sys:role:view',
  params: RoleId,
  reply: z.object({ version: z.int(), codes: z.array(z.string()) }),
});

export const saveRolePermissions = endpoint({
  title: '保存角色功能权限',
  method: 'PUT',
  path: `${base}/:id/permissions`,
  permission: 'sys:role:edit',
  params: RoleId,
  body: z.object({ version: Version, codes: Codes }),
  reply: z.object({ version: z.int() }),
});

/** The menu as somebody with this role alone gets it. */
export const roleMenus = endpoint({
  title: '角色菜单权限',
  method: 'GET',
  path: `${base}/:id/menus`,
  permission: 'sys:role:view',
  params: RoleId,
  reply: z.object({ version: z.int(), menu: z.array(MenuEntry), paths: z.array(z.string()) }),
});

/** Opens exactly these screens (by their paths) to the role; codes that belong to no screen stay. */
export const saveRoleMenus = endpoint({
  title: '保存角色菜单权限',
  method: 'PUT',
  path: `${base}/:id/menus`,
  permission: 'sys:role:edit',
  params: RoleId,
  body: z.object({ version: Version, paths: z.array(z.string().max(200)).max(500).meta({ title: '菜单' }) }),
  reply: z.object({ version: z.int() }),
});

const NamedScope = ScopeGrant.extend({
  title: z.string(),
  enabled: z.boolean(),
  /** Names of the granted ids that the caller may know. */
  names: z.array(z.string()),
});
export type NamedScope = z.infer<typeof NamedScope>;

export const roleScopes = endpoint({
  title: '角色数据范围',
  method: 'GET',
  path: `${base}/:id/scopes`,
  permission: 'sys:role:view',
  params: RoleId,
  reply: z.object({ version: z.int(), scopes: z.array(NamedScope) }),
});

export const saveRoleScopes = endpoint({
  title: '保存角色数据范围',
  method: 'PUT',
  path: `${base}/:id/scopes`,
  permission: 'sys:role:edit',
  params: RoleId,
  body: z.object({ version: Version, scopes: z.array(ScopeGrant).min(1).max(20).meta({ title: '数据范围' }) }),
  reply: z.object({ version: z.int() }),
});

export const PermissionTitle = z.object({ code: z.string(), title: z.string() });
export type PermissionTitle = z.infer<typeof PermissionTitle>;

/** Exactly what a member with this role alone gets: menu, codes, columns that are kept from him, data. */
export const previewRole = endpoint({
  title: '角色权限预览',
  method: 'GET',
  path: `${base}/:id/preview`,
  permission: 'sys:role:view',
  params: RoleId,
  reply: z.object({
    name: z.string(),
    menu: z.array(MenuEntry),
    codes: z.array(PermissionTitle),
    hiddenFields: z.array(PermissionTitle),
    scopes: z.array(NamedScope),
  }),
});

export interface CatalogueNode {
  key: string;
  title: string;
  kind: 'section' | 'group' | 'screen' | 'other';
  /** Route of a screen, and the code that opens it. */
  path: string | null;
  code: string | null;
  /** Every code of the screen's resource, its own first; columns are marked. */
  codes: { code: string; title: string; field: boolean; mine: boolean }[];
  children: CatalogueNode[];
}

export const CatalogueNode: z.ZodType<CatalogueNode> = z.object({
  key: z.string(),
  title: z.string(),
  kind: z.enum(['section', 'group', 'screen', 'other']),
  path: z.string().nullable(),
  code: z.string().nullable(),
  codes: z.array(z.object({ code: z.string(), title: z.string(), field: z.boolean(), mine: z.boolean() })),
  get children() {
    return z.array(CatalogueNode);
  },
});

/** Every screen of the product with the permission codes that belong to it; `mine` tells which the caller may grant. */
export const companyMenuTree = endpoint({
  title: '公司菜单与权限',
  method: 'GET',
  path: '/admin/api/v1/menus/companytree',
  permission: 'sys:role:view',
  reply: z.array(CatalogueNode),
});

export const roleTemplates = endpoint({
  title: '角色模板',
  method: 'GET',
  path: `${base}/templates`,
  permission: 'sys:role:view',
  reply: z.array(z.object({ key: z.string(), title: z.string(), description: z.string(), codes: z.array(z.string()) })),
});

export const Dimension = z.object({ name: z.string(), title: z.string(), enabled: z.boolean(), people: z.boolean() });
export type Dimension = z.infer<typeof Dimension>;

export const listDimensions = endpoint({
  title: '数据权限维度',
  method: 'GET',
  path: `${base}/dimensions`,
  permission: 'login',
  reply: z.array(Dimension),
});

/** Owners only: a dimension that is off limits nobody. */
export const saveDimensions = endpoint({
  title: '启用数据权限维度',
  method: 'PUT',
  path: `${base}/dimensions`,
  permission: 'sys:role:edit',
  body: z.object({ names: z.array(z.string().max(40)).max(20).meta({ title: '数据维度' }) }),
  reply: z.literal('success'),
});

/** What can be granted on a dimension, as far as the caller may see it. */
export const dimensionOptions = endpoint({
  title: '数据权限选项',
  method: 'GET',
  path: `${base}/dimensions/:name/options`,
  permission: 'login',
  params: z.object({ name: z.string().max(40).meta({ title: '数据维度' }) }),
  reply: z.array(z.object({ id: z.string(), title: z.string(), group: z.string().optional() })),
  concurrent: true,
});
