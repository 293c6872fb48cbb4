import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { invalid, notFound, refused } from '#kit/server/errors.ts';
import type { ModuleDef } from '#kit/server/module.ts';
import {
  type MenuRow,
  type MenuTreeNode,
  type PermissionFilter,
  type PermissionRow,
  pagePermissions,
} from '../../contract/menu-editor.ts';
import { CUSTOM, type MenuNode, menuTree } from '../menu.ts';
import { forgetMenuOverlays, type MenuOverlay } from '../menu-overlay.ts';
import { changes } from '../organisation/changes.ts';

const RESOURCE = 'identity.menu_overlay';
const MAX_DEPTH = 3;

async function overlays(ctx: Ctx): Promise<MenuOverlay[]> {
  const rows = await ctx.db
    .selectFrom('identity.menu_overlay')
    .select(['key', 'kind', 'parent', 'title', 'icon', 'sort', 'is_visible as visible', 'redirect'])
    .where('company_id', '=', ctx.companyId)
    .execute();
  return rows.map((row) => ({ ...row, kind: row.kind as MenuOverlay['kind'] }));
}

function rowOf(node: MenuNode, parent: string | null, depth: number): MenuTreeNode {
  return {
    key: node.name,
    parent,
    depth,
    title: node.title,
    kind: node.kind,
    visible: node.visible,
    sort: node.sort,
    path: node.path,
    permission: node.permission ?? null,
    icon: node.icon ?? null,
    redirect: node.redirect ?? null,
    changed: node.changed,
    children: node.children.map((child) => rowOf(child, node.name, depth + 1)),
  };
}

/** The whole menu as the operator edits it. */
export async function menuTable(ctx: Ctx): Promise<MenuTreeNode[]> {
  return menuTree(ctx.runtime.modules, await overlays(ctx)).map((node) => rowOf(node, null, 1));
}

export function flat(nodes: readonly MenuTreeNode[]): MenuRow[] {
  return nodes.flatMap(({ children, ...row }) => [row, ...flat(children)]);
}

/** Entries below which another may stand. */
export async function parents(ctx: Ctx) {
  return flat(await menuTable(ctx))
    .filter((row) => row.key !== 'home' && row.depth < MAX_DEPTH && (row.kind === 'section' || row.kind === 'dir'))
    .map((row) => ({ value: row.key, title: row.title, parent: row.parent }));
}

/**
 * An address that a menu entry may lead to: https on an allowed host (LINK_HOSTS; subdomains count), or a page of the
 * former system on this one.
 */
export function linkProblem(address: string, hosts: readonly string[]): string | undefined {
  if (/^\/(?![/\\])[^\s\\]*\.(do|jsp)(\?[^\s\\]*)?$/.test(address)) return undefined;
  if (!URL.canParse(address)) return '请输入完整的外链地址';
  const { protocol, hostname, username } = new URL(address);
  if (protocol !== 'https:' || username !== '') return '外链须以 https:// 开头';
  if (hosts.some((host) => hostname === host || hostname.endsWith(`.${host}`))) return undefined;
  return `域名 ${hostname} 不在允许的外链名单中`;
}

function requireLink(ctx: Ctx, address: string | undefined): void {
  const problem = linkProblem(address ?? '', ctx.runtime.config.linkHosts);
  if (problem) throw invalid([{ field: 'redirect', title: '外链地址', msg: problem }]);
}

interface NewEntry {
  kind: 'dir' | 'link';
  parent: string;
  title: string;
  icon?: string | undefined;
  sort: number;
  redirect?: string | undefined;
}

/** Adds a directory or a link; answers its key. */
export async function insertMenu(ctx: Ctx, entry: NewEntry): Promise<string> {
  if (entry.kind === 'link') requireLink(ctx, entry.redirect);
  if (!(await parents(ctx)).some((parent) => parent.value === entry.parent)) throw notFound();
  const key = `${CUSTOM}${randomUUID()}`;
  await ctx.db
    .insertInto('identity.menu_overlay')
    .values({
      company_id: ctx.companyId,
      key,
      kind: entry.kind,
      parent: entry.parent,
      title: entry.title,
      icon: entry.icon || null,
      sort: entry.sort,
      redirect: entry.kind === 'link' ? (entry.redirect ?? null) : null,
      updated_by_name: ctx.userName,
    })
    .execute();
  await audit(ctx, { action: '新增菜单', resource: RESOURCE, resourceId: key, after: entry });
  ctx.afterCommit(() => forgetMenuOverlays(ctx.runtime));
  return key;
}

interface EntryChange {
  title?: string | undefined;
  icon?: string | undefined;
  sort?: number | undefined;
  visible?: boolean | undefined;
  redirect?: string | undefined;
}

/** Lays a change over an entry. 首页 stays: whoever may nothing else still has it. */
export async function updateMenu(ctx: Ctx, key: string, change: EntryChange): Promise<void> {
  const row = flat(await menuTable(ctx)).find((each) => each.key === key);
  if (!row) throw notFound();
  if (change.visible === false && row.key === 'home') throw refused('首页不能隐藏', 'B0181');
  if (row.kind === 'link' && change.redirect !== undefined) requireLink(ctx, change.redirect);
  const known = (await overlays(ctx)).find((each) => each.key === key);
  const next = {
    title: change.title ?? known?.title ?? null,
    icon: change.icon || (known?.icon ?? null),
    sort: change.sort ?? known?.sort ?? null,
    is_visible: change.visible ?? known?.visible ?? true,
    redirect: row.kind === 'link' ? (change.redirect ?? known?.redirect ?? null) : null,
    updated_by_name: ctx.userName,
  };
  await ctx.db
    .insertInto('identity.menu_overlay')
    .values({ company_id: ctx.companyId, key, kind: 'entry', ...next })
    .onConflict((on) => on.columns(['company_id', 'key']).doUpdateSet({ ...next, updated_at: sql`kit.now()` }))
    .execute();
  const before = { title: row.title, icon: row.icon, sort: row.sort, visible: row.visible, redirect: row.redirect };
  const diff = changes(before, { ...before, ...change });
  await audit(ctx, { action: '修改菜单', resource: RESOURCE, resourceId: key, ...(diff ?? { after: {} }) });
  ctx.afterCommit(() => forgetMenuOverlays(ctx.runtime));
}

/** Takes an added entry away (an empty one), or the changes from a declared one. */
export async function deleteMenu(ctx: Ctx, key: string): Promise<void> {
  const all = await overlays(ctx);
  const found = all.find((row) => row.key === key);
  if (!found) throw notFound();
  if (all.some((row) => row.parent === key)) throw refused('请先删除下级菜单', 'B0182');
  await ctx.db
    .deleteFrom('identity.menu_overlay')
    .where('company_id', '=', ctx.companyId)
    .where('key', '=', key)
    .execute();
  const action = found.kind === 'entry' ? '恢复默认菜单' : '删除菜单';
  await audit(ctx, { action, resource: RESOURCE, resourceId: key, before: found });
  ctx.afterCommit(() => forgetMenuOverlays(ctx.runtime));
}

const SERVICES = ['auth', 'admin', 'amazon', 'amazonadv', 'erp'];

function serviceOf(path: string): string {
  const [, first = ''] = path.split('/');
  return SERVICES.includes(first) ? first : 'other';
}

/** Every call of the product with the permission that it declares. */
export function permissionRows(modules: readonly ModuleDef[]): PermissionRow[] {
  const titles: Record<string, string> = Object.assign(
    { public: '无需登录', login: '登录即可' },
    ...modules.map((module) => ({ ...module.permissions, ...module.operatorPermissions })),
  );
  return modules
    .flatMap((module) => module.routes ?? [])
    .map(({ endpoint }) => ({
      id: `${endpoint.method} ${endpoint.path}`,
      name: endpoint.title,
      service: serviceOf(endpoint.path),
      method: endpoint.method,
      path: endpoint.path,
      code: endpoint.permission,
      codeTitle: titles[endpoint.permission] ?? '',
    }))
    .sort((a, b) => a.path.localeCompare(b.path) || a.method.localeCompare(b.method));
}

const MAX_OFFSET = 10_000;

export function permissionPage(ctx: Ctx, request: PageRequest<PermissionFilter>): PageOf<PermissionRow> {
  const { filter, currentpage, pagesize } = request;
  if (currentpage * pagesize > MAX_OFFSET) throw refused('页码过大，请缩小筛选范围', 'B0031');
  const word = filter.search?.toLowerCase() ?? '';
  const key = pagePermissions.sortable.find((each) => each === request.sort);
  if (request.sort && !key) throw refused(`不支持按「${request.sort}」排序`, 'B0030');
  const rows = permissionRows(ctx.runtime.modules).filter(
    (row) =>
      (!filter.service || row.service === filter.service) &&
      `${row.name} ${row.path} ${row.code} ${row.codeTitle}`.toLowerCase().includes(word),
  );
  const way = request.order === 'desc' ? -1 : 1;
  if (key) rows.sort((a, b) => way * a[key].localeCompare(b[key]));
  return { records: rows.slice((currentpage - 1) * pagesize, currentpage * pagesize), total: rows.length };
}
