import { useTab } from '#kit/web/tabs/scope.ts';

/** What a row of the screen stands for, from the campaign down. */
export const LEVELS = {
  campaigns: '广告活动',
  adGroups: '广告组',
  productAds: '推广商品',
  targets: '投放',
  terms: '用户搜索词',
  negatives: '否定投放',
  placements: '广告位',
  changes: '操作记录',
} as const;
export type Level = keyof typeof LEVELS;

/** Filters that go along from level to level. */
const SHARED = ['f.dates', 'f.sites', 'f.products'];

interface LevelControl {
  level: Level;
  /** Goes to another level; with a campaign only to what belongs to it. */
  go: (level: Level, campaign?: string) => void;
}

/** The level that the tab's address names, and the way to another one: period and stores stay, the rest begins anew. */
export function useLevel(): LevelControl {
  const { address, rewrite } = useTab();
  const [path = '', query = ''] = address.split('?');
  const search = new URLSearchParams(query);
  const named = search.get('level') ?? '';
  const level = Object.hasOwn(LEVELS, named) ? (named as Level) : 'campaigns';
  return {
    level,
    go: (next, campaign) => {
      const locked = campaign ?? search.get('f.campaign');
      const wanted = new URLSearchParams(search);
      for (const name of [...wanted.keys()]) {
        const dropped = name.startsWith('f.') ? !SHARED.includes(name) : ['sort', 'page'].includes(name);
        if (dropped) wanted.delete(name);
      }
      wanted.set('level', next);
      if (locked && next !== 'campaigns') wanted.set('f.campaign', locked);
      rewrite(`${path}?${wanted}`);
    },
  };
}

const DAY_MS = 86_400_000;
const dayOf = (at: number) => new Date(at).toISOString().slice(0, 10);

/** The last 30 days that may be over in every zone, as the filter holds them. */
export function lastMonth(now = Date.now()): { from: string; to: string } {
  return { from: dayOf(now - 30 * DAY_MS), to: dayOf(now - DAY_MS) };
}
