import type { CardFilter } from '../contract/layout.ts';
import { type HomeFilter, PERIODS } from '../contract.ts';

/** What a card asks for: the page's filter, in its place what the card has of its own. */
export function filterOf(page: HomeFilter, own: CardFilter | undefined): HomeFilter {
  if (!own) return page;
  const { dates: _, ...rest } = page;
  const { accountIds, marketplaceIds, period, dates } = own;
  return {
    ...(period ? rest : page),
    ...(accountIds ? { accountIds } : {}),
    ...(marketplaceIds ? { marketplaceIds } : {}),
    ...(period ? { period, ...(period === 'custom' && dates ? { dates } : {}) } : {}),
  };
}

/** A card's own filter in words, e.g. 「2 个店铺 · 近7天」. */
export function markOf(own: CardFilter | undefined): string | undefined {
  const { accountIds, marketplaceIds, period, dates } = own ?? {};
  const words = [
    accountIds?.length ? `${accountIds.length} 个店铺` : '',
    marketplaceIds?.length ? `${marketplaceIds.length} 个站点` : '',
    period === 'custom' && dates ? `${dates.from.slice(5)} 至 ${dates.to.slice(5)}` : period ? PERIODS[period] : '',
  ].filter((word) => word !== '');
  return words.length > 0 ? words.join(' · ') : undefined;
}
