import { refused } from '#kit/server/errors.ts';
import type { Runtime } from '#kit/server/runtime.ts';
import { marketplaceOf } from '../../contract/marketplaces.ts';

/** Address of a country's Seller Central by the setting: one pattern for all, or one of each. @throws refused B0301 */
export function sellerCentralOf(base: string, country: string): string {
  if (!base.startsWith('{')) return base.replace('{country}', country.toLowerCase());
  const byCountry = JSON.parse(base) as Record<string, string>;
  const address = byCountry[country];
  if (!address) throw refused(`没有配置 ${country} 站点的授权页地址`, 'B0301');
  return address;
}

/**
 * Seller Central's page with the messages of an order's buyer, who can be answered there; null where the site has no known
 * address. Buyers' own words are read there only: no API tells them.
 */
export function buyerMessagesUrl(
  { config }: Pick<Runtime, 'config'>,
  of: { marketplaceId: string; orderId: string },
): string | null {
  const site = marketplaceOf(of.marketplaceId);
  if (!config.marketplace || !site) return null;
  const base = config.marketplace.consentBase;
  if (base.startsWith('{') && !(site.country in (JSON.parse(base) as object))) return null;
  const query = new URLSearchParams({ orderId: of.orderId, marketplaceID: of.marketplaceId });
  return `${sellerCentralOf(base, site.country)}/messaging/contact?${query}`;
}
