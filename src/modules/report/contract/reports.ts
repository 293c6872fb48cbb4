import { z } from 'zod';
import { compared } from '#kit/contract/compare.ts';
import { Day, Money, OptionalText, Quantity, Rate, States, Store } from '#kit/contract/field.ts';
import {
  choice,
  code,
  comparedOf,
  comparing,
  goods,
  goodsFilter,
  listOf,
  pieces,
  RowKey,
  word,
} from '#modules/inventory/contract/facts.ts';

const MAY = { view: 'amz:traffic:view', export: 'amz:traffic:export' };
const TAX = { view: 'fin:vat:view', export: 'fin:vat:export' };
const TALK = { view: 'cs:feedback:view', export: 'cs:feedback:export' };

const currency = z.string().meta({ title: '币种', hidden: true });
const amount = (title: string) => Money.nullable().meta({ title, currency: 'currency', width: 110 });
const date = Day.meta({ title: '日期', width: 100, tip: '站点当地日期' });
const store = Store.meta({ title: '店铺', kind: 'store', width: 130 });
const { dates, sites, skus } = goodsFilter;

export const TrafficLevel = States(
  {
    sku: { title: 'SKU', tone: 'off' },
    child: { title: '子ASIN', tone: 'off' },
    parent: { title: '父ASIN', tone: 'off' },
    site: { title: '站点', tone: 'off' },
  },
  '统计维度',
);

export const TrafficRow = z.object({
  ...goods,
  level: TrafficLevel.meta({ width: 84 }),
  sessions: pieces('访问次数', 90),
  browserSessions: pieces('浏览器访问', 96).meta({ optional: true }),
  appSessions: pieces('APP访问', 90).meta({ optional: true }),
  pageViews: pieces('浏览次数', 90),
  featured: Rate.nullable().meta({ title: '购物车比例', width: 100, tip: '推荐报价展示在前的浏览占比' }),
  units: pieces('销量'),
  unitsB2B: pieces('B2B销量').meta({ optional: true }),
  items: pieces('订单项'),
  conversion: Rate.nullable().meta({ title: '商品转化率', width: 100, tip: '销量 ÷ 访问次数' }),
  trafficSales: amount('销售额'),
  salesB2B: amount('B2B销售额').meta({ optional: true }),
  currency,
  parentAsin: code('父ASIN', 120).meta({ optional: true }),
});
export type TrafficRow = z.infer<typeof TrafficRow>;

export const TrafficFilter = z.object({
  view: comparing.view,
  dates,
  sites,
  level: TrafficLevel.meta({ title: '统计维度（默认SKU）' }),
  keyword: OptionalText(100, 'SKU/ASIN'),
  skus,
});
const AnyTrafficFilter = TrafficFilter.partial();
export type TrafficFilter = z.infer<typeof AnyTrafficFilter>;

export const traffic = listOf({
  title: '流量报表',
  path: '/amazon/api/v1/report/traffic',
  row: TrafficRow,
  filter: TrafficFilter,
  may: MAY,
  sortable: ['day', 'product', 'sessions', 'pageViews', 'featured', 'units', 'items', 'conversion', 'trafficSales'],
});

/** A product's visits and sales of a period beside those of another one; amounts in the site's currency. */
export const TrafficSumRow = z.object({
  id: RowKey,
  product: goods.product,
  store: goods.store,
  ...compared('sessions', pieces('访问次数', 90)),
  ...compared('pageViews', pieces('浏览次数', 90)),
  ...compared('featured', Rate.meta({ title: '购物车比例', width: 100, tip: 'Σ(购物车比例 × 浏览次数) ÷ Σ浏览次数' })),
  ...compared('units', pieces('销量')),
  ...compared('items', pieces('订单项')),
  ...compared('conversion', Rate.meta({ title: '商品转化率', width: 100, tip: 'Σ销量 ÷ Σ访问次数' })),
  ...compared('trafficSales', Money.meta({ title: '销售额', currency: 'currency', width: 110 })),
  currency,
});
export type TrafficSumRow = z.infer<typeof TrafficSumRow>;

export const TrafficSumFilter = z.object({ ...TrafficFilter.shape, ...comparing });
const AnyTrafficSumFilter = TrafficSumFilter.partial();
export type TrafficSumFilter = z.infer<typeof AnyTrafficSumFilter>;

export const trafficSums = comparedOf({
  title: '流量汇总对比',
  path: '/amazon/api/v1/report/trafficSum',
  row: TrafficSumRow,
  filter: TrafficSumFilter,
  may: MAY,
});

export const FeedbackRow = z.object({
  id: RowKey,
  day: date,
  store,
  rating: z.int().meta({ title: '星级', kind: 'integer', width: 70 }),
  orderId: code('订单号', 180),
  comments: z.string().meta({ title: '评论', width: 380 }),
  response: z.string().meta({ title: '我方回复', width: 300 }),
});
export type FeedbackRow = z.infer<typeof FeedbackRow>;

export const FeedbackFilter = z.object({
  dates,
  sites,
  bad: z.stringbool().meta({ title: '只看差评', kind: 'boolean' }),
  keyword: OptionalText(100, '订单号/评论'),
});
const AnyFeedbackFilter = FeedbackFilter.partial();
export type FeedbackFilter = z.infer<typeof AnyFeedbackFilter>;

export const feedback = listOf({
  title: '卖家反馈',
  path: '/amazon/api/v1/report/feedback',
  row: FeedbackRow,
  filter: FeedbackFilter,
  may: TALK,
  sortable: ['day', 'rating'],
});

/** Kinds of movement as the report names them; one that is not known is shown as it is written. */
export const VAT_KINDS = {
  SALE: choice('销售'),
  REFUND: choice('退款'),
  RETURN: choice('退货'),
  FC_TRANSFER: choice('仓间调拨'),
  INBOUND: choice('入库'),
};
const COLLECTORS = { MARKETPLACE: choice('平台代缴'), SELLER: choice('卖家自缴') };

export const VatRow = z.object({
  ...goods,
  kind: word('类型', VAT_KINDS, 90),
  orderId: code('订单号', 180),
  quantity: pieces('数量', 70),
  net: amount('不含税'),
  vatRate: Rate.nullable().meta({ title: '税率', width: 80 }),
  vat: amount('税额'),
  gross: amount('含税'),
  currency,
  from: code('发出国', 76),
  to: code('到达国', 76),
  jurisdiction: code('纳税地', 90).meta({ optional: true }),
  collector: word('缴税方', COLLECTORS, 96),
  invoice: code('发票号', 130).meta({ optional: true }),
  program: z.string().meta({ title: '项目', width: 90, optional: true }),
});
export type VatRow = z.infer<typeof VatRow>;

export const VatFilter = z.object({
  dates,
  sites,
  kinds: z.array(z.string().max(60)).max(20).meta({ title: '类型', kind: 'choice' }),
  keyword: OptionalText(100, 'SKU/ASIN/订单号'),
});
const AnyVatFilter = VatFilter.partial();
export type VatFilter = z.infer<typeof AnyVatFilter>;

export const vat = listOf({
  title: 'VAT交易',
  path: '/amazon/api/v1/report/vat',
  row: VatRow,
  filter: VatFilter,
  may: TAX,
  sortable: ['day', 'product', 'quantity', 'net', 'vat', 'gross'],
});

export const TermRow = z.object({
  id: RowKey,
  day: Day.meta({ title: '周（周日起）', width: 110 }),
  store,
  term: z.string().meta({ title: '搜索词', width: 220 }),
  rank: Quantity.meta({ title: '搜索热度排名', width: 110, tip: '数字越小搜索越多' }),
  clickRank: Quantity.meta({ title: '点击名次', width: 90 }),
  asin: code('被点击ASIN', 120),
  mine: z.boolean().meta({ title: '自己的商品', kind: 'boolean', width: 100 }),
  itemName: z.string().meta({ title: '商品名称', width: 280 }),
  clickShare: Rate.meta({ title: '点击份额', width: 90 }),
  conversionShare: Rate.meta({ title: '转化份额', width: 90 }),
  department: z.string().meta({ title: '类目', width: 130, optional: true }),
});
export type TermRow = z.infer<typeof TermRow>;

export const TermFilter = z.object({
  dates,
  sites,
  term: OptionalText(100, '搜索词'),
  asin: OptionalText(20, 'ASIN'),
  mine: z.stringbool().meta({ title: '只看自己的商品', kind: 'boolean' }),
});
const AnyTermFilter = TermFilter.partial();
export type TermFilter = z.infer<typeof AnyTermFilter>;

export const searchTerms = listOf({
  title: '品牌分析搜索词',
  path: '/amazon/api/v1/report/searchTerm',
  row: TermRow,
  filter: TermFilter,
  may: MAY,
  sortable: ['day', 'rank', 'clickShare', 'conversionShare'],
});
