import { currencyScale, Decimal, ratio, round } from '#kit/contract/decimal.ts';
import { cardOn, lastKnownDay } from './card.ts';
import { type DsfRate, dsf, type Establishment, storageFee } from './extras.ts';
import { type Charge, fulfilmentCharge, type Measures } from './fulfilment.ts';
import { type Category, exactReferral, isExcepted, type ReferralRule, referralRule } from './referral.ts';
import type { Verified } from './verified.ts';

/** Said where nothing can be reckoned for want of measures. */
export const NO_MEASURES = '请先维护产品尺寸和重量';

/** What is taken for granted of one piece in one country. Money in the site's currency, shares as "0.15" for 15 %. */
export interface Assumptions {
  country: string;
  countryName: string;
  /** Day of the marketplace on which the fees are valid. */
  day: string;
  measures: Measures | null;
  category: Category;
  establishment: Establishment;
  vat: string;
  ads: string;
  returns: string;
  other: string;
  fixed: string;
  cost: string;
  firstLeg: string;
  duty: string;
  /** Months of storage; "0" leaves it out. */
  months: string;
}

/** All of a piece that no price changes, and the fees of each price band. */
export interface Model {
  of: Assumptions;
  currency: string;
  /** Decimal places of the currency. */
  scale: number;
  charge: (price: Decimal) => Charge;
  referral: ReferralRule;
  isDefaultReferral: boolean;
  minimum: string;
  dsf: DsfRate;
  /** Null: no rate is known, and it is left out. */
  storage: string | null;
  /** Highest prices of bands of the fulfilment fee, ascending. */
  edges: readonly string[];
  /** Last day of the fulfilment fees, where no newer ones are known for the day that was asked for. */
  outdated: string | null;
  /** How far the fulfilment fees can be relied on. */
  verified: Verified;
}

/** What one piece brings at a price, all rounded to the currency. */
export interface Profit {
  price: string;
  net: string;
  vat: string;
  referral: string;
  fulfilment: string;
  surcharge: string;
  dsf: string;
  storage: string | null;
  ads: string;
  returns: string;
  other: string;
  profit: string;
  /** Of the price without VAT; null at a price of 0. */
  margin: string | null;
}

const positive = (value: string): boolean => {
  try {
    return new Decimal(value).gt(0);
  } catch {
    return false;
  }
};

function isMeasured(measures: Measures | null): measures is Measures {
  return measures !== null && [...measures.sides, measures.weight].every(positive);
}

/**
 * Prepares what is reckoned for a piece, or says in Chinese why it cannot be. Where the fulfilment fees that are known end before
 * the day, the last ones are taken, and the model says so: better a figure of last month's card than none.
 */
export function modelOf(of: Assumptions): Model | { problem: string } {
  const { country, countryName, day, measures, category } = of;
  const current = cardOn(country, day);
  const feeDay = current ? day : lastKnownDay(country, day);
  const card = current ?? (feeDay === undefined ? undefined : cardOn(country, feeDay));
  const found = referralRule(country, day, category);
  if (!card || feeDay === undefined) return { problem: `尚无 ${countryName} 的费率表` };
  if (!found) return { problem: `${countryName} 的佣金费率未知，无法测算利润` };
  if (!isMeasured(measures)) return { problem: NO_MEASURES };
  const excepted = isExcepted(category);
  const scale = currencyScale(card.currency);
  const unit = new Decimal(10).pow(-scale);
  const edges = card.prices.map(({ from, inclusive, excepted: lower }) => {
    const first = excepted && lower ? lower : from;
    return (inclusive ? new Decimal(first).minus(unit) : new Decimal(first)).toFixed();
  });
  const charges: Charge[] = [];
  for (const price of ['0', ...edges.map((edge) => unit.plus(edge).toFixed())]) {
    const charge = fulfilmentCharge(country, feeDay, price, measures, excepted);
    if ('gap' in charge)
      return {
        problem: charge.gap === 'OVERMAX' ? '超长件另收附加费，无法测算' : '尺寸或重量超出费率表，无法测算',
      };
    charges.push(charge);
  }
  const [first] = charges;
  if (!first) return { problem: `尚无 ${countryName} 的费率表` };
  return {
    of,
    currency: card.currency,
    scale,
    charge: (price) => charges[edges.filter((edge) => price.gt(edge)).length] ?? first,
    referral: found.rule,
    isDefaultReferral: found.isDefault,
    minimum: found.minimum,
    dsf: dsf(of.establishment, country, day),
    storage: storageFee(country, day, first.tier, measures, of.months),
    edges,
    outdated: current ? null : feeDay,
    verified: card.verified,
  };
}

/** The lines that go by the price, each put through `cut`: rounded as they are charged, or exact. */
function linesAt(model: Model, price: Decimal, cut: (value: Decimal) => Decimal) {
  const { of } = model;
  const charge = model.charge(price);
  const net = cut(price.div(new Decimal(of.vat).plus(1)));
  const referral = cut(exactReferral(model.referral, model.minimum, price));
  const base = model.dsf.onFulfilment ? referral.plus(charge.fee) : referral;
  const service = cut(base.times(model.dsf.rate));
  const [ads, returns, other] = [of.ads, of.returns, of.other].map((share) => cut(price.times(share))) as [
    Decimal,
    Decimal,
    Decimal,
  ];
  const spent = [referral, charge.fee, service, model.storage ?? 0, ads, returns, other].concat(
    of.fixed,
    of.cost,
    of.firstLeg,
    of.duty,
  );
  const profit = spent.reduce<Decimal>((left, line) => left.minus(line), net);
  return { charge, net, referral, service, ads, returns, other, profit };
}

/** What is left at a price beyond a share of the price without VAT, before anything is rounded: linear between two edges. */
export function exactGap(model: Model, price: Decimal, margin: string): Decimal {
  const { net, profit } = linesAt(model, price, (value) => value);
  return profit.minus(net.times(margin));
}

/** Whether the rounded profit at a price reaches the rounded share of the price without VAT. */
export function reaches(model: Model, price: Decimal, margin: string): boolean {
  const cut = (value: Decimal) => value.toDecimalPlaces(model.scale, Decimal.ROUND_HALF_UP);
  const { net, profit } = linesAt(model, price, cut);
  return cut(profit).gte(cut(net.times(margin)));
}

/** Profit of one piece at a price with VAT, line by line as charged: every line is rounded to the currency (handbook 5.10). */
export function profitAt(model: Model, price: string): Profit {
  const { scale } = model;
  const cut = (value: Decimal) => value.toDecimalPlaces(scale, Decimal.ROUND_HALF_UP);
  const at = cut(new Decimal(price));
  const { charge, net, referral, service, ads, returns, other, profit } = linesAt(model, at, cut);
  const text = (value: Decimal | string) => round(value, scale);
  return {
    price: text(at),
    net: text(net),
    vat: text(at.minus(net)),
    referral: text(referral),
    fulfilment: text(new Decimal(charge.fee).minus(charge.surcharge)),
    surcharge: text(charge.surcharge),
    dsf: text(service),
    storage: model.storage,
    ads: text(ads),
    returns: text(returns),
    other: text(other),
    profit: text(profit),
    margin: ratio(text(profit), text(net)),
  };
}
