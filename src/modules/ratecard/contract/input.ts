import { z } from 'zod';
import { Day } from '#kit/contract/field.ts';
import { COUNTRIES } from './calculator.ts';
import { Category } from './referral.ts';

/** A figure as it is typed in: not negative, at most 8 digits before the point; "" is nothing. */
export const Figure = (title: string, decimals = 4) =>
  z
    .string()
    .trim()
    .regex(new RegExp(`^(\\d{1,8}(\\.\\d{1,${decimals}})?)?$`), `${title}须为不小于0的数字，最多${decimals}位小数`)
    .meta({ title, kind: 'rate' });

/** A share in percent, "10" is 10 %. */
export const Percent = (title: string) =>
  Figure(title).refine((text) => text === '' || Number(text) <= 100, `${title}不能超过100%`);

export const CountryCode = z.enum(COUNTRIES.map(({ country }) => country)).meta({
  title: '站点',
  kind: 'choice',
  states: Object.fromEntries(COUNTRIES.map(({ country, name }) => [country, { title: name, tone: 'off' as const }])),
});
export type CountryCode = z.infer<typeof CountryCode>;

/** What is typed into the calculator for a piece: amounts in CNY, sides in cm, weight in kg. */
export const TypedInput = z.object({
  day: Day.meta({ title: '生效日期' }),
  category: Category,
  length: Figure('长'),
  width: Figure('宽'),
  height: Figure('高'),
  weight: Figure('重量'),
  cost: Figure('采购成本'),
  firstLeg: Figure('头程'),
  duty: Percent('关税率'),
  ads: Percent('广告'),
  returns: Percent('退货'),
  other: Percent('其他'),
  fixed: Figure('固定费用'),
  months: Figure('仓储月数'),
});

/** Of one country: price with VAT in its currency, VAT in percent, CNY for one unit of the currency. */
export const SiteInput = z.object({ price: Figure('售价'), vat: Percent('VAT'), rate: Figure('汇率', 10) });
