import { Decimal } from '#kit/contract/decimal.ts';
import { exactGap, type Model, reaches } from './profit.ts';

/** Said where no price brings a margin. */
export const NO_PRICE = '在该利润率下无可行售价';

/** Prices with VAT, both ends included; `to` is null where there is no end. */
export interface PriceRange {
  from: string;
  to: string | null;
}

/** In smallest units of the currency. */
type Span = readonly [from: number, to: number];

/** Nothing is looked for beyond this many smallest units. */
const MOST = 100_000_000;
/** All that is rounded moves the profit and the target by less than this together, in smallest units. */
const ROUNDED = 5;
/** Units that are tried one by one at most where a root is flat. */
const WALK = 100_000;

/** Last prices of stretches on which the profit is linear, in smallest units, ascending. */
export function edgesOf(model: Model): number[] {
  const { steps, by } = model.referral;
  const units = (price: Decimal) => price.times(new Decimal(10).pow(model.scale)).floor().toNumber();
  const least = steps.map(({ rate }) => new Decimal(model.minimum).div(rate));
  const limits = steps.flatMap(({ upTo }) => (upTo === null ? [] : [new Decimal(upTo)]));
  const kinks = by === 'part' ? least.slice(0, 1) : least;
  const all = [...model.edges.map((edge) => new Decimal(edge)), ...limits, ...kinks].map(units);
  return [...new Set([...all, MOST])].filter((edge) => edge > 0).toSorted((a, b) => a - b);
}

/** The spans of one linear stretch: certain on one side of the root's neighbourhood, tried unit by unit within it. */
function spansIn(first: number, last: number, gap: (at: number) => Decimal, good: (at: number) => boolean): Span[] {
  const start = gap(first);
  const slope =
    last > first
      ? gap(last)
          .minus(start)
          .div(last - first)
      : new Decimal(0);
  const whole: Span = [first, last];
  if (slope.isZero()) {
    if (start.gt(ROUNDED)) return [whole];
    if (start.lt(-ROUNDED)) return [];
  }
  const at = (level: number) => (slope.isZero() ? first : start.neg().plus(level).div(slope).plus(first).toNumber());
  const [a, b] = [at(-ROUNDED), at(ROUNDED)].toSorted((x, y) => x - y) as [number, number];
  const from = Math.max(first, Math.floor(a));
  const to = Math.min(last, slope.isZero() ? first + WALK : Math.ceil(b), from + WALK);
  const spans: Span[] = [];
  if (slope.lt(0) && from > first) spans.push([first, Math.min(from - 1, last)]);
  for (let price = from; price <= to; price += 1) if (good(price)) spans.push([price, price]);
  if (slope.gt(0) && to < last) spans.push([Math.max(to + 1, first), last]);
  return spans;
}

function joined(spans: readonly Span[]): Span[] {
  const all: [number, number][] = [];
  for (const [from, to] of spans) {
    const before = all.at(-1);
    if (before && before[1] + 1 >= from) before[1] = Math.max(before[1], to);
    else all.push([from, to]);
  }
  return all;
}

/**
 * All prices at which the rounded profit reaches `margin` ("0.2") of the price without VAT, ascending: cliffs of fees part
 * them, so there may be several ranges. The first begins with the smallest price; empty where there is none.
 */
export function targetPrices(model: Model, margin: string): PriceRange[] {
  const unit = new Decimal(10).pow(-model.scale);
  const gap = (at: number) => exactGap(model, unit.times(at), margin).div(unit);
  const good = (at: number) => reaches(model, unit.times(at), margin);
  const spans: Span[] = [];
  let first = 1;
  for (const last of edgesOf(model)) {
    if (last >= first) spans.push(...spansIn(first, last, gap, good));
    first = last + 1;
  }
  const text = (at: number) => unit.times(at).toFixed(model.scale);
  return joined(spans).map(([from, to]) => ({ from: text(from), to: to >= MOST ? null : text(to) }));
}
