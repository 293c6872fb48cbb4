import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { localesOf } from '../contract/content.ts';

/** Languages of a site ("marketplaceId-accountId") as choices; none before one is chosen. */
export function localeOptions(site: string | undefined): { value: string; label: string }[] {
  if (!site) return [];
  const country = countryOf(site.slice(0, site.indexOf('-')));
  return localesOf(country).map((locale) => ({ value: locale, label: locale }));
}
