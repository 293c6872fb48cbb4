import { sql } from 'kysely';
import { expect } from 'vitest';
import { Decimal } from '#kit/contract/decimal.ts';
import { adsBind, adsBindUrl } from '#modules/marketplace/contract/ads.ts';
import type { Region } from '#sandbox/business/types.ts';
import type { Sandbox } from '#sandbox/index.ts';
import { agree, type MarketplaceWorld } from './marketplace.ts';
import { PATIENCE_MS } from './patience.ts';
import type { Person, World } from './world.ts';

/**
 * "marketplace product campaign" to "impressions/clicks/cost/orders/sales": orders and sales as the marketplace shows them
 * first, of Sponsored Products within seven days of the click, of the others within fourteen, and where showings are paid
 * those after a showing too.
 */
export type AdFigures = Record<string, string>;

const GRAINS = ['campaign_day', 'product_day', 'target_day', 'placement_day'] as const;
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
      SELECT d.marketplace_id || ' ' || d.ad_product || ' ' || d.campaign_id AS key,
             concat_ws('/', sum(impressions), sum(clicks), sum(cost)::numeric(18,2),
                       sum(CASE d.ad_product WHEN 'SP' THEN orders_7d ELSE orders_14d END)
                         + coalesce(sum(view_orders) FILTER (WHERE cost_type = 'VCPM'), 0),
                       (sum(CASE d.ad_product WHEN 'SP' THEN sales_7d ELSE sales_14d END)
                         + coalesce(sum(view_sales) FILTER (WHERE cost_type = 'VCPM'), 0))::numeric(18,2)) AS value
        FROM ${sql.table(`advertising.${grain}`)} AS d
        JOIN advertising.campaign AS c USING (company_id, profile_id, ad_product, campaign_id)
       WHERE d.company_id = ${ctx.companyId} AND d.account_id = ${accountId} GROUP BY 1`.execute(ctx.db);
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
      figures[`${marketplaceId} ${one.adProduct} ${one.campaignId}`] =
        `${one.impressions}/${one.clicks}/${money(one.cost)}/${one.purchases}/${money(one.sales)}`;
    }
  }
  return figures;
}

/** What a grain tells of the truth: placements are not told of display. */
export function atGrain(truth: AdFigures, grain: AdGrain): AdFigures {
  if (grain !== 'placement_day') return truth;
  return Object.fromEntries(Object.entries(truth).filter(([key]) => !key.includes(' SD ')));
}

/** Waits until the product's books of advertising are the marketplace's, in each of their grains. A worker must be running. */
export async function expectAds(
  world: MarketplaceWorld,
  person: Person,
  accountId: string,
  seller: string,
): Promise<void> {
  const truth = adTruth(world.sandbox, seller, 'na');
  expect(Object.keys(truth).length).toBeGreaterThan(0);
  for (const grain of GRAINS) {
    await expect
      .poll(() => adFigures(world, person, accountId, grain), { timeout: PATIENCE_MS, interval: 250 })
      .toEqual(atGrain(truth, grain));
  }
}

/** Consents to the advertising of a region for a store, as a seller would; returns the connection's id. */
export async function connectAds(owner: Person, groupid: string, seller: string, region: Region = 'na') {
  const address = await owner.call(adsBindUrl, { query: { groupid, region } });
  const back = await agree(address, seller);
  const part = (name: string) => back?.searchParams.get(name) ?? '';
  return (await owner.call(adsBind, { body: { state: part('state'), code: part('code') } })).id;
}
