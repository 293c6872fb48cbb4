import type { SearchGroup } from '#modules/system/contract/search.ts';
import type { MenuLink } from '../menu.ts';
import type { Place } from './recent.ts';

/** One line of the search, whatever it stands for. */
export interface SearchItem extends Place {
  key: string;
  icon: 'page' | SearchGroup['icon'] | 'recent';
  image?: string | null | undefined;
  tag?: SearchGroup['hits'][number]['tag'];
  facts?: SearchGroup['hits'][number]['facts'];
  /** The menu's entry behind a page. */
  link?: MenuLink;
}

export interface ItemGroup {
  key: string;
  title: string;
  /** e.g. 「3 个」, 「前 5 个」. */
  count: string;
  items: SearchItem[];
  failed?: boolean;
}

const PAGES = 8;

function pageItem(link: MenuLink, group: string): SearchItem {
  return {
    key: `${group} ${link.path} ${link.title}`,
    icon: 'page',
    title: link.title,
    subtitle: link.trail.join(' › ') || '首页',
    path: link.path,
    tabTitle: link.title,
    link,
  };
}

/** Pages whose name, or the place where they stand, holds every word of the text; those called so come first. */
export function pagesFor(links: readonly MenuLink[], text: string): MenuLink[] {
  const words = text.trim().toLowerCase().split(/\s+/).filter(Boolean);
  const hits = links.filter((link) => {
    const whole = [...link.trail, link.title].join(' ').toLowerCase();
    return words.every((word) => whole.includes(word));
  });
  const named = (link: MenuLink) => words.some((word) => link.title.toLowerCase().includes(word));
  return [...hits.filter(named), ...hits.filter((link) => !named(link))];
}

function foundGroup(group: SearchGroup): ItemGroup {
  return {
    key: group.title,
    title: group.title,
    count: group.more ? `前 ${group.hits.length} 个` : `${group.hits.length} 个`,
    failed: group.failed,
    items: group.hits.map(({ query, ...hit }, index) => ({
      ...hit,
      ...(query ? { query } : {}),
      key: `${group.title} ${index} ${hit.title}`,
      icon: group.icon,
    })),
  };
}

function pageGroup(pages: readonly MenuLink[]): ItemGroup {
  const items = pages.slice(0, PAGES).map((link) => pageItem(link, 'page'));
  const count = pages.length > PAGES ? `前 ${PAGES} 个` : `${pages.length} 个`;
  return { key: 'pages', title: '页面与操作', count, items };
}

/** What a text found: things first, then pages; a text that is a page's name shows the pages first. */
export function foundGroups(links: readonly MenuLink[], text: string, found: readonly SearchGroup[]): ItemGroup[] {
  const pages = pageGroup(pagesFor(links, text));
  const things = found.map(foundGroup);
  const named = pages.items[0]?.title.toLowerCase().startsWith(text.toLowerCase()) ?? false;
  return (named ? [pages, ...things] : [...things, pages]).filter((group) => group.items.length > 0 || group.failed);
}

/** What an empty search shows: what was opened last, the starred pages, and on the first day all pages. */
export function idleGroups(
  links: readonly MenuLink[],
  recent: readonly Place[],
  favourites: readonly string[],
): ItemGroup[] {
  const starred = favourites.flatMap((path) => links.find((link) => link.path === path) ?? []);
  const last = recent.map((place) => ({
    ...place,
    key: `recent ${place.path} ${place.tabTitle} ${place.title}`,
    icon: 'recent' as const,
  }));
  return [
    { key: 'recent', title: '最近打开', count: `${last.length} 项`, items: last },
    {
      key: 'starred',
      title: '收藏',
      count: `${starred.length} 项`,
      items: starred.map((link) => pageItem(link, 'star')),
    },
    {
      key: 'all',
      title: '全部页面',
      count: `${links.length} 个`,
      items: last.length > 0 ? [] : links.map((link) => pageItem(link, 'all')),
    },
  ].filter((group) => group.items.length > 0);
}
