import { z } from 'zod';
import { currencyScale, Decimal } from '#kit/contract/decimal.ts';
import { endpoint } from '#kit/contract/endpoint.ts';
import { Choice, Day, Id, OptionalText } from '#kit/contract/field.ts';

/** Parts of an offer beside its price. */
export const TermsKind = Choice({ sale: '促销价', b2b: 'B2B价', tiers: 'B2B数量折扣' }, '价格类型');
export type TermsKind = z.infer<typeof TermsKind>;

export const MOST_TIERS = 5;

const Amount = z.string().regex(/^\d{1,9}(\.\d{1,4})?$/, '请输入正确的价格');
const Tier = z.object({
  from: z.int().min(2, '起订数量不能小于 2').max(1_000_000, '起订数量过大').meta({ title: '起订数量' }),
  price: Amount.meta({ title: '档位价' }),
});

/**
 * One part of an offer: `price` of a sale or for businesses, `from` and `to` the first and last day of a sale in the time zone
 * of the site, `tiers` what businesses pay for at least so many. Prices are decimal text in the currency of the site.
 */
export const Terms = z.object({
  price: Amount.optional().meta({ title: '价格' }),
  from: Day.optional().meta({ title: '开始日期' }),
  to: Day.optional().meta({ title: '结束日期' }),
  tiers: z
    .array(Tier)
    .min(1, '请填写数量折扣')
    .max(MOST_TIERS, '数量折扣最多 5 档')
    .optional()
    .meta({ title: '数量折扣' }),
});
export type Terms = z.infer<typeof Terms>;

/** Terms written in one way only: what is the same is the same text. */
export function plainTerms(terms: Terms | null): Terms | null {
  if (terms === null) return null;
  const plain = (price: string) => new Decimal(price).toFixed();
  const { price, from, to, tiers } = terms;
  return {
    ...(price === undefined ? {} : { price: plain(price) }),
    ...(from === undefined ? {} : { from }),
    ...(to === undefined ? {} : { to }),
    ...(tiers === undefined ? {} : { tiers: tiers.map((tier) => ({ from: tier.from, price: plain(tier.price) })) }),
  };
}

/** Whether two terms say the same. */
export function sameTerms(a: Terms | null, b: Terms | null): boolean {
  return JSON.stringify(plainTerms(a)) === JSON.stringify(plainTerms(b));
}

/** The lowest price that terms allow; null where they allow none. */
export function lowestOf(terms: Terms | null): string | null {
  const prices = terms
    ? [...(terms.price === undefined ? [] : [terms.price]), ...(terms.tiers ?? []).map((t) => t.price)]
    : [];
  return prices.length === 0 ? null : Decimal.min(...prices).toFixed();
}

/** Terms in words, "无" where there are none; prices with the places of the currency. */
export function termsWords(terms: Terms | null, currency: string): string {
  if (terms === null) return '无';
  const { price, from, to, tiers } = terms;
  const money = (amount: string) => new Decimal(amount).toFixed(currencyScale(currency));
  if (tiers) return tiers.map((tier) => `≥${tier.from}件 ${money(tier.price)}`).join('，');
  if (price === undefined) return '无';
  return from === undefined ? money(price) : `${money(price)}（${from} 至 ${to}）`;
}

/** What terms are held against: the listing as it is. Prices are decimal text; `today` is the day of the site. */
export interface TermsOf {
  price: string | null;
  b2b: Terms | null;
  currency: string;
  today: string;
}

/** What is wrong with a part of an offer, by field; empty where nothing is. Handbook 03, section 8. */
export function termsProblems(kind: TermsKind, terms: Terms | null, of: TermsOf): { field: string; msg: string }[] {
  if (of.price === null) return [{ field: 'price', msg: '商品没有售价' }];
  if (kind === 'tiers' && of.b2b === null) return [{ field: 'tiers', msg: '请先设置 B2B价' }];
  if (terms === null) return [];
  const scale = currencyScale(of.currency);
  const isPrice = (price: string) => !new Decimal(price).isZero() && new Decimal(price).decimalPlaces() <= scale;
  const bad = `请输入正确的价格（最多 ${scale} 位小数）`;
  if (kind === 'tiers') return tierProblems(terms, of.b2b?.price ?? of.price, isPrice, bad);
  if (terms.price === undefined || !isPrice(terms.price)) return [{ field: 'price', msg: bad }];
  if (kind === 'b2b') {
    return new Decimal(terms.price).gt(of.price) ? [{ field: 'price', msg: `B2B价不能高于售价 ${of.price}` }] : [];
  }
  const { from, to } = terms;
  return [
    ...(new Decimal(terms.price).gte(of.price) ? [{ field: 'price', msg: `促销价须低于售价 ${of.price}` }] : []),
    ...(from === undefined ? [{ field: 'from', msg: '请填写开始日期' }] : []),
    ...(to === undefined ? [{ field: 'to', msg: '请填写结束日期' }] : []),
    ...(from !== undefined && to !== undefined && to <= from ? [{ field: 'to', msg: '结束日期必须晚于开始日期' }] : []),
    ...(to !== undefined && to < of.today ? [{ field: 'to', msg: `结束日期不能早于站点今天 ${of.today}` }] : []),
  ];
}

function tierProblems(
  { tiers = [] }: Terms,
  most: string,
  isPrice: (price: string) => boolean,
  bad: string,
): { field: string; msg: string }[] {
  if (tiers.length === 0) return [{ field: 'tiers', msg: '请填写数量折扣' }];
  return tiers.flatMap(({ from, price }, index) => {
    const last = tiers[index - 1];
    const above = last?.price ?? most;
    const at = (field: string, msg: string) => ({
      field: `tiers.${index}.${field}`,
      msg: `第 ${index + 1} 档：${msg}`,
    });
    return [
      ...(last && from <= last.from ? [at('from', `起订数量须大于上一档 ${last.from}`)] : []),
      ...(isPrice(price) ? [] : [at('price', bad)]),
      ...(new Decimal(price).gte(above) ? [at('price', `价格须低于${last ? '上一档' : 'B2B价'} ${above}`)] : []),
    ];
  });
}

const Wish = z.object({
  id: Id,
  /** What the asker saw there: what is another one by now is not overwritten. */
  seen: Terms.nullable().meta({ title: '调整前' }),
  terms: Terms.nullable().meta({ title: '调整后' }),
});

/** Both sides where a listing is not any more what somebody changes. */
export const TermsClash = z.object({
  sellerSku: z.string(),
  seen: Terms.nullable(),
  now: Terms.nullable(),
  wished: Terms.nullable(),
  currency: z.string(),
});
export type TermsClash = z.infer<typeof TermsClash>;

/** Changes one part of many offers, null takes it away: all of them, or none where one is wrong. */
export const adjustTerms = endpoint({
  title: '批量设置促销价与B2B价',
  method: 'POST',
  path: '/amazon/api/v1/product/price/terms',
  permission: 'amz:price:edit',
  body: z.object({
    kind: TermsKind,
    changes: z.array(Wish).min(1, '请选择商品').max(1000, '一次最多修改 1,000 个商品').meta({ title: '修改' }),
    reason: OptionalText(200, '说明'),
  }),
  reply: z.object({ changes: z.int(), requests: z.int() }),
});
