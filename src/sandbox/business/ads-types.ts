/**
 * Advertising (Sponsored Products, Brands and Display) as the business shows it to the wire. Ids are texts of 18 digits, beyond what a binary number
 * keeps exactly, as real ones may be. Money is a decimal string in the marketplace's currency.
 */

export type SimAdState = 'ENABLED' | 'PAUSED' | 'ARCHIVED';
/** Sponsored Products, Sponsored Brands, Sponsored Display. */
export type SimAdProduct = 'SP' | 'SB' | 'SD';

export interface SimAdCampaign {
  adProduct: SimAdProduct;
  /** What is paid for: clicks, or a thousand showings that could be seen. */
  costType: 'CPC' | 'VCPM';
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
  adProduct: SimAdProduct;
  adGroupId: string;
  campaignId: string;
  name: string;
  defaultBid: string;
  state: SimAdState;
}

/** A product's ad; one of Sponsored Brands shows several products, and `sku` and `asin` are the first one's. */
export interface SimProductAd {
  adProduct: SimAdProduct;
  adId: string;
  adGroupId: string;
  campaignId: string;
  /** What the seller calls it; '' where ads have no name. */
  name: string;
  sku: string;
  asin: string;
  /** All that it shows. */
  asins: string[];
  state: SimAdState;
}

export type SimAdMatch = 'EXACT' | 'PHRASE' | 'BROAD';
/** Clauses of automatic targeting, and what a manual one may name. */
export type SimAdClause =
  | 'QUERY_HIGH_REL_MATCHES'
  | 'QUERY_BROAD_REL_MATCHES'
  | 'ASIN_SUBSTITUTE_RELATED'
  | 'ASIN_ACCESSORY_RELATED'
  | 'ASIN_SAME_AS'
  /** Who looked at products like the advertised one. */
  | 'VIEWS';

/** A keyword (`match` and `text`), or a clause (`clause`, and `text` where it names an ASIN). */
export interface SimAdTarget {
  adProduct: SimAdProduct;
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
  adProduct: SimAdProduct;
  negativeId: string;
  campaignId: string;
  /** Undefined: of the whole campaign. */
  adGroupId?: string;
  match?: 'NEGATIVE_EXACT' | 'NEGATIVE_PHRASE';
  asin?: string;
  text?: string;
  state: SimAdState;
}

export const AD_PLACEMENTS = ['Top of Search on-Amazon', 'Other on-Amazon', 'Detail Page on-Amazon'] as const;
/** Where ads are shown, in the report's words. */
export type SimAdPlacement = (typeof AD_PLACEMENTS)[number];

/** What somebody changed; who it was is not told. */
export interface SimAdChange {
  at: number;
  adProduct: SimAdProduct;
  entityType: 'CAMPAIGN' | 'KEYWORD' | 'PRODUCT_TARGETING';
  entityId: string;
  campaignId: string;
  /** Undefined for a campaign's. */
  adGroupId?: string;
  changeType: 'BUDGET_AMOUNT' | 'BID_AMOUNT' | 'STATUS';
  previousValue: string;
  newValue: string;
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

/** Pieces of one product that were sold after an ad of Sponsored Brands. */
export interface SimAdPurchase {
  asin: string;
  /** Whether the ad showed it. */
  promoted: boolean;
  orders: number;
  units: number;
  sales: string;
}

/** One ad under one target and one search term on one business day, as known at the instant asked for. */
export interface SimAdRow {
  day: string;
  campaign: SimAdCampaign;
  adGroup: SimAdGroup;
  ad: SimProductAd;
  target: SimAdTarget;
  term: string;
  placement: SimAdPlacement;
  impressions: number;
  /** Showings that could be seen; 0 for Sponsored Products, which do not tell. */
  views: number;
  clicks: number;
  cost: string;
  /** After a click. */
  within: Record<SimAdWindow, SimAdSales>;
  /** Within 14 days after a showing without a click, of what is paid by showings. */
  viewed: SimAdSales;
  /** By product, within 14 days after a click; of Sponsored Brands only. */
  purchased: SimAdPurchase[];
}

/** What a campaign's report must add up to over the days asked for. */
export interface TruthCampaign {
  adProduct: SimAdProduct;
  campaignId: string;
  name: string;
  impressions: number;
  clicks: number;
  cost: string;
  /**
   * What the marketplace shows first: of Sponsored Products within seven days of the click, of the others within
   * fourteen, and of what is paid by showings those after a showing too.
   */
  purchases: number;
  sales: string;
}
