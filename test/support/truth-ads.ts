import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { adsBind, adsBindUrl } from '#modules/marketplace/contract/ads.ts';
import type { Region } from '#sandbox/business/types.ts';
import type { Sandbox } from '#sandbox/index.ts';
import { agree } from './marketplace.ts';
import type { Person, World } from './world.ts';

/** "marketplace campaign" to "impressions/clicks/cost/orders/sales", orders and sales within seven days of the click. */
export type AdFigures = Record<string, string>;

const GRAINS = ['campaign_day', 'product_day', 'target_day'] as const;
export type AdGrain = (typeof GRAINS)[number];

/** The product's sums by campaign over all days, from one of its grains. */
export async function adFigures(
  world: World,
  person: Person,
  accountId: string,
  grain: AdGrain = 'campaign_day',
): Promise<AdFigures> {
  return world.as(person, async (ctx) => {
    const { rows } = await sql<{ key: string; value: string }>`
      SELECT marketplace_id || ' ' || campaign_id AS key,
             concat_ws('/', sum(impressions), sum(clicks), sum(cost)::numeric(18,2), sum(orders_7d),
                       sum(sales_7d)::numeric(18,2)) AS value
        FROM ${sql.table(`advertising.${grain}`)}
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} GROUP BY 1`.execute(ctx.db);
    return Object.fromEntries(rows.map((row) => [row.key, row.value]));
  });
}

/** The marketplace's own sums, which the product never reads. */
export function adTruth(sandbox: Sandbox, sellingPartnerId: string, region: Region): AdFigures {
  const account = sandbox.business.accounts.find((a) => a.sellingPartnerId === sellingPartnerId && a.region === region);
  if (!account) throw new Error(`no account ${sellingPartnerId} in ${region}`);
  const now = sandbox.clock.now();
  const figures: AdFigures = {};
  for (const marketplaceId of account.marketplaceIds) {
    const { ads } = sandbox.business.truth(account, marketplaceId, { from: 0, to: now }, now);
    for (const one of ads) {
      const money = (amount: string): string => new Decimal(amount).toFixed(2);
      figures[`${marketplaceId} ${one.campaignId}`] =
        `${one.impressions}/${one.clicks}/${money(one.cost)}/${one.purchases}/${money(one.sales)}`;
    }
  }
  return figures;
}

/** Consents to the advertising of a region for a store, as a seller would; returns the connection's id. */
export async function connectAds(owner: Person, groupid: string, seller: string, region: Region = 'na') {
  const address = await owner.call(adsBindUrl, { query: { groupid, region } });
  const back = await agree(address, seller);
  const part = (name: string) => back?.searchParams.get(name) ?? '';
  return (await owner.call(adsBind, { body: { state: part('state'), code: part('code') } })).id;
}
