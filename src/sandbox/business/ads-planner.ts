/** What the plans of advertising are made with: ids, names, prices, and the entities of a campaign. */
import { hash } from 'node:crypto';
import type { SimAdCampaign, SimAdGroup, SimAdNegative, SimAdProduct, SimAdTarget, SimProductAd } from './ads-types.ts';
import { formatMinor } from './amounts.ts';
import { Dice } from './draws.ts';
import { DAY, localDate } from './marketplaces.ts';
import type { AdLine, AdPlan, Lane, Shop } from './model.ts';

/** A click costs about so much of the product's price. */
const BID_SHARE = 0.045;

/** Eighteen digits without a leading zero, the same for ever. */
function idOf(shop: Shop, ...parts: string[]): string {
  const { seed, account, market } = shop;
  const digest = hash(
    'sha256',
    [seed, account.sellingPartnerId, market.countryCode, 'ad', ...parts].join('|'),
    'buffer',
  );
  return String(100_000_000_000_000_000n + (digest.readBigUInt64BE(0) % 900_000_000_000_000_000n));
}

/** Words of a product's title in the marketplace's language, without brand, size and punctuation. */
export function wordsOf(lane: Lane, language: string): string[] {
  const { titles, brand } = lane.product;
  const title = (titles[language] ?? titles.en ?? '').replace(brand, '');
  return title
    .toLowerCase()
    .split(/[\s,、，]+/)
    .filter((word) => word !== '' && !/\d/.test(word))
    .slice(0, 8);
}

/** Gathers the entities of a shop's campaigns. */
export class Planner {
  readonly plan: AdPlan = {
    campaigns: [],
    adGroups: [],
    ads: [],
    targets: [],
    negatives: [],
    lines: [],
    changes: [],
    budgets: new Map(),
    bids: new Map(),
    paused: new Set(),
  };
  readonly #shop: Shop;

  constructor(shop: Shop) {
    this.#shop = shop;
  }

  money(minor: number): string {
    return formatMinor(minor, this.#shop.market.currency);
  }

  /** A campaign with its one group; its product stands before the first hyphen of its name. */
  campaign(
    name: string,
    targetingType: SimAdCampaign['targetingType'],
    { state = 'ENABLED', costType = 'CPC' }: Partial<Pick<SimAdCampaign, 'state' | 'costType'>> = {},
  ): Home {
    const adProduct = name.split('-')[0] as SimAdProduct;
    const shop = this.#shop;
    const dice = new Dice(shop.seed, shop.account.sellingPartnerId, `campaign:${shop.market.countryCode}:${name}`);
    const createdAt = shop.startAt - dice.int(10, 200) * DAY;
    const campaign: SimAdCampaign = {
      adProduct,
      costType,
      campaignId: idOf(shop, 'campaign', name),
      name,
      targetingType,
      state,
      budget: '0',
      startDate: localDate(shop.market.timeZone, createdAt),
      strategy: dice.pick(['LEGACY_FOR_SALES', 'AUTO_FOR_SALES', 'MANUAL'] as const),
      topOfSearchPercent: dice.pick([0, 0, 20, 50]),
      createdAt,
    };
    const adGroup: SimAdGroup = {
      adProduct,
      adGroupId: idOf(shop, 'group', name),
      campaignId: campaign.campaignId,
      name: `${name}-01`,
      defaultBid: '0',
      state: 'ENABLED',
    };
    this.plan.campaigns.push(campaign);
    this.plan.adGroups.push(adGroup);
    return { campaign, adGroup };
  }

  ad({ campaign, adGroup }: Home, lane: Lane): SimProductAd {
    const { sku, asin } = lane.product;
    const { adGroupId } = adGroup;
    const { campaignId } = campaign;
    const adId = idOf(this.#shop, 'ad', adGroupId, sku);
    const { adProduct } = campaign;
    const ad: SimProductAd = {
      ...{ adProduct, adId, adGroupId, campaignId, name: '', sku, asin, asins: [asin] },
      state: 'ENABLED',
    };
    this.plan.ads.push(ad);
    return ad;
  }

  /** An ad of Sponsored Brands, which has a name and shows several products. */
  brandAd(home: Home, lanes: readonly [Lane, ...Lane[]], name: string): SimProductAd {
    const ad = this.ad(home, lanes[0]);
    ad.name = name;
    ad.asins = lanes.map(({ product }) => product.asin);
    return ad;
  }

  target({ campaign, adGroup }: Home, what: Pick<SimAdTarget, 'match' | 'clause' | 'text'>, bid: number): SimAdTarget {
    const { adGroupId } = adGroup;
    const target: SimAdTarget = {
      adProduct: campaign.adProduct,
      targetId: idOf(this.#shop, 'target', adGroupId, what.match ?? what.clause ?? '', what.text ?? ''),
      adGroupId,
      campaignId: campaign.campaignId,
      ...what,
      bid: this.money(bid),
      state: 'ENABLED',
    };
    this.plan.targets.push(target);
    this.plan.bids.set(target.targetId, bid);
    return target;
  }

  negative({ campaign, adGroup }: Home, what: Pick<SimAdNegative, 'match' | 'asin' | 'text'>, whole: boolean): void {
    const { campaignId } = campaign;
    const scope = whole ? campaignId : adGroup.adGroupId;
    this.plan.negatives.push({
      adProduct: campaign.adProduct,
      negativeId: idOf(this.#shop, 'negative', scope, what.text ?? what.asin ?? ''),
      campaignId,
      ...(whole ? {} : { adGroupId: adGroup.adGroupId }),
      ...what,
      state: 'ENABLED',
    });
  }

  line(
    home: Home,
    ad: SimProductAd,
    target: SimAdTarget,
    line: Pick<AdLine, 'lanes' | 'weight' | 'bid' | 'terms'>,
  ): void {
    this.plan.lines.push({ ...home, ad, target, ...line });
  }
}

export interface Home {
  campaign: SimAdCampaign;
  adGroup: SimAdGroup;
}

/** Highest price of a click for a product, minor units. */
export const bidOf = (lane: Lane): number => Math.max(2, Math.round(lane.refPrice * BID_SHARE));
