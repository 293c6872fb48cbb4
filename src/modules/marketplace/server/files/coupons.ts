import { z } from 'zod';
import { jsonReader } from './json-report.ts';

const Whole = z.int().min(0);
const Amount = z.number().min(0);

const Item = z.object({
  couponId: z.string().min(1),
  marketplaceId: z.string(),
  currencyCode: z.string(),
  name: z.string().nullish(),
  websiteMessage: z.string().nullish(),
  startDateTime: z.iso.datetime({ offset: true }),
  endDateTime: z.iso.datetime({ offset: true }),
  customerSegment: z.string().nullish(),
  discountType: z.string().nullish(),
  discountAmount: Amount.nullish(),
  clips: Whole,
  redemptions: Whole,
  budget: Amount.nullish(),
  totalDiscount: Amount,
  budgetSpent: Amount,
  sales: Amount.nullish(),
  asins: z.array(z.object({ asin: z.string() })),
});

/** A coupon and what it brought. Amounts are decimal text in `currency`, times ISO instants; null where nothing is told. */
export interface CouponRow {
  lineNo: number;
  problem: undefined;
  couponId: string;
  marketplaceId: string;
  currency: string;
  name: string;
  message: string;
  startAt: string;
  endAt: string;
  segment: string;
  /** PERCENT_OFF_LIST_PRICE: `discount` is percent; AMOUNT_OFF_LIST_PRICE: it is money. */
  discountType: string;
  discount: string | null;
  clips: number;
  redemptions: number;
  budget: string | null;
  totalDiscount: string;
  spent: string;
  sales: string | null;
  /** In the order of their text, whatever order the report has them in. */
  asins: string[];
}

/** Decimal text of a JSON number: its shortest form, which is what the report printed. */
const decimal = (value: number | null | undefined): string | null =>
  value === null || value === undefined ? null : String(value);

/** GET_COUPON_PERFORMANCE_REPORT of a seller: what coupons that began in a period brought until now. */
export const coupons = jsonReader<CouponRow>({
  type: 'GET_COUPON_PERFORMANCE_REPORT',
  title: '优惠券效果报告',
  undated: true,
  shapes: { coupons: Item },
  items: {
    coupons: (item: z.infer<typeof Item>) => ({
      lineNo: 0,
      problem: undefined,
      couponId: item.couponId,
      marketplaceId: item.marketplaceId,
      currency: item.currencyCode,
      name: item.name ?? '',
      message: item.websiteMessage ?? '',
      startAt: item.startDateTime,
      endAt: item.endDateTime,
      segment: item.customerSegment ?? '',
      discountType: item.discountType ?? '',
      discount: decimal(item.discountAmount),
      clips: item.clips,
      redemptions: item.redemptions,
      budget: decimal(item.budget),
      totalDiscount: String(item.totalDiscount),
      spent: String(item.budgetSpent),
      sales: decimal(item.sales),
      asins: item.asins.map(({ asin }) => asin).sort(),
    }),
  },
});
