/** What the people of a shop change of its advertising as the weeks go by: bids, budgets, a campaign paused for days. */
import { BUDGET_STEP } from './ads-plan.ts';
import type { SimAdBook, SimAdCampaign, SimAdChange, SimAdTarget } from './ads-types.ts';
import { formatMinor } from './amounts.ts';
import { Dice } from './draws.ts';
import { HOUR } from './marketplaces.ts';
import type { AdPlan, Shop } from './model.ts';

/** Day of a shop's week on which things are changed, and on which a pause ends. */
const CHANGE_DAY = 3;
const RESUME_DAY = 5;
const CHANGED = 0.12;
const PAUSED = 0.05;

type Draft = Pick<SimAdChange, 'changeType' | 'previousValue' | 'newValue'>;

function ofCampaign(campaign: SimAdCampaign, at: number, draft: Draft): SimAdChange {
  const { adProduct, campaignId } = campaign;
  return { at, adProduct, entityType: 'CAMPAIGN', entityId: campaignId, campaignId, ...draft };
}

function resume(plan: AdPlan, at: number): SimAdChange[] {
  const back = plan.campaigns.filter(({ campaignId }) => plan.paused.has(campaignId));
  plan.paused.clear();
  return back.map((campaign) =>
    ofCampaign(campaign, at, { changeType: 'STATUS', previousValue: 'PAUSED', newValue: 'ENABLED' }),
  );
}

function changeCampaign(shop: Shop, plan: AdPlan, campaign: SimAdCampaign, at: number): SimAdChange[] {
  const { campaignId } = campaign;
  const dice = new Dice(shop.seed, shop.account.sellingPartnerId, `change:${campaignId}`, shop.dayCount);
  const money = (minor: number): string => formatMinor(minor, shop.market.currency);
  const changes: SimAdChange[] = [];
  const old = plan.budgets.get(campaignId) ?? 0;
  const wanted = Math.max(5, Math.round((old * dice.between(0.8, 1.3)) / BUDGET_STEP)) * BUDGET_STEP;
  if (dice.chance(CHANGED) && wanted !== old) {
    plan.budgets.set(campaignId, wanted);
    const draft = { changeType: 'BUDGET_AMOUNT', previousValue: money(old), newValue: money(wanted) } as const;
    changes.push(ofCampaign(campaign, at, draft));
  }
  if (dice.chance(PAUSED)) {
    plan.paused.add(campaignId);
    const draft = { changeType: 'STATUS', previousValue: 'ENABLED', newValue: 'PAUSED' } as const;
    changes.push(ofCampaign(campaign, at + HOUR, draft));
  }
  return changes;
}

function changeBid(shop: Shop, plan: AdPlan, target: SimAdTarget, at: number): SimAdChange[] {
  const { adProduct, targetId, campaignId, adGroupId } = target;
  const dice = new Dice(shop.seed, shop.account.sellingPartnerId, `change:${targetId}`, shop.dayCount);
  const old = plan.bids.get(targetId) ?? 0;
  const wanted = Math.max(2, Math.round(old * dice.between(0.85, 1.2)));
  if (!dice.chance(CHANGED) || wanted === old) return [];
  plan.bids.set(targetId, wanted);
  const money = (minor: number): string => formatMinor(minor, shop.market.currency);
  const entityType = target.match === undefined ? 'PRODUCT_TARGETING' : 'KEYWORD';
  const values = { changeType: 'BID_AMOUNT', previousValue: money(old), newValue: money(wanted) } as const;
  return [{ at, adProduct, entityType, entityId: targetId, campaignId, adGroupId, ...values }];
}

/** Makes the changes of a business day that begins at `start`; they hold for the whole day. Call it once a day, in order. */
export function changeAds(shop: Shop, plan: AdPlan, start: number): void {
  const day = shop.dayCount % 7;
  const at = start + 9 * HOUR;
  if (day === RESUME_DAY) plan.changes.push(...resume(plan, at));
  if (day !== CHANGE_DAY) return;
  const running = plan.campaigns.filter(({ state }) => state === 'ENABLED');
  plan.changes.push(
    ...plan.targets.flatMap((target) => changeBid(shop, plan, target, at)),
    ...running.flatMap((campaign) => changeCampaign(shop, plan, campaign, at)),
  );
}

/** Entities as they are set up at `now`, after what was changed until then. */
export function bookAt(plan: AdPlan, now: number): SimAdBook {
  const latest = new Map<string, string>();
  for (const { at, entityId, changeType, newValue } of plan.changes) {
    if (at <= now) latest.set(`${changeType} ${entityId}`, newValue);
  }
  const { adGroups, ads, negatives } = plan;
  return {
    campaigns: plan.campaigns.map((campaign) => ({
      ...campaign,
      budget: latest.get(`BUDGET_AMOUNT ${campaign.campaignId}`) ?? campaign.budget,
      state: (latest.get(`STATUS ${campaign.campaignId}`) ?? campaign.state) as SimAdCampaign['state'],
    })),
    adGroups,
    ads,
    targets: plan.targets.map((target) => {
      const bid = latest.get(`BID_AMOUNT ${target.targetId}`);
      return bid === undefined ? target : { ...target, bid };
    }),
    negatives,
  };
}
