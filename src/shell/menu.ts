import { matchPath } from 'react-router';
import type { ScreenRoute } from '#kit/web/tabs/scope.ts';
import type { MenuEntry } from '#modules/identity/contract/menus.ts';
import { declaredRoutes } from './screens.ts';

/** One link of the menu with where it stands. */
export interface MenuLink {
  title: string;
  path: string;
  /** Titles above it: section, and group if there is one. */
  trail: string[];
  entry: MenuEntry;
}

/** A group of links in the sub-menu; the title is empty for links that stand directly under their section. */
export interface MenuGroup {
  title: string;
  links: MenuLink[];
}

const byOrder = (a: MenuEntry, b: MenuEntry): number => a.sort - b.sort;

function linkOf(entry: MenuEntry, trail: string[]): MenuLink {
  return { title: entry.meta.title, path: entry.path || '/404', trail, entry };
}

/** Groups of a section, in the order of the menu. */
export function groupsOf(section: MenuEntry): MenuGroup[] {
  const groups: MenuGroup[] = [];
  for (const child of [...section.children].sort(byOrder)) {
    if (child.children.length > 0) {
      const trail = [section.meta.title, child.meta.title];
      groups.push({
        title: child.meta.title,
        links: [...child.children].sort(byOrder).map((leaf) => linkOf(leaf, trail)),
      });
      continue;
    }
    const link = linkOf(child, [section.meta.title]);
    const last = groups.at(-1);
    if (last?.title === '') last.links.push(link);
    else groups.push({ title: '', links: [link] });
  }
  return groups;
}

/** Every link of the menu, top to bottom. */
export function linksOf(menu: readonly MenuEntry[]): MenuLink[] {
  return [...menu].sort(byOrder).flatMap((section) => {
    if (section.children.length === 0) return [linkOf(section, [])];
    return groupsOf(section).flatMap((group) => group.links);
  });
}

/** Routes inside the frame: those of the menu, then those that modules declare. */
export function routesOf(menu: readonly MenuEntry[]): ScreenRoute[] {
  const fromMenu = linksOf(menu)
    .filter((link) => link.entry.component)
    .map(({ path, title, entry }) => ({
      path,
      title,
      component: entry.component ?? '',
      keepAlive: entry.meta.keepAlive,
    }));
  return [...fromMenu, ...declaredRoutes.filter((route) => !route.public)];
}

export function routeFor(routes: readonly ScreenRoute[], path: string): ScreenRoute | undefined {
  return routes.find((route) => matchPath(route.path, path) !== null);
}

/** The section of the rail in which a path lies. */
export function sectionFor(menu: readonly MenuEntry[], path: string): MenuEntry | undefined {
  return menu.find((section) => linksOf([section]).some((link) => link.path === path) || section.path === path);
}

/** Pages of the former system, and sites that the operator allowed, open outside. */
export function isLegacy(entry: MenuEntry): entry is MenuEntry & { redirect: string } {
  return /^https:\/\/|\.(do|jsp)(\?|$)/.test(entry.redirect ?? '');
}
