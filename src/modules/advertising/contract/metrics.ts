import { z } from 'zod';
import { Choice, Currency, Day, Decimal, Money, Quantity, Rate, States, Store } from '#kit/contract/field.ts';
import { choice, RowKey, word } from '#modules/inventory/contract/facts.ts';
import { Site } from '#modules/listing/contract.ts';

const count = (title: string, width = 84, extra: object = {}) => Quantity.meta({ title, width, ...extra });
const amount = (title: string, extra: object = {}) =>
  Money.nullable().meta({ title, currency: 'currency', width: 104, ...extra });
const share = (title: string, tip: string) => Rate.nullable().meta({ title, width: 84, tip });

/**
 * Figures of any list of advertising: sums of the days asked for, ratios of those sums; null where there is nothing to
 * divide by. Orders are dated to the click or showing that they followed: of Sponsored Products within seven days of the
 * click, of brands and display within fourteen, and of campaigns that pay showings those after a showing too.
 */
export const metrics = {
  impressions: count('曝光量', 92),
  views: count('可见曝光量', 92, { optional: true, tip: '品牌推广与展示型推广中实际可见的曝光' }),
  clicks: count('点击量'),
  ctr: share('点击率', '点击量 ÷ 曝光量'),
  cost: amount('花费'),
  cpc: amount('每次点击', { width: 92, tip: '花费 ÷ 点击量' }),
  adOrders: count('广告订单', 84, {
    tip: '点击后的订单，记在点击当天：商品推广 7 天，品牌与展示型推广 14 天，按展示付费的含浏览后',
  }),
  adUnits: count('广告销量', 84, { optional: true }),
  adSales: amount('广告销售额', {
    tip: '点击后的销售额，记在点击当天：商品推广 7 天，品牌与展示型推广 14 天，按展示付费的含浏览后',
  }),
  sameSales: amount('本商品销售额', { optional: true }),
  otherSales: amount('其他商品销售额', { optional: true, width: 116 }),
  cvr: share('转化率', '广告订单 ÷ 点击量'),
  acos: share('ACoS', '花费 ÷ 广告销售额'),
  roas: Decimal.nullable().meta({ title: 'ROAS', width: 76, tip: '广告销售额 ÷ 花费' }),
  cpa: amount('订单成本', { optional: true, width: 92, tip: '花费 ÷ 广告订单' }),
  currency: Currency.meta({ title: '币种', optional: true }),
};

/** States in Amazon's words; one that is not known is shown as it is written. */
export const AD_STATES = {
  ENABLED: { title: '投放中', tone: 'done' },
  PAUSED: { title: '已暂停', tone: 'waiting' },
  ARCHIVED: { title: '已归档', tone: 'off' },
  GONE: { title: '已移除', tone: 'off' },
} as const;

export const AdState = States(AD_STATES);
export const COST_TYPES = { CPC: choice('按点击'), VCPM: choice('按千次展示') };
export const TARGETINGS = { AUTO: choice('自动'), MANUAL: choice('手动') };

/** What a campaign advertises with. */
export const AD_PRODUCTS = {
  SP: choice('商品推广'),
  SB: choice('品牌推广'),
  SD: choice('展示型推广'),
};
export const AdProduct = Choice({ SP: '商品推广', SB: '品牌推广', SD: '展示型推广' }, '广告类型');

/** Where ads are shown, in Amazon's words; one that is not known is shown as it is written. */
export const PLACEMENTS = {
  'Top of Search on-Amazon': choice('搜索结果顶部'),
  'Other on-Amazon': choice('搜索结果其余位置'),
  'Detail Page on-Amazon': choice('商品页面'),
  'Home on-Amazon': choice('亚马逊首页'),
  'Off Amazon': choice('亚马逊站外'),
};

/** How a target matches: keywords, automatic clauses, products. */
export const MATCHES = {
  EXACT: choice('精确'),
  PHRASE: choice('词组'),
  BROAD: choice('广泛'),
  QUERY_HIGH_REL_MATCHES: choice('紧密匹配'),
  QUERY_BROAD_REL_MATCHES: choice('宽泛匹配'),
  ASIN_SUBSTITUTE_RELATED: choice('同类商品'),
  ASIN_ACCESSORY_RELATED: choice('关联商品'),
  ASIN_SAME_AS: choice('商品'),
  ASIN_CATEGORY_SAME_AS: choice('品类'),
  VIEWS: choice('浏览过的受众'),
  PURCHASES: choice('购买过的受众'),
  AUDIENCE: choice('受众'),
  NEGATIVE_EXACT: choice('否定精确'),
  NEGATIVE_PHRASE: choice('否定词组'),
};

export const Matching = word('匹配', MATCHES, 92);
export const State = z.string().meta({ title: '状态', kind: 'state', states: AD_STATES, width: 90 });
export const Bid = amount('竞价', { width: 88 });

/** What every row says of its place. */
export const place = {
  id: RowKey,
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  adProduct: word('广告类型', AD_PRODUCTS, 92),
};
export const inCampaign = {
  campaign: z.string().meta({ title: '广告活动', width: 170 }),
  adGroup: z.string().meta({ title: '广告组', width: 170, optional: true }),
};

const Days = z
  .object({ from: Day.optional(), to: Day.optional() })
  .refine(({ from, to }) => from === undefined || to === undefined || from <= to, '结束日期不能早于开始日期');

/** Filters that all these lists have. */
export const filters = {
  dates: Days.meta({ title: '日期', kind: 'date' }),
  sites: z.array(Site).max(200).meta({ title: '店铺/站点' }),
  products: z.array(AdProduct).max(3).meta({ title: '广告类型' }),
  campaign: z.uuid().meta({ title: '广告活动', kind: 'choice' }),
};
export const states = z.array(AdState).max(4).meta({ title: '状态' });
