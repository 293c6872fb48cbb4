/** What is set up in a profile, in one shape for the three products. Ids are texts, states and matches in capitals. */

export type AdProduct = 'SP' | 'SB' | 'SD';

export interface CampaignFact {
  campaignId: string;
  name: string;
  state: string;
  /** AUTO or MANUAL. */
  targeting: string;
  costType: 'CPC' | 'VCPM';
  /** A day's, in the currency of the profile. */
  budget: string | number | null;
  strategy: string;
  /** Added to bids by placement, percent. */
  topPercent: number;
  restPercent: number;
  pagePercent: number;
  /** YYYY-MM-DD. */
  startDate: string | null;
  endDate: string | null;
  portfolioId: string;
  servingStatus: string;
}

export interface AdGroupFact {
  adGroupId: string;
  campaignId: string;
  name: string;
  state: string;
  defaultBid: string | number | null;
}

/** The ad of a product, or of several under a name. */
export interface AdFact {
  adId: string;
  adGroupId: string;
  campaignId: string;
  name: string;
  sku: string;
  asin: string;
  asins: readonly string[];
  state: string;
}

/** A target of any kind, positive or negative. */
export interface TargetFact {
  targetId: string;
  campaignId: string;
  adGroupId: string;
  negative: boolean;
  matchType: string;
  text: string;
  state: string;
  bid: string | number | null;
}

/** Everything that is set up in a profile for one product. */
export interface Structure {
  product: AdProduct;
  campaigns: CampaignFact[];
  adGroups: AdGroupFact[];
  ads: AdFact[];
  targets: TargetFact[];
}

/** "negativeExact", as older calls write it, as NEGATIVE_EXACT. */
export function capitals(words: string): string {
  return words.replaceAll(/([a-z\d])([A-Z])/g, '$1_$2').toUpperCase();
}
