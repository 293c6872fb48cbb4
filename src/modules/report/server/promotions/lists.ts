import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { among, type FactList, type Facts, factsOf } from '#modules/inventory/server/index.ts';
import { type CouponFilter, CouponRow, type PromotionFilter, PromotionRow } from '../../contract/promotions.ts';

/** part / whole as an exact text of four decimals; null without a whole. */
function ratio(part: string | number, whole: string | number | null): string | null {
  return whole === null || Number(whole) === 0 ? null : new Decimal(part).div(whole).toFixed(4);
}

export const asinOf = (asin: string | undefined): string | undefined => asin?.trim().toUpperCase() || undefined;

interface Coupon {
  coupon_id: string;
  title: string;
  message: string;
  end_at: string;
  segment: string;
  discount_type: string;
  discount: string | null;
  clips: number;
  redemptions: number;
  budget: string | null;
  total_discount: string;
  spent: string;
  sales: string | null;
  currency: string;
  asins: string[];
  state: CouponRow['state'];
}

const STATE = sql<CouponRow['state']>`CASE WHEN f.start_at > kit.now() THEN 'upcoming'
  WHEN f.end_at < kit.now() THEN 'ended' ELSE 'running' END`;

/** Coupons of a filter, in whichever state. */
export function couponsOf(ctx: Ctx, { asin, ...filter }: Omit<CouponFilter, 'state'>): Facts {
  const query = factsOf(ctx, 'report.coupon', filter, 'f.title, f.coupon_id');
  const sought = asinOf(asin);
  return sought ? query.where(sql<boolean>`f.asins @> to_jsonb(${sought}::text)`) : query;
}

/** Coupons by the day on which they begin, the newest first. */
export function couponList(ctx: Ctx, { state, asin, ...filter }: CouponFilter): FactList<Coupon, CouponRow> {
  let query = couponsOf(ctx, { ...filter, asin });
  if (state?.length) query = query.where(sql<boolean>`${STATE} = ANY (${state})`);
  return {
    title: '优惠券效果',
    resource: 'report.coupon',
    row: CouponRow,
    query: query.select(STATE.as('state')),
    sort: {
      day: 'f.day',
      ends: 'f.end_at',
      clips: 'f.clips',
      redemptions: 'f.redemptions',
      redeemed: 'f.redemptions::numeric / nullif(f.clips, 0)',
      budget: 'f.budget',
      spent: 'f.spent',
      used: 'f.spent / nullif(f.budget, 0)',
      totalDiscount: 'f.total_discount',
      couponSales: 'f.sales',
    },
    sums: { clips: 'clips', redemptions: 'redemptions' },
    money: { budget: 'budget', spent: 'spent', totalDiscount: 'total_discount', couponSales: 'sales' },
    map: (row, { id, day, store }) => ({
      id,
      day,
      store,
      name: row.title,
      state: row.state,
      ends: row.end_at,
      percentOff: row.discount_type === 'PERCENT_OFF_LIST_PRICE' && row.discount ? ratio(row.discount, 100) : null,
      moneyOff: row.discount_type === 'AMOUNT_OFF_LIST_PRICE' ? row.discount : null,
      clips: row.clips,
      redemptions: row.redemptions,
      redeemed: ratio(row.redemptions, row.clips),
      budget: row.budget,
      spent: row.spent,
      used: ratio(row.spent, row.budget),
      left: row.budget === null ? null : new Decimal(row.budget).minus(row.spent).toString(),
      totalDiscount: row.total_discount,
      couponSales: row.sales,
      products: row.asins.length,
      segment: row.segment,
      message: row.message,
      couponId: row.coupon_id,
      currency: row.currency,
    }),
  };
}

interface Promotion {
  promotion_id: string;
  title: string;
  kind: string;
  status: string;
  end_at: string;
  created_at: string | null;
  views: number | null;
  units: number;
  sales: string;
  spent: string | null;
  currency: string;
  products: unknown[];
}

/** Promotions of a filter, in whichever status. */
export function promotionsOf(ctx: Ctx, { kinds, asin, ...filter }: Omit<PromotionFilter, 'status'>): Facts {
  const query = among(factsOf(ctx, 'report.promotion', filter, 'f.title, f.promotion_id'), 'kind', kinds);
  const sought = asinOf(asin);
  return sought ? query.where(sql<boolean>`f.products @> ${JSON.stringify([{ asin: sought }])}::jsonb`) : query;
}

/** Promotions by the day on which they begin, the newest first. */
export function promotionList(
  ctx: Ctx,
  { kinds, status, asin, ...filter }: PromotionFilter,
): FactList<Promotion, PromotionRow> {
  const query = among(promotionsOf(ctx, { ...filter, kinds, asin }), 'status', status);
  return {
    title: '促销效果',
    resource: 'report.promotion',
    row: PromotionRow,
    query,
    sort: {
      day: 'f.day',
      ends: 'f.end_at',
      views: 'f.views',
      units: 'f.units',
      conversion: 'f.units::numeric / nullif(f.views, 0)',
      promotionSales: 'f.sales',
      spent: 'f.spent',
    },
    sums: { views: 'views', units: 'units' },
    money: { promotionSales: 'sales', spent: 'spent' },
    map: (row, { id, day, store }) => ({
      id,
      day,
      store,
      name: row.title,
      kind: row.kind,
      status: row.status,
      ends: row.end_at,
      views: row.views,
      units: row.units,
      conversion: ratio(row.units, row.views),
      promotionSales: row.sales,
      spent: row.spent,
      products: row.products.length,
      createdAt: row.created_at,
      promotionId: row.promotion_id,
      currency: row.currency,
    }),
  };
}
