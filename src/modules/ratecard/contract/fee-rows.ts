import { z } from 'zod';
import { Decimal } from '#kit/contract/decimal.ts';
import { Day, Money } from '#kit/contract/field.ts';
import { COUNTRIES } from './calculator.ts';
import { CARDS, type FeeBand, type FulfilmentCard } from './card.ts';
import { STORAGE_RATES } from './extras.ts';
import { Category } from './referral.ts';
import { REFERRAL_RULES } from './referral-rules.ts';
import { SURCHARGES, SurchargeKind } from './surcharges.ts';
import { FeeTier } from './tiers.ts';
import { Verified } from './verified.ts';

const COUNTRY_NAMES = new Map<string, string>(COUNTRIES.map(({ country, name }) => [country, name]));
const validity = {
  country: z.string().meta({ title: '国家', width: 70 }),
  from: Day.meta({ title: '生效', width: 100 }),
};
const named = (country: string): string => COUNTRY_NAMES.get(country) ?? country;
const percent = (rate: string): string => `${new Decimal(rate).times(100).toFixed()}%`;
const key = z.string().meta({ hidden: true });

/** One weight band of one size tier in one price band of a fulfilment card. */
export const FulfilmentRow = z.object({
  key,
  ...validity,
  to: Day.nullable().meta({ title: '失效', width: 100 }),
  tier: FeeTier.meta({ width: 130 }),
  price: z.string().meta({ title: '售价', width: 90 }),
  weight: z.string().meta({ title: '计费重不超过', width: 110 }),
  fee: Money.meta({ title: '配送费', currency: 'currency', width: 90 }),
  more: z.string().nullable().meta({ title: '续重', width: 170 }),
  surcharge: z.string().nullable().meta({ title: '附加费', width: 80, tip: '燃油与物流附加费，按配送费的比例另收' }),
  source: z.string().meta({ title: '来源', width: 260 }),
  verified: Verified.meta({ width: 100 }),
  currency: z.string().meta({ hidden: true }),
});
export type FulfilmentRow = z.infer<typeof FulfilmentRow>;

/** What prices a band of a card holds, in words. */
function priceWords({ prices }: FulfilmentCard, at: number): string {
  const [below, above] = [prices[at - 1], prices[at]];
  const low = below && `${below.inclusive ? '≥' : '>'} ${below.from}`;
  const high = above && `${above.inclusive ? '<' : '≤'} ${above.from}`;
  return [low, high].filter(Boolean).join(' 且 ') || '不限';
}

function weightWords({ system }: FulfilmentCard, { upTo }: FeeBand): string {
  return upTo === null ? '不限' : `${upTo} ${system === 'US' ? '磅' : '克'}`;
}

/** The cards of a country that are valid on a day, a row for each fee; all tiers, or one. */
export function fulfilmentRows(country: string, day: string, tier?: FeeTier): FulfilmentRow[] {
  const valid = CARDS.filter((card) => card.country === country && card.from <= day && (!card.to || day <= card.to));
  return valid.flatMap((card) =>
    card.tiers
      .filter(({ code }) => tier === undefined || code === tier)
      .flatMap(({ code, bands }) =>
        bands.flatMap((band) =>
          band.fees.map((fee, at) => ({
            key: `${code} ${band.upTo} ${at}`,
            country: named(card.country),
            from: card.from,
            to: card.to,
            tier: code,
            price: band.fees.length > 1 ? priceWords(card, at) : '不限',
            weight: weightWords(card, band),
            fee,
            more: band.more
              ? `超过 ${band.more.over} 后每 ${band.more.every} ${card.system === 'US' ? '磅' : '克'} 加 ${band.more.adds[at] ?? band.more.adds[0]}`
              : null,
            surcharge: card.surcharge === null ? null : percent(card.surcharge),
            source: card.source,
            verified: card.verified,
            currency: card.currency,
          })),
        ),
      ),
  );
}

/** The referral fee of a category. */
export const ReferralRow = z.object({
  key,
  ...validity,
  category: Category.meta({ width: 150 }),
  by: z.string().meta({ title: '计算方式', width: 120 }),
  rates: z.string().meta({ title: '费率', width: 320 }),
  verified: Verified.meta({ width: 100 }),
});
export type ReferralRow = z.infer<typeof ReferralRow>;

/** The referral rules of a country that have begun on a day. */
export function referralRows(country: string, day: string): ReferralRow[] {
  return REFERRAL_RULES.filter((rule) => rule.countries.includes(country) && rule.from <= day).map((rule) => ({
    key: `${rule.category} ${rule.from}`,
    country: named(country),
    from: rule.from,
    category: rule.category,
    by: rule.by === 'price' ? '按售价所在档' : '按金额分段累计',
    rates: rule.steps.map(({ upTo, rate }) => `${upTo === null ? '其余' : `≤ ${upTo}`} ${percent(rate)}`).join('；'),
    verified: rule.verified,
  }));
}

/** Storage of a cubic foot or metre for a month. */
export const StorageRow = z.object({
  key,
  ...validity,
  size: z.string().meta({ title: '尺寸', width: 100 }),
  months: z.string().meta({ title: '月份', width: 100 }),
  rate: Money.meta({ title: '每月费率', currency: 'currency', width: 110 }),
  unit: z.string().meta({ title: '计量', width: 100 }),
  verified: Verified.meta({ width: 100 }),
  currency: z.string().meta({ hidden: true }),
});
export type StorageRow = z.infer<typeof StorageRow>;

/** The storage rates of a country that have begun on a day. */
export function storageRows(country: string, day: string): StorageRow[] {
  return STORAGE_RATES.filter((rate) => rate.country === country && rate.from <= day).map((rate) => ({
    key: `${rate.size} ${rate.months[0]}`,
    country: named(country),
    from: rate.from,
    size: rate.size === 'standard' ? '标准尺寸' : '大件',
    months: `${rate.months[0]} – ${rate.months[1]} 月`,
    rate: rate.rate,
    unit: rate.unit === 'FOOT' ? '立方英尺' : '立方米',
    verified: rate.verified,
    currency: rate.currency,
  }));
}

/** A surcharge as it is valid on a day. */
export const SurchargeRow = z.object({
  key,
  kind: SurchargeKind.meta({ width: 140 }),
  ...validity,
  to: Day.nullable().meta({ title: '失效', width: 100 }),
  scope: z.string().meta({ title: '适用', width: 260 }),
  fee: z.string().meta({ title: '费率', width: 300 }),
  reckoned: z.string().meta({ title: '测算', width: 80, tip: '利润计算是否已计入' }),
  verified: Verified.meta({ width: 100 }),
  source: z.string().meta({ title: '来源', width: 260 }),
});
export type SurchargeRow = z.infer<typeof SurchargeRow>;

/** The surcharges of a country that are valid on a day, or all of its versions without one. */
export function surchargeRows(country: string, day?: string): SurchargeRow[] {
  return SURCHARGES.filter(
    (one) => one.country === country && (day === undefined || (one.from <= day && (one.to === null || day <= one.to))),
  ).map(({ isReckoned, ...one }) => ({
    ...one,
    key: `${one.kind} ${one.from} ${one.scope}`,
    country: named(one.country),
    reckoned: isReckoned ? '已计入' : '未计入',
  }));
}
