import { z } from 'zod';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, OptionalText, Text } from '#kit/contract/field.ts';
import { Page, PageQuery } from '#kit/contract/page.ts';

export const MenuKind = Choice({ section: '一级目录', dir: '目录', menu: '菜单', link: '外链' }, '菜单类型');

/** An entry of the menu as the operator edits it: what the product declares, with his changes over it. */
export const MenuRow = z.object({
  key: z.string(),
  parent: z.string().nullable(),
  depth: z.int(),
  title: z.string().meta({ title: '菜单名称', width: 280 }),
  kind: MenuKind.meta({ width: 100 }),
  visible: z.boolean().meta({ title: '状态', kind: 'boolean', width: 90 }),
  sort: z.int().meta({ title: '排序', kind: 'integer', width: 80 }),
  path: z.string().meta({ title: '路径', kind: 'code', width: 240 }),
  permission: z.string().nullable().meta({ title: '权限标识', kind: 'code', width: 200 }),
  icon: z.string().nullable(),
  redirect: z.string().nullable(),
  /** Changed or added by the operator. */
  changed: z.boolean(),
});
export type MenuRow = z.infer<typeof MenuRow>;

export interface MenuTreeNode extends MenuRow {
  children: MenuTreeNode[];
}

export const MenuTreeNode: z.ZodType<MenuTreeNode> = MenuRow.extend({
  get children() {
    return z.array(MenuTreeNode);
  },
});

const base = '/admin/api/v1/menus';
const Key = z.object({ key: z.string().min(1).max(200).meta({ title: '菜单' }) });

/** All entries, top to bottom. */
export const listMenus = endpoint({
  title: '菜单列表',
  method: 'GET',
  path: base,
  permission: 'sys:menu:view',
  reply: z.array(MenuRow),
});

export const menuTable = endpoint({
  title: '菜单树',
  method: 'GET',
  path: `${base}/table`,
  permission: 'sys:menu:view',
  reply: z.array(MenuTreeNode),
});

/** Entries below which others may stand. */
export const menuTreeSelect = endpoint({
  title: '上级菜单选项',
  method: 'GET',
  path: `${base}/tree-select`,
  permission: 'sys:menu:view',
  reply: z.array(z.object({ value: z.string(), title: z.string(), parent: z.string().nullable() })),
});

const Sort = z.int().min(0).max(9999).meta({ title: '排序', kind: 'integer' });

/** A directory, or a link to another site whose host is on the list of allowed ones. */
export const addMenu = endpoint({
  title: '新增菜单',
  method: 'POST',
  path: base,
  permission: 'sys:menu:add',
  body: z.object({
    kind: Choice({ dir: '目录', link: '外链' }, '菜单类型'),
    parent: z.string().min(1).max(200).meta({ title: '上级菜单' }),
    title: Text(20, '菜单名称'),
    icon: OptionalText(40, '图标'),
    sort: Sort.default(100),
    redirect: OptionalText(500, '外链地址'),
  }),
  reply: z.string(),
});

/** Lays changes over an entry; parts that are left out stay. */
export const saveMenu = endpoint({
  title: '修改菜单',
  method: 'PUT',
  path: `${base}/:key`,
  permission: 'sys:menu:edit',
  params: Key,
  body: z.object({
    title: Text(20, '菜单名称').optional(),
    icon: OptionalText(40, '图标'),
    sort: Sort.optional(),
    visible: z.boolean().optional().meta({ title: '状态' }),
    redirect: OptionalText(500, '外链地址'),
  }),
  reply: z.literal('success'),
});

/** Takes an added entry away, or the changes from a declared one. */
export const removeMenu = endpoint({
  title: '删除菜单',
  method: 'DELETE',
  path: `${base}/:key`,
  permission: 'sys:menu:delete',
  params: Key,
  reply: z.literal('success'),
});

/** One call of the product with the permission that it asks for. */
export const PermissionRow = z.object({
  id: z.string().meta({ hidden: true }),
  name: z.string().meta({ title: '权限名称', width: 190 }),
  service: z.string().meta({ title: '所属服务', width: 120 }),
  method: z.string().meta({ title: '请求方式', kind: 'code', width: 90 }),
  path: z.string().meta({ title: '请求路径', kind: 'code', width: 380 }),
  code: z.string().meta({ title: '按钮权限', kind: 'code', width: 200 }),
  codeTitle: z.string().meta({ title: '权限说明', width: 160 }),
});
export type PermissionRow = z.infer<typeof PermissionRow>;

export const PermissionFilter = z.object({
  service: Choice(
    { auth: '登录', admin: '系统', amazon: '亚马逊', amazonadv: '广告', erp: '业务', other: '其他' },
    '所属服务',
  ),
  search: z.string().trim().max(100).meta({ title: '名称、路径、权限' }),
});
const AnyPermissionFilter = PermissionFilter.partial();
export type PermissionFilter = z.infer<typeof AnyPermissionFilter>;

export const listPermissions = endpoint({
  title: '权限列表',
  method: 'GET',
  path: '/admin/api/v1/permissions',
  permission: 'sys:menu:view',
  reply: z.array(PermissionRow),
});

export const pagePermissions = endpoint({
  title: '权限分页',
  method: 'POST',
  path: '/admin/api/v1/permissions/page',
  permission: 'sys:menu:view',
  access: 'read',
  body: PageQuery(PermissionFilter),
  sortable: ['name', 'service', 'method', 'path', 'code'],
  reply: Page(PermissionRow),
});
