import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import type { MetricState } from '#modules/marketplace/contract/performance.ts';
import { type SiteStanding, siteStandings } from '#modules/marketplace/server/index.ts';
import type { performance } from '../contract/cards.ts';
import type { HomeFilter } from '../contract.ts';

/** What the card shows of a report, in this order. */
const SHOWN = [
  'orderDefectRate.afn',
  'orderDefectRate.mfn',
  'lateShipmentRate',
  'preFulfillmentCancellationRate',
  'validTrackingRate',
  'onTimeDeliveryRate',
  'invoiceDefectRate',
];

const RANK: Record<MetricState, number> = { bad: 3, warning: 2, good: 1, none: 0 };

function violationsOf({ metrics }: SiteStanding): number | null {
  const counted = metrics.filter(({ card, kind, value }) => card === 'policy' && kind === 'count' && value !== null);
  return counted.length === 0 ? null : counted.reduce((total, { value }) => total + Number(value), 0);
}

/** How the sites of the filter stand as of their last reports, the worst first; targets are those of the reports. */
export async function performanceOf(ctx: Ctx, filter: HomeFilter): Promise<Reply<typeof performance>> {
  if (!can(ctx, 'amz:performance:view')) return null;
  const among = (ids: readonly string[], id: string) => ids.length === 0 || ids.includes(id);
  const sites = (await siteStandings(ctx)).filter(
    (site) => among(filter.accountIds, site.accountId) && among(filter.marketplaceIds, site.marketplaceId),
  );
  return {
    sites: sites
      .toSorted((a, b) => RANK[b.state] - RANK[a.state])
      .map((site) => ({
        accountId: site.accountId,
        storeId: site.storeId,
        marketplaceId: site.marketplaceId,
        store: { name: site.store, country: site.country },
        standing: site.standing,
        state: site.state,
        day: site.day,
        metrics: SHOWN.flatMap((key) => {
          const found = site.metrics.find((metric) => metric.key === key);
          if (!found || found.value === null) return [];
          const { title, kind, value, target, condition, state } = found;
          return [{ key, title, kind, value, target, condition, state }];
        }),
        violations: violationsOf(site),
      })),
  };
}
