import { type MenuItem, type ModuleDef, SECTIONS, type Section } from '#kit/server/module.ts';
import type { MenuEntry } from '../contract/menus.ts';

function entryOf(item: MenuItem, parent: string, allowed: (code: string) => boolean): MenuEntry | undefined {
  if (item.permission && !allowed(item.permission)) return undefined;
  const name = `${parent}.${item.title}`;
  const children = (item.children ?? []).flatMap((child) => entryOf(child, name, allowed) ?? []);
  if (item.children && children.length === 0) return undefined;
  return {
    name,
    path: item.path ?? '',
    ...(item.component ? { component: item.component } : {}),
    sort: item.sort,
    meta: { title: item.title, ...(item.icon ? { icon: item.icon } : {}), keepAlive: item.keepAlive ?? true },
    children: children.sort((a, b) => a.sort - b.sort),
  };
}

/**
 * The menu as one user sees it: sections in their order, without entries that he may not open and without empty groups.
 * The first entry is always 首页 and carries every permission code that the user holds.
 */
export function menuFor(modules: readonly ModuleDef[], codes: ReadonlySet<string>): MenuEntry[] {
  const allowed = (code: string) => codes.has(code);
  const entries: MenuEntry[] = [];
  for (const [key, section] of Object.entries(SECTIONS) as [Section, (typeof SECTIONS)[Section]][]) {
    const items = modules.flatMap((module) => module.menu?.[key] ?? []);
    const children = mergedGroups(items.flatMap((item) => entryOf(item, key, allowed) ?? []));
    if (key === 'home') {
      const [home] = children;
      entries.push({
        ...(home ?? {
          name: 'home',
          path: '/home',
          sort: 0,
          meta: { title: section.title, keepAlive: true },
          children: [],
        }),
        meta: { title: section.title, icon: section.icon, keepAlive: true, permissions: [...codes].sort() },
        children: [],
      });
    } else if (children.length > 0) {
      entries.push({
        name: key,
        path: '',
        sort: section.sort,
        meta: { title: section.title, icon: section.icon, keepAlive: true },
        children,
      });
    }
  }
  return entries;
}

/** Groups of the same name from several modules become one. */
function mergedGroups(entries: MenuEntry[]): MenuEntry[] {
  const byTitle = new Map<string, MenuEntry>();
  for (const entry of entries) {
    const known = byTitle.get(entry.meta.title);
    if (known && known.children.length > 0 && entry.children.length > 0) {
      known.children = [...known.children, ...entry.children].sort((a, b) => a.sort - b.sort);
    } else {
      byTitle.set(entry.meta.title, entry);
    }
  }
  return [...byTitle.values()].sort((a, b) => a.sort - b.sort);
}
