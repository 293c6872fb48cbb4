import { currencyScale, Decimal, round, sum } from '#kit/contract/decimal.ts';
import { type COUNTRIES, MARGINS, type ResultRow, type TargetRow } from './calculator.ts';
import type { Measures } from './fulfilment.ts';
import { type Model, modelOf, profitAt } from './profit.ts';
import type { Category } from './referral.ts';
import { NO_PRICE, targetPrices } from './targets.ts';
import { FeeTier } from './tiers.ts';

/** What is typed in. Amounts in CNY, shares in percent ("10" is 10 %), sides in cm, weight in kg; "" counts as 0. */
export interface Typed {
  day: string;
  category: Category;
  length: string;
  width: string;
  height: string;
  weight: string;
  cost: string;
  firstLeg: string;
  duty: string;
  ads: string;
  returns: string;
  other: string;
  fixed: string;
  months: string;
}

/** Of one country, in its currency: price with VAT, VAT in percent, and CNY for one unit of the currency. */
export interface AtSite {
  price: string;
  vat: string;
  rate: string;
}

const number = (text: string): string => (text.trim() === '' ? '0' : text);
const share = (percent: string): string => new Decimal(number(percent)).div(100).toFixed();

/** The model of one country of COUNTRIES, or why there is none. */
export function siteModel(typed: Typed, at: AtSite, site: (typeof COUNTRIES)[number]): Model | { problem: string } {
  const isSpent = [typed.cost, typed.firstLeg, typed.fixed].some((cny) => new Decimal(number(cny)).gt(0));
  const isRated = new Decimal(number(at.rate)).gt(0);
  if (isSpent && !isRated) return { problem: `缺少 ${site.currency} 汇率` };
  const scale = currencyScale(site.currency);
  const converted = (cny: string) => (isRated ? round(new Decimal(number(cny)).div(at.rate), scale) : '0');
  const measures: Measures = { sides: [typed.length, typed.width, typed.height], weight: typed.weight };
  return modelOf({
    country: site.country,
    countryName: site.name,
    day: typed.day,
    measures,
    category: typed.category,
    establishment: 'elsewhere',
    vat: share(at.vat),
    ads: share(typed.ads),
    returns: share(typed.returns),
    other: share(typed.other),
    fixed: converted(typed.fixed),
    cost: converted(typed.cost),
    firstLeg: converted(typed.firstLeg),
    duty: converted(new Decimal(number(typed.cost)).times(share(typed.duty)).toFixed()),
    months: number(typed.months),
  });
}

const EMPTY = {
  tier: null,
  billable: null,
  price: null,
  referral: null,
  fulfilment: null,
  surcharge: null,
  dsf: null,
  storage: null,
  vat: null,
  spent: null,
  shares: null,
  profit: null,
  margin: null,
};

/** What somebody should know of the figures of a model. */
function notesOf(
  { outdated, isDefaultReferral, verified, storage }: Model,
  { category, months }: Typed,
): string | null {
  const notes = [
    ...(outdated === null ? [] : [`配送费率表止于 ${outdated}，按最近一版测算`]),
    ...(verified === 'UNVERIFIED' ? ['配送费率未核验'] : []),
    ...(storage === null && new Decimal(number(months)).gt(0) ? ['仓储费率未知，未计入'] : []),
    ...(isDefaultReferral && category !== 'other' ? ['该品类按默认佣金'] : []),
  ];
  return notes.join('；') || null;
}

/** One country's line: all that one piece costs and brings at its price. */
export function resultRow(typed: Typed, at: AtSite, site: (typeof COUNTRIES)[number]): ResultRow {
  const model = siteModel(typed, at, site);
  const names = { country: site.name, currency: site.currency };
  if ('problem' in model) return { ...EMPTY, ...names, problem: model.problem };
  const figures = profitAt(model, number(at.price));
  const charge = model.charge(new Decimal(figures.price));
  const { cost, firstLeg, duty, fixed } = model.of;
  return {
    ...names,
    tier: FeeTier.meta()?.states?.[charge.tier]?.title ?? charge.tier,
    billable: charge.billable,
    price: figures.price,
    referral: figures.referral,
    fulfilment: figures.fulfilment,
    surcharge: figures.surcharge,
    dsf: figures.dsf,
    storage: figures.storage,
    vat: figures.vat,
    spent: round(sum([cost, firstLeg, duty]), model.scale),
    shares: round(sum([figures.ads, figures.returns, figures.other, fixed]), model.scale),
    profit: figures.profit,
    margin: figures.margin,
    problem: notesOf(model, typed),
  };
}

/** Prices of one country for every margin of MARGINS; no rows where it cannot be reckoned. */
export function targetRows(typed: Typed, at: AtSite, site: (typeof COUNTRIES)[number]): TargetRow[] {
  const model = siteModel(typed, at, site);
  if ('problem' in model) return [];
  return MARGINS.map((margin) => {
    const ranges = targetPrices(model, margin);
    const words = ranges.map(({ from, to }) => (to === null ? `${from} 起` : `${from} – ${to}`));
    return {
      country: site.name,
      currency: site.currency,
      margin,
      price: ranges[0]?.from ?? null,
      ranges: words.join('；') || NO_PRICE,
    };
  });
}
