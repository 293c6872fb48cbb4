import { Decimal, round, sum } from '#kit/contract/decimal.ts';

/** Net, tax and gross of a line or a document: decimal texts in one currency; net + tax = gross. */
export interface Amounts {
  net: string;
  tax: string;
  gross: string;
}

/** Splits a gross price: net = round(gross·100/(100+rate), 2) half up, tax = gross − net. `rate` in percent. */
export function splitGross(gross: string, rate: string): Amounts {
  const net = round(new Decimal(gross).times(100).div(new Decimal(rate).plus(100)), 2);
  return { gross: new Decimal(gross).toFixed(2), net, tax: new Decimal(gross).minus(net).toFixed(2) };
}

/** A gross price whose tax somebody else reckoned. */
export function withTax(gross: string, tax: string): Amounts {
  const net = new Decimal(gross).minus(tax);
  return { gross: new Decimal(gross).toFixed(2), tax: new Decimal(tax).toFixed(2), net: net.toFixed(2) };
}

/** Sums of lines. */
export function total(lines: readonly Amounts[]): Amounts {
  const of = (key: keyof Amounts) => new Decimal(sum(lines.map((line) => line[key]))).toFixed(2);
  return { net: of('net'), tax: of('tax'), gross: of('gross') };
}

/** Sums of lines by rate, the highest rate first. */
export function byRate<L extends Amounts & { rate: string }>(lines: readonly L[]): (Amounts & { rate: string })[] {
  const groups = Map.groupBy(lines, ({ rate }) => new Decimal(rate).toFixed());
  return [...groups]
    .map(([rate, same]) => ({ rate, ...total(same) }))
    .sort((a, b) => new Decimal(b.rate).comparedTo(a.rate));
}
