import { type FactDef, factLoader, instant, int, money, parts, text } from '#modules/inventory/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import {
  businessDay,
  type CouponRow,
  coupons,
  type PromotionRow,
  promotions,
  type ReportPlan,
} from '#modules/marketplace/server/index.ts';

interface Begun {
  marketplaceId: string;
  startAt: string;
}

/** A report is all there is to say about what began at its site on the days that were asked for. */
const BY_START = {
  mode: 'period',
  about: 'site',
  day: (row: Begun, zone: string) => businessDay(row.startAt, zone),
  country: ({ marketplaceId }: Begun) => {
    const country = countryOf(marketplaceId);
    return country === 'UK' ? 'GB' : country;
  },
  isNamed: () => true,
} as const;

const coupon: FactDef<CouponRow> = {
  ...BY_START,
  reader: coupons,
  table: 'report.coupon',
  pieces: (row) => row.redemptions,
  columns: [
    text('coupon_id', (row) => row.couponId, true),
    text('title', (row) => row.name),
    text('message', (row) => row.message),
    instant('start_at', (row) => row.startAt),
    instant('end_at', (row) => row.endAt),
    text('segment', (row) => row.segment),
    text('discount_type', (row) => row.discountType),
    money('discount', (row) => row.discount),
    int('clips', (row) => row.clips),
    int('redemptions', (row) => row.redemptions),
    money('budget', (row) => row.budget),
    money('total_discount', (row) => row.totalDiscount),
    money('spent', (row) => row.spent),
    money('sales', (row) => row.sales),
    text('currency', (row) => row.currency),
    parts('asins', (row) => row.asins),
  ],
};

const promotion: FactDef<PromotionRow> = {
  ...BY_START,
  reader: promotions,
  table: 'report.promotion',
  pieces: (row) => row.units,
  columns: [
    text('promotion_id', (row) => row.promotionId, true),
    text('title', (row) => row.name),
    text('kind', (row) => row.type),
    text('status', (row) => row.status),
    text('channel', (row) => row.channel),
    instant('start_at', (row) => row.startAt),
    instant('end_at', (row) => row.endAt),
    instant('created_at', (row) => row.createdAt),
    int('views', (row) => row.views),
    int('units', (row) => row.units),
    money('sales', (row) => row.sales),
    money('spent', (row) => row.spent),
    text('currency', (row) => row.currency),
    parts('products', (row) => row.products),
  ],
};

export const promotionLoaders = [factLoader(coupon), factLoader(promotion)];

const DAY_SEC = 24 * 3600;

/** A year at first, in one report; what began in the last 90 days is asked for again each day, because its figures move. */
const EACH_DAY = {
  how: 'window',
  per: 'site',
  windowDays: 366,
  historyDays: 365,
  overlapDays: 90,
  priority: 64,
  cadenceSec: DAY_SEC,
  sloMin: 26 * 60,
  inBackground: true,
} as const;

export const promotionPlans: ReportPlan[] = [
  { ...EACH_DAY, code: 'report.coupon', title: '优惠券效果', reportType: coupons.type },
  { ...EACH_DAY, code: 'report.promotion', title: '促销效果', reportType: promotions.type },
];
