import { formatMinor, parseMinor, share } from '../../business/amounts.ts';
import type { SimListing, SimMarketplace } from '../../business/types.ts';

/** One price with the days that it is good for; of a plan, the steps of its quantities. */
interface Slot {
  value_with_tax?: number;
  start_at?: string;
  end_at?: string;
  discount_type?: string;
  levels?: { lower_bound?: number; value?: number }[];
}

/** One offer of `purchasable_offer`, unchecked. */
export interface OfferValue {
  marketplace_id?: string;
  currency?: string;
  audience?: string;
  our_price?: { schedule?: Slot[] }[] | null;
  discounted_price?: { schedule?: Slot[] }[] | null;
  quantity_discount_plan?: { schedule?: Slot[] }[] | null;
}

const SELECTORS = ['marketplace_id', 'currency', 'audience'] as const;
const MOST_LEVELS = 5;
/** Countries whose sellers of this sandbox take part in Amazon Business. */
const BUSINESS: readonly string[] = ['US', 'DE', 'GB', 'JP'];

const keyOf = (one: object): string =>
  SELECTORS.map((name) => Reflect.get(one, name) ?? (name === 'audience' ? 'ALL' : '')).join('|');

/**
 * Offers after a patch, as Amazon applies it: "merge" changes the named parts of the offer that the selectors name, null takes
 * one away; "replace" puts the whole offer of the selectors, and what it leaves out is gone; "delete" takes it away. Offers of
 * other selectors stay.
 */
export function offersAfter(before: readonly object[], op: string, values: readonly object[]): object[] {
  const next = new Map(before.map((one) => [keyOf(one), one]));
  for (const one of values) {
    const key = keyOf(one);
    if (op === 'delete') {
      next.delete(key);
      continue;
    }
    const all = { ...(op === 'merge' ? next.get(key) : {}), ...one };
    next.set(key, Object.fromEntries(Object.entries(all).filter(([, value]) => value !== null)));
  }
  return [...next.values()];
}

/** Whether sellers of a marketplace take part in Amazon Business. */
export function sellsToBusiness({ countryCode }: SimMarketplace): boolean {
  return BUSINESS.includes(countryCode);
}

const slotOf = (list: OfferValue['our_price']): Slot | undefined => list?.[0]?.schedule?.[0];
const priceOf = (offer: OfferValue | undefined): number | undefined => slotOf(offer?.our_price)?.value_with_tax;
const isFor = (audience: string) => (one: OfferValue) => (one.audience ?? 'ALL') === audience;

/** English, Chinese. */
export type Said = readonly [code: string, en: string, zh: string];

function saleProblem(offer: OfferValue, own: number | undefined): Said | undefined {
  if (offer.discounted_price === undefined) return undefined;
  const { value_with_tax: price, start_at: from, end_at: to } = slotOf(offer.discounted_price) ?? {};
  if (price === undefined) {
    return ['99022', "The field 'schedule' of 'discounted_price' does not have enough values.", '促销价缺少价格。'];
  }
  if (!from || !to) return ['90220', "'start_at' and 'end_at' are required.", '促销价缺少开始或结束日期。'];
  if (Date.parse(to) < Date.parse(from)) return ['8063', 'The sale ends before it starts.', '促销结束早于开始。'];
  return own === undefined || price < own
    ? undefined
    : ['8064', 'The sale price must be less than the standard price.', '促销价必须低于标准价。'];
}

function planProblem(offer: OfferValue): Said | undefined {
  if (offer.quantity_discount_plan === undefined) return undefined;
  if (offer.audience !== 'B2B') {
    return ['90245', 'A quantity discount plan is for the audience B2B.', '数量折扣只用于企业买家。'];
  }
  const { discount_type: type, levels = [] } = slotOf(offer.quantity_discount_plan) ?? {};
  if (type !== 'fixed' || levels.length === 0 || levels.length > MOST_LEVELS) {
    return ['90246', 'Between 1 and 5 levels of fixed prices are expected.', '数量折扣需为 1 至 5 档固定价。'];
  }
  const base = { lower_bound: 1, value: priceOf(offer) ?? 0 };
  const wrong = levels.some(({ lower_bound = 0, value = 0 }, index) => {
    const last = index === 0 ? base : { lower_bound: 0, value: 0, ...levels[index - 1] };
    return lower_bound <= last.lower_bound || !(value > 0) || value >= last.value;
  });
  return wrong
    ? ['90247', 'Levels must ascend in quantity and descend in price.', '数量折扣须数量递增、价格递减且低于B2B价。']
    : undefined;
}

/** What is wrong with offers as they would be, of those that a patch names; undefined where nothing is. */
export function offersProblem(
  all: readonly object[],
  named: readonly object[],
  marketplace: SimMarketplace,
): Said | undefined {
  const keys = new Set(named.map(keyOf));
  const own = priceOf((all as readonly OfferValue[]).find(isFor('ALL')));
  const offers = (all as readonly OfferValue[]).filter((one) => keys.has(keyOf(one)));
  const business = offers.find(isFor('B2B'));
  if (business && !sellsToBusiness(marketplace)) {
    return ['90244', 'The seller does not sell to businesses.', '该卖家未开通企业购(B2B)。'];
  }
  if (business) {
    const price = priceOf(business);
    if (price === undefined) return ['90220', "'our_price' of the audience B2B is required.", '缺少B2B价。'];
    if (own !== undefined && price > own) {
      return ['90248', 'The business price exceeds the standard price.', 'B2B价不能高于标准价。'];
    }
  }
  return offers.map((one) => saleProblem(one, priceOf(one)) ?? planProblem(one)).find((one) => one !== undefined);
}

/** The price that values of a patch state for all buyers; undefined where they state none. */
export function pricePatched(values: readonly object[] | undefined): number | undefined {
  return priceOf((values as readonly OfferValue[] | undefined)?.find(isFor('ALL')));
}

/** What businesses pay; undefined where nothing is offered to them. */
export function businessPrice(offers: readonly object[]): number | undefined {
  return priceOf((offers as readonly OfferValue[]).find(isFor('B2B')));
}

/** Offers to businesses that listings of the business begin with: of every third product. */
export function plannedOffers(marketplace: SimMarketplace, { product, price }: SimListing): OfferValue[] {
  const sum = [...product.asin].reduce((total, sign) => total + sign.charCodeAt(0), 0);
  if (price === '' || !sellsToBusiness(marketplace) || sum % 3 !== 0) return [];
  const { marketplaceId, currency } = marketplace;
  const value = Number(formatMinor(share(parseMinor(price), 95, 100), currency));
  const our = [{ schedule: [{ value_with_tax: value }] }];
  return [{ marketplace_id: marketplaceId, currency, audience: 'B2B', our_price: our }];
}
