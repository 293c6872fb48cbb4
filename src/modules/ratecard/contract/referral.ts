import type { z } from 'zod';
import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import { Choice } from '#kit/contract/field.ts';
import { REFERRAL_RULES } from './referral-rules.ts';
import type { Verified } from './verified.ts';

/** Categories whose referral fee, or whose part in the low price programme, is one of their own. */
export const Category = Choice(
  {
    other: '其他（默认费率）',
    clothing: '服装',
    beauty: '美妆个护',
    health: '健康与家居护理',
    baby: '母婴',
    grocery: '食品杂货',
    vitamins: '维生素与营养品',
    home: '家居',
    kitchen: '厨房',
    toys: '玩具',
    furniture: '家具',
    electronics: '电子产品',
    electronicsAccessories: '电子配件',
    deviceAccessories: '亚马逊设备配件',
    jewelry: '珠宝',
    watches: '手表',
    tires: '轮胎',
    pets: '宠物服装与食品',
    books: '图书',
    office: '办公用品',
    industrial: '工业与商业',
  },
  '品类',
);
export type Category = z.infer<typeof Category>;

/** Outside the low price programme of Europe above its lower limit. */
const EXCEPTED: readonly Category[] = [
  'beauty',
  'health',
  'industrial',
  'office',
  'grocery',
  'books',
  'deviceAccessories',
  'kitchen',
];
/** Whether goods of a category leave the low price programme at its lower limit. */
export const isExcepted = (category: Category): boolean => EXCEPTED.includes(category);

/** Rate for prices (or parts of them) up to a limit; null has no end. */
export interface ReferralStep {
  upTo: string | null;
  rate: string;
}
/** Referral fee of a category in some countries, by day from `from` on; later rules replace earlier ones. */
export interface ReferralRule {
  countries: readonly string[];
  category: Category;
  from: string;
  /** price: the step of the whole price counts for all of it; part: each part of the price pays its own rate. */
  by: 'price' | 'part';
  steps: readonly ReferralStep[];
  verified: Verified;
}

const MINIMUM: Readonly<Record<string, string>> = {
  US: '0.30',
  CA: '0.40',
  UK: '0.25',
  DE: '0.30',
  FR: '0.30',
  IT: '0.30',
  ES: '0.30',
  JP: '30',
};

/** The rule of a category on a day, and whether it is the country's default; undefined where the country has none. */
export function referralRule(
  country: string,
  day: string,
  category: Category,
): { rule: ReferralRule; isDefault: boolean; minimum: string } | undefined {
  const of = (wanted: Category) =>
    REFERRAL_RULES.filter(
      (one) => one.countries.includes(country) && one.category === wanted && one.from <= day,
    ).toSorted((a, b) => (a.from < b.from ? 1 : -1))[0];
  const own = of(category);
  const found = own ?? of('other');
  if (!found) return undefined;
  return { rule: found, isDefault: own === undefined || category === 'other', minimum: MINIMUM[country] ?? '0' };
}

/** Referral fee on what a buyer pays (Europe: with VAT), not rounded. */
export function exactReferral({ by, steps: of }: ReferralRule, minimum: string, base: Decimal): Decimal {
  let fee = new Decimal(0);
  let below = new Decimal(0);
  for (const { upTo, rate } of of) {
    if (by === 'price') {
      if (upTo !== null && base.gt(upTo)) continue;
      fee = base.times(rate);
      break;
    }
    const end = upTo === null ? base : Decimal.min(base, upTo);
    if (end.lte(below)) break;
    fee = fee.plus(end.minus(below).times(rate));
    below = end;
  }
  return Decimal.max(minimum, fee);
}

/** Referral fee on a price in the site's currency, rounded to it; undefined where the country has no rule. */
export function referralFee(
  country: string,
  day: string,
  category: Category,
  price: string,
  currency: string,
): string | undefined {
  const found = referralRule(country, day, category);
  if (!found) return undefined;
  return round(exactReferral(found.rule, found.minimum, new Decimal(price)), currencyScale(currency));
}
