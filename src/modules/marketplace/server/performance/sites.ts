import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '../../contract/marketplaces.ts';
import type { Metric, MetricState, ShownMetric, Standing } from '../../contract/performance.ts';
import { alertOf } from './alert.ts';
import { shownOf } from './show.ts';

const RANK: Record<MetricState, number> = { none: 0, good: 1, warning: 2, bad: 3 };

/** How a site stands as of its last report. */
export interface SiteStanding {
  accountId: string;
  storeId: string;
  store: string;
  marketplaceId: string;
  country: string;
  standing: Standing;
  /** The worst state of its metrics; none before the first report. */
  state: MetricState;
  /** YYYY-MM-DD of the site; null before the first report. */
  day: string | null;
  metrics: ShownMetric[];
}

interface Row {
  storeId: string;
  store: string;
  accountId: string;
  marketplaceId: string;
  day: string | null;
  standing: Standing | null;
  metrics: Metric[] | null;
}

/** Every site that is on, of accounts that may be read, with what its last performance report says. */
export async function siteStandings(ctx: Ctx): Promise<SiteStanding[]> {
  const alert = await alertOf(ctx);
  const { rows } = await sql<Row>`
    SELECT s.id AS "storeId", s.name AS store, a.id AS "accountId", m.marketplace_id AS "marketplaceId", h.day, h.standing, h.metrics
      FROM marketplace.seller_account AS a
      JOIN marketplace.store AS s ON s.company_id = a.company_id AND s.id = a.store_id AND s.deleted_at IS NULL
      JOIN marketplace.seller_marketplace AS m
        ON m.company_id = a.company_id AND m.account_id = a.id AND m.is_participating AND m.enabled
      LEFT JOIN LATERAL (SELECT day, standing, metrics FROM marketplace.health_snapshot AS h
                          WHERE h.company_id = a.company_id AND h.account_id = a.id
                            AND h.marketplace_id = m.marketplace_id ORDER BY day DESC LIMIT 1) AS h ON true
     WHERE a.company_id = ${ctx.companyId} AND a.status NOT IN ('deleted', 'manual')
     ORDER BY s.sort_index, s.name, m.marketplace_id`.execute(ctx.db);
  return rows.map(({ metrics, standing, ...site }) => {
    const shown = shownOf(metrics ?? [], alert);
    const [worst] = shown.map(({ state }) => state).toSorted((a, b) => RANK[b] - RANK[a]);
    return {
      ...site,
      country: countryOf(site.marketplaceId),
      standing: standing ?? 'UNKNOWN',
      state: worst ?? 'none',
      metrics: shown,
    };
  });
}

/** The same for the pickers of the page. */
export async function performanceSites(ctx: Ctx) {
  return (await siteStandings(ctx)).map(({ storeId, store, accountId, marketplaceId, country, state }) => ({
    groupid: storeId,
    store,
    authid: accountId,
    marketplaceid: marketplaceId,
    country,
    state,
  }));
}
