import { useMemo } from 'react';
import { useCall } from '#kit/web/api/index.ts';
import type { FilterOption } from '#kit/web/list/index.ts';
import { marketplaceOf, REGION_NAMES } from '#modules/marketplace/contract/marketplaces.ts';
import { authMarketplace } from '#modules/marketplace/contract/stores.ts';

interface Choices {
  accountIds: FilterOption[];
  marketplaceIds: FilterOption[];
}

/** "ATVPDKIKX0DER-<account>" and "【US】远航" of the authorised sites, as the two filters that orders have. */
function choicesOf(sites: readonly { value: string; label: string }[]): Choices {
  const accounts = new Map<string, string>();
  const marketplaces = new Map<string, string>();
  for (const { value, label } of sites) {
    const at = value.indexOf('-');
    const [marketplaceId, accountId] = [value.slice(0, at), value.slice(at + 1)];
    const site = marketplaceOf(marketplaceId);
    const store = label.replace(/^【[^】]*】/, '');
    accounts.set(accountId, site ? `${store}（${REGION_NAMES[site.region]}）` : store);
    marketplaces.set(marketplaceId, site ? `${site.country} ${site.name}` : marketplaceId);
  }
  const list = (map: Map<string, string>) => [...map].map(([value, label]) => ({ value, label }));
  return { accountIds: list(accounts), marketplaceIds: list(marketplaces) };
}

/** Choices of the store and site filters; empty while they load. */
export function useOrderOptions(): Choices & Record<string, FilterOption[]> {
  const { data } = useCall(authMarketplace, {}, { staleTime: 300_000 });
  return useMemo(() => ({ ...choicesOf(data ?? []) }), [data]);
}
