import { DEFAULT_ZONE } from '#kit/contract/day.ts';
import { type MenuItem, type ModuleDef, SECTIONS, type Section } from '#kit/server/module.ts';
import type { MenuEntry } from '../contract/menus.ts';
import type { MenuOverlay } from './menu-overlay.ts';

/** An entry of the menu before anybody's rights are looked at. */
export interface MenuNode {
  /** Where it stands: "system.组织.子账号"; entries that the operator added begin with "custom.". */
  name: string;
  kind: 'section' | 'dir' | 'menu' | 'link';
  title: string;
  path: string;
  component?: string | undefined;
  icon?: string | undefined;
  permission?: string | undefined;
  redirect?: string | undefined;
  sort: number;
  keepAlive: boolean;
  visible: boolean;
  /** Whether the operator changed or added it. */
  changed: boolean;
  children: MenuNode[];
}

/** The home of those who may not see the company's figures. */
const WELCOME = 'identity/Welcome';

/** Names of entries that the operator added begin so. */
export const CUSTOM = 'custom.';

type Overlays = ReadonlyMap<string, MenuOverlay>;

function overlaid(node: MenuNode, overlays: Overlays): MenuNode {
  const change = overlays.get(node.name);
  if (!change) return node;
  return {
    ...node,
    title: change.title ?? node.title,
    icon: change.icon ?? node.icon,
    sort: change.sort ?? node.sort,
    visible: change.visible,
    changed: true,
  };
}

function nodeOf(item: MenuItem, parent: string, overlays: Overlays): MenuNode {
  const name = `${parent}.${item.title}`;
  return overlaid(
    {
      name,
      kind: item.children ? 'dir' : 'menu',
      title: item.title,
      path: item.path ?? '',
      component: item.component,
      icon: item.icon,
      permission: item.permission,
      sort: item.sort,
      keepAlive: item.keepAlive ?? true,
      visible: true,
      changed: false,
      children: (item.children ?? []).map((child) => nodeOf(child, name, overlays)),
    },
    overlays,
  );
}

function customNodes(parent: string, overlays: Overlays): MenuNode[] {
  return [...overlays.values()]
    .filter((row) => row.kind !== 'entry' && row.parent === parent)
    .map((row) => ({
      name: row.key,
      kind: row.kind === 'dir' ? ('dir' as const) : ('link' as const),
      title: row.title ?? '',
      path: row.kind === 'link' ? `/link/${row.key.slice(CUSTOM.length)}` : '',
      icon: row.icon ?? undefined,
      redirect: row.redirect ?? undefined,
      sort: row.sort ?? 0,
      keepAlive: true,
      visible: row.visible,
      changed: true,
      children: row.kind === 'dir' ? customNodes(row.key, overlays) : [],
    }));
}

const bySort = (a: MenuNode, b: MenuNode): number => a.sort - b.sort;

/** Groups of the same name from several modules become one; what the operator added joins its parent. */
function assembled(nodes: readonly MenuNode[], parent: string, overlays: Overlays): MenuNode[] {
  const byName = new Map<string, MenuNode>();
  for (const node of nodes) {
    const known = byName.get(node.name);
    if (known?.kind === 'dir' && node.kind === 'dir') known.children.push(...node.children);
    else byName.set(node.name, node);
  }
  const all = [...byName.values(), ...customNodes(parent, overlays)];
  return all
    .map((node) => (node.kind === 'dir' ? { ...node, children: assembled(node.children, node.name, overlays) } : node))
    .sort(bySort);
}

/** The whole menu: what the modules declare with the operator's changes over it, for nobody in particular. */
export function menuTree(modules: readonly ModuleDef[], changes: readonly MenuOverlay[] = []): MenuNode[] {
  const overlays = new Map(changes.map((row) => [row.key, row]));
  return (Object.entries(SECTIONS) as [Section, (typeof SECTIONS)[Section]][])
    .map(([key, section]) => {
      const items = modules.flatMap((module) => module.menu?.[key] ?? []);
      const nodes = items.map((item) => nodeOf(item, key, overlays));
      const children = key === 'home' ? nodes : assembled(nodes, key, overlays);
      const own = { kind: 'section' as const, path: '', keepAlive: true, visible: true, changed: false };
      return overlaid(
        { ...own, name: key, title: section.title, icon: section.icon, sort: section.sort, children },
        overlays,
      );
    })
    .sort((a, b) => (a.name === 'home' ? -1 : b.name === 'home' ? 1 : a.sort - b.sort));
}

function entryOf(node: MenuNode, allowed: (code: string) => boolean): MenuEntry | undefined {
  if (!node.visible || (node.permission && !allowed(node.permission))) return undefined;
  const children = node.children.flatMap((child) => entryOf(child, allowed) ?? []);
  if (node.kind === 'dir' && children.length === 0) return undefined;
  return {
    name: node.name,
    path: node.path,
    ...(node.component ? { component: node.component } : {}),
    ...(node.redirect ? { redirect: node.redirect } : {}),
    sort: node.sort,
    meta: { title: node.title, ...(node.icon ? { icon: node.icon } : {}), keepAlive: node.keepAlive },
    children,
  };
}

/**
 * The menu as one user sees it: sections in their order, without entries that he may not open, without what the
 * operator hides and without empty groups. The first entry is always 首页 and carries every permission code that the
 * user holds, and the zone of his company's days.
 */
export function menuFor(
  modules: readonly ModuleDef[],
  codes: ReadonlySet<string>,
  changes: readonly MenuOverlay[] = [],
  timeZone: string = DEFAULT_ZONE,
): MenuEntry[] {
  const allowed = (code: string) => codes.has(code);
  return menuTree(modules, changes).flatMap((section): MenuEntry[] => {
    const { name, title, icon, sort } = section;
    // An entry that the operator added is nobody's right: it shows where something of its section does.
    const children = section.visible ? section.children.flatMap((child) => entryOf(child, allowed) ?? []) : [];
    if (name === 'home') {
      const [home] = children;
      const base = home ?? { name: 'home', path: '/home', component: WELCOME, sort: 0, children: [] };
      const meta = { title, ...(icon ? { icon } : {}), keepAlive: true, permissions: [...codes].sort(), timeZone };
      return [{ ...base, meta, children: [] }];
    }
    if (children.every((child) => child.name.startsWith(CUSTOM))) return [];
    return [{ name, path: '', sort, meta: { title, ...(icon ? { icon } : {}), keepAlive: true }, children }];
  });
}
