/**
 * Sponsored Products as the business shows them to the wire. Ids are texts of 18 digits, beyond what a binary number
 * keeps exactly, as real ones may be. Money is a decimal string in the marketplace's currency.
 */

export type SimAdState = 'ENABLED' | 'PAUSED' | 'ARCHIVED';

export interface SimAdCampaign {
  campaignId: string;
  name: string;
  targetingType: 'AUTO' | 'MANUAL';
  state: SimAdState;
  /** A day's. */
  budget: string;
  /** Business day "yyyy-MM-dd". */
  startDate: string;
  strategy: 'LEGACY_FOR_SALES' | 'AUTO_FOR_SALES' | 'MANUAL';
  /** What is added to a bid at the top of search, percent. */
  topOfSearchPercent: number;
  createdAt: number;
}

export interface SimAdGroup {
  adGroupId: string;
  campaignId: string;
  name: string;
  defaultBid: string;
  state: SimAdState;
}

export interface SimProductAd {
  adId: string;
  adGroupId: string;
  campaignId: string;
  sku: string;
  asin: string;
  state: SimAdState;
}

export type SimAdMatch = 'EXACT' | 'PHRASE' | 'BROAD';
/** Clauses of automatic targeting, and what a manual one may name. */
export type SimAdClause =
  | 'QUERY_HIGH_REL_MATCHES'
  | 'QUERY_BROAD_REL_MATCHES'
  | 'ASIN_SUBSTITUTE_RELATED'
  | 'ASIN_ACCESSORY_RELATED'
  | 'ASIN_SAME_AS';

/** A keyword (`match` and `text`), or a clause (`clause`, and `text` where it names an ASIN). */
export interface SimAdTarget {
  targetId: string;
  adGroupId: string;
  campaignId: string;
  match?: SimAdMatch;
  clause?: SimAdClause;
  text?: string;
  /** Undefined: the group's default. */
  bid?: string;
  state: SimAdState;
}

/** What a campaign or a group shall not be shown for: a keyword, or the ASIN of a product page. */
export interface SimAdNegative {
  negativeId: string;
  campaignId: string;
  /** Undefined: of the whole campaign. */
  adGroupId?: string;
  match?: 'NEGATIVE_EXACT' | 'NEGATIVE_PHRASE';
  asin?: string;
  text?: string;
  state: SimAdState;
}

/** All that a profile has set up. */
export interface SimAdBook {
  campaigns: SimAdCampaign[];
  adGroups: SimAdGroup[];
  ads: SimProductAd[];
  targets: SimAdTarget[];
  negatives: SimAdNegative[];
}

/** What was sold within a window after the click; `same…` of the advertised SKU alone. */
export interface SimAdSales {
  purchases: number;
  units: number;
  sales: string;
  samePurchases: number;
  sameUnits: number;
  sameSales: string;
}

export const AD_WINDOWS = [1, 7, 14, 30] as const;
export type SimAdWindow = (typeof AD_WINDOWS)[number];

/** One product ad under one target and one search term on one business day, as known at the instant asked for. */
export interface SimAdRow {
  day: string;
  campaign: SimAdCampaign;
  adGroup: SimAdGroup;
  ad: SimProductAd;
  target: SimAdTarget;
  term: string;
  impressions: number;
  clicks: number;
  cost: string;
  within: Record<SimAdWindow, SimAdSales>;
}

/** What a campaign's report must add up to over the days asked for. */
export interface TruthCampaign {
  campaignId: string;
  name: string;
  impressions: number;
  clicks: number;
  cost: string;
  /** Within seven days of the click. */
  purchases: number;
  sales: string;
}
