import { Decimal } from '#kit/contract/decimal.ts';
import { type Model, profitAt } from './profit.ts';
import { edgesOf, targetPrices } from './targets.ts';

/** Profit of one piece over its price with VAT, in the currency of the country. */
export interface ProfitCurve {
  /** Ascending; both sides of every cliff are among them, so that between two of them the profit is as good as straight. */
  points: readonly { price: string; profit: string }[];
  /** The smallest price that loses nothing; null where there is none. */
  breakEven: string | null;
}

/** Prices beside the edges at which the curve can be read. */
const SAMPLES = 60;
/** How far it goes beyond the greater of the price and the break-even price. */
const BEYOND = '1.6';

/** What a piece brings at every price up to well beyond `price`, all lines rounded as they are charged. */
export function profitCurve(model: Model, price: string): ProfitCurve {
  const breakEven = targetPrices(model, '0')[0]?.from ?? null;
  const unit = new Decimal(10).pow(-model.scale);
  const most = Decimal.max(price, breakEven ?? 0, unit.times(SAMPLES)).times(BEYOND);
  const last = most.div(unit).ceil().toNumber();
  const at = new Set<number>();
  for (let step = 0; step <= SAMPLES; step += 1) at.add(Math.round((last * step) / SAMPLES));
  for (const edge of edgesOf(model)) for (const side of [edge, edge + 1]) if (side <= last) at.add(side);
  const points = [...at]
    .toSorted((a, b) => a - b)
    .map((units) => profitAt(model, unit.times(units).toFixed()))
    .map(({ price: of, profit }) => ({ price: of, profit }));
  return { points, breakEven };
}

/** Pieces that pay fixed costs (CNY) at what one brings; `rate`: CNY for one unit. Null where a piece brings nothing, or no rate is known. */
export function piecesToCover(fixed: string, profit: string, rate: string): number | null {
  const brings = new Decimal(profit).times(rate.trim() === '' ? '0' : rate);
  return brings.lte(0) ? null : new Decimal(fixed.trim() === '' ? '0' : fixed).div(brings).ceil().toNumber();
}
