import { z } from 'zod';
import { compared } from '#kit/contract/compare.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Day, Instant, Money, OptionalText, Product, Rate, States, Store } from '#kit/contract/field.ts';
import {
  choice,
  code,
  comparedOf,
  comparing,
  goodsFilter,
  listOf,
  pieces,
  RowKey,
  word,
} from '#modules/inventory/contract/facts.ts';

const MAY = { view: 'amz:promotion:view', export: 'amz:promotion:export' };
const BASE = '/amazon/api/v1/report';

const currency = z.string().meta({ title: '币种', hidden: true });
const amount = (title: string, width = 110) => Money.nullable().meta({ title, currency: 'currency', width });
const day = Day.meta({ title: '开始日期', width: 104, tip: '站点当地日期' });
const store = Store.meta({ title: '店铺', kind: 'store', width: 130 });
const ends = Instant.meta({ title: '结束时间', width: 130 });
const dates = goodsFilter.dates.meta({ title: '开始日期', kind: 'date' });
const { sites } = goodsFilter;

/** Where a coupon stands by its times: the report names no state. */
export const CouponState = States({
  upcoming: { title: '未开始', tone: 'waiting' },
  running: { title: '进行中', tone: 'running' },
  ended: { title: '已结束', tone: 'off' },
});

export const CouponRow = z.object({
  id: RowKey,
  name: z.string().meta({ title: '优惠券', width: 220, pinned: 'left' }),
  state: CouponState.meta({ width: 84 }),
  store,
  day,
  ends,
  percentOff: Rate.nullable().meta({ title: '折扣比例', width: 90 }),
  moneyOff: amount('折扣金额', 90).meta({ optional: true }),
  clips: pieces('领取次数', 90),
  redemptions: pieces('兑换次数', 90).meta({ tip: '含后来取消或退货的订单' }),
  redeemed: Rate.nullable().meta({ title: '兑换率', width: 84, tip: '兑换次数 ÷ 领取次数' }),
  budget: amount('预算'),
  spent: amount('花费').meta({ tip: '折扣总额与优惠券费用之和，含后来取消或退货的订单' }),
  used: Rate.nullable().meta({ title: '预算使用率', width: 100, tip: '花费 ÷ 预算' }),
  left: amount('剩余预算').meta({ optional: true }),
  totalDiscount: amount('折扣总额'),
  couponSales: amount('销售额').meta({ tip: '使用优惠券的订单在折扣之后的销售额，含后来取消或退货的订单' }),
  products: pieces('商品数', 80),
  segment: z.string().meta({ title: '目标客户', width: 110, optional: true }),
  message: z.string().meta({ title: '前台显示', width: 200, optional: true }),
  couponId: code('优惠券编号', 150),
  currency,
});
export type CouponRow = z.infer<typeof CouponRow>;

export const CouponFilter = z.object({
  view: comparing.view,
  dates,
  sites,
  state: z.array(CouponState).meta({ title: '状态' }),
  keyword: OptionalText(100, '名称/优惠券编号'),
  asin: OptionalText(20, 'ASIN'),
});
const AnyCouponFilter = CouponFilter.partial();
export type CouponFilter = z.infer<typeof AnyCouponFilter>;

export const coupons = listOf({
  title: '优惠券效果',
  path: `${BASE}/coupon`,
  row: CouponRow,
  filter: CouponFilter,
  may: MAY,
  sortable: [
    'day',
    'ends',
    'clips',
    'redemptions',
    'redeemed',
    'budget',
    'spent',
    'used',
    'totalDiscount',
    'couponSales',
  ],
});

/** Kinds of promotion; one that is not known is shown as it is written. */
export const PROMOTION_KINDS = {
  BEST_DEAL: choice('Best Deal（BD）'),
  LIGHTNING_DEAL: choice('秒杀（LD）'),
  DEAL_OF_THE_DAY: choice('镇店之宝（DOTD）'),
  PRICE_DISCOUNT: choice('价格折扣'),
  SALES_DISCOUNT: choice('促销折扣'),
  COUPON: choice('优惠券'),
  PROMO_CODE: choice('优惠码'),
};

export const PromotionStatus = States({
  APPROVED: { title: '已批准', tone: 'done' },
  PENDING_APPROVAL: { title: '待批准', tone: 'waiting' },
  NEEDS_YOUR_ATTENTION: { title: '需要关注', tone: 'trouble' },
  CANCELED: { title: '已取消', tone: 'off' },
});
const { states } = PromotionStatus.meta() ?? {};

export const PromotionRow = z.object({
  id: RowKey,
  name: z.string().meta({ title: '促销', width: 240, pinned: 'left' }),
  kind: word('促销类型', PROMOTION_KINDS, 130),
  // A status that is new is shown as it is written.
  status: z.string().meta({ title: '状态', kind: 'state', width: 90, ...(states && { states }) }),
  store,
  day,
  ends,
  views: pieces('浏览量', 90).nullable(),
  units: pieces('销量'),
  conversion: Rate.nullable().meta({ title: '转化率', width: 84, tip: '销量 ÷ 浏览量' }),
  promotionSales: amount('销售额'),
  spent: amount('支出').meta({ optional: true, tip: '亚马逊只向供应商账号提供' }),
  products: pieces('商品数', 80),
  createdAt: Instant.nullable().meta({ title: '创建时间', width: 130, optional: true }),
  promotionId: code('促销编号', 150),
  currency,
});
export type PromotionRow = z.infer<typeof PromotionRow>;

export const PromotionFilter = z.object({
  view: comparing.view,
  dates,
  sites,
  kinds: z.array(z.string().max(60)).max(20).meta({ title: '促销类型', kind: 'choice' }),
  status: z.array(PromotionStatus).meta({ title: '状态' }),
  keyword: OptionalText(100, '名称/促销编号'),
  asin: OptionalText(20, 'ASIN'),
});
const AnyPromotionFilter = PromotionFilter.partial();
export type PromotionFilter = z.infer<typeof AnyPromotionFilter>;

export const promotions = listOf({
  title: '促销效果',
  path: `${BASE}/promotion`,
  row: PromotionRow,
  filter: PromotionFilter,
  may: MAY,
  sortable: ['day', 'ends', 'views', 'units', 'conversion', 'promotionSales', 'spent'],
});

/** A product that a coupon or a promotion is for; the figures are those of the promotion alone. */
export const PromotedRow = z.object({
  id: RowKey,
  product: Product.meta({ title: '商品', kind: 'product', width: 300 }),
  views: pieces('浏览量', 84).nullable(),
  units: pieces('销量', 70).nullable(),
  productSales: amount('销售额', 100),
  currency,
});
export type PromotedRow = z.infer<typeof PromotedRow>;

const one = z.object({ id: z.string().max(60).meta({ title: '行' }), day: Day.meta({ title: '开始日期' }) });
const productsOf = (title: string, path: `/${string}`) =>
  endpoint({
    title,
    method: 'GET',
    path,
    permission: MAY.view,
    concurrent: true,
    query: one,
    reply: z.array(PromotedRow),
  });

export const couponProducts = productsOf('优惠券商品', `${BASE}/coupon/products`);
export const promotionProducts = productsOf('促销商品', `${BASE}/promotion/products`);

const site = z.string().meta({ title: '店铺/站点', hidden: true });

/** Coupons of a site that began in a period beside those of another one, with what each of them has brought until now. */
export const CouponSumRow = z.object({
  id: RowKey,
  store: Store.meta({ title: '店铺', kind: 'store', width: 150, pinned: 'left' }),
  /** "<marketplace>-<account>", as filters name it. */
  site,
  ...compared('coupons', pieces('优惠券数', 90)),
  ...compared('clips', pieces('领取次数', 90)),
  ...compared('redemptions', pieces('兑换次数', 90)),
  ...compared('redeemed', Rate.meta({ title: '兑换率', width: 90, tip: 'Σ兑换次数 ÷ Σ领取次数' })),
  ...compared('spent', Money.meta({ title: '花费', currency: 'currency', width: 100 })),
  ...compared('couponSales', Money.meta({ title: '销售额', currency: 'currency', width: 110 })),
  currency,
});
export type CouponSumRow = z.infer<typeof CouponSumRow>;

export const CouponSumFilter = z.object({
  ...comparing,
  dates,
  sites,
  keyword: CouponFilter.shape.keyword,
  asin: CouponFilter.shape.asin,
});
const AnyCouponSums = CouponSumFilter.partial();
export type CouponSumFilter = z.infer<typeof AnyCouponSums>;

export const couponSums = comparedOf({
  title: '优惠券汇总对比',
  path: `${BASE}/couponSum`,
  row: CouponSumRow,
  filter: CouponSumFilter,
  may: MAY,
});

/** A product in the promotions that began in a period beside those of another one, with what it sold in them until now. */
export const PromotionSumRow = z.object({
  id: RowKey,
  product: Product.meta({ title: '商品', kind: 'product', width: 280 }),
  store: Store.meta({ title: '店铺', kind: 'store', width: 130 }),
  asin: code('ASIN', 120),
  ...compared('promotions', pieces('活动数')),
  ...compared('views', pieces('浏览量', 90)),
  ...compared('units', pieces('销量')),
  ...compared('conversion', Rate.meta({ title: '转化率', width: 90, tip: 'Σ销量 ÷ Σ浏览量' })),
  ...compared('promotionSales', Money.meta({ title: '销售额', currency: 'currency', width: 110 })),
  currency,
});
export type PromotionSumRow = z.infer<typeof PromotionSumRow>;

export const PromotionSumFilter = z.object({
  ...comparing,
  dates,
  sites,
  kinds: PromotionFilter.shape.kinds,
  keyword: PromotionFilter.shape.keyword,
  asin: PromotionFilter.shape.asin,
});
const AnyPromotionSums = PromotionSumFilter.partial();
export type PromotionSumFilter = z.infer<typeof AnyPromotionSums>;

export const promotionSums = comparedOf({
  title: '促销汇总对比',
  path: `${BASE}/promotionSum`,
  row: PromotionSumRow,
  filter: PromotionSumFilter,
  may: MAY,
});
