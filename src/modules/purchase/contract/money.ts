import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';

/** Amount of pieces at a price, rounded half up to the smallest unit of the currency. */
export function amountOf(qty: number, unitPrice: string, currency: string): string {
  return round(new Decimal(unitPrice).times(qty), currencyScale(currency));
}

/** Tax that is contained in an amount, rounded to the smallest unit of the currency. */
export function taxWithin(amount: string, taxRate: string, currency: string): string {
  const net = new Decimal(amount).div(new Decimal(taxRate).plus(1));
  return round(new Decimal(amount).minus(net), currencyScale(currency));
}

/** What a line says about money. Prices in the order's currency, tax included. */
export interface Priced {
  qty: number;
  unitPrice: string;
  taxRate: string;
  rebateRate: string;
  /** Share of freight and fees less discount. */
  charge: string;
}

/**
 * Amount that is owed for `net` pieces (received less returned): each event changes it by the difference of two such
 * sums, so that receipts and returns together never differ from the whole by a rounding.
 */
export function goodsDue(line: Pick<Priced, 'unitPrice'>, net: number, currency: string): string {
  return amountOf(net, line.unitPrice, currency);
}

/** Part of the line's charge that is owed once `came` of its pieces have come; beyond the ordered ones no more. */
export function chargeDue(line: Pick<Priced, 'qty' | 'charge'>, came: number, currency: string): string {
  const share = new Decimal(line.charge).times(Math.min(came, line.qty)).div(line.qty);
  return round(share, currencyScale(currency));
}

/**
 * Money back on export: price without tax times the rebate rate; only with a special invoice.
 * Example: 33.90 with 13 % tax and 9 % rebate is 30.00 without tax, 2.70 back, 31.20 in stock.
 */
export function rebateOf(amount: string, line: Pick<Priced, 'taxRate' | 'rebateRate'>, invoice: string): string {
  if (invoice !== 'special') return '0';
  return round(new Decimal(amount).div(new Decimal(line.taxRate).plus(1)).times(line.rebateRate), 4);
}

/** Part of what was received that had been paid before, at the rate of that day; null for one that is not known. */
export interface Prepaid {
  amount: string;
  rate: string | null;
}

/**
 * Value in CNY of an amount of goods: what was paid ahead counts at the rate of its payment, the rest at the rate of the
 * receipt. Four decimals.
 */
export function inCny(amount: string, prepaid: readonly Prepaid[], rate: string): string {
  let rest = new Decimal(amount);
  let value = new Decimal(0);
  for (const part of prepaid) {
    const taken = Decimal.min(rest, part.amount);
    value = value.plus(taken.times(part.rate ?? rate));
    rest = rest.minus(taken);
  }
  return round(value.plus(rest.times(rate)), 4);
}

/** A line as customs see it: order currency, for all of its pieces. */
export interface Imported {
  /** Price of the goods, and their share of freight and fees: together the customs value. */
  amount: string;
  charge: string;
  dutyRate: string;
  /** Stands instead of the share; null: the share counts. */
  dutyAmount: string | null;
  importVatRate: string;
  importVatAmount: string | null;
}

/**
 * What customs are expected to take for a line, order currency, to its smallest unit: duty = customs value × rate, import VAT
 * = (customs value + duty) × rate, as 《海关法》 and 《增值税暂行条例》 reckon both for goods without consumption tax.
 * Example: 1,000.00 with 10 % duty and 13 % VAT: 100.00 and 143.00.
 */
export function importTaxes(line: Imported, currency: string): { duty: string; importVat: string } {
  const scale = currencyScale(currency);
  const value = Decimal.max(0, new Decimal(line.amount).plus(line.charge));
  const duty = round(line.dutyAmount ?? value.times(line.dutyRate), scale);
  const importVat = round(line.importVatAmount ?? value.plus(duty).times(line.importVatRate), scale);
  return { duty, importVat };
}

/**
 * What `qty` pieces have of an amount that stands for `of` of them, to the smallest unit of the currency. Example: 100 JPY for
 * three pieces are 67 for two.
 */
export function amountOfPieces(amount: string, qty: number, of: number, currency: string): string {
  return qty === of ? amount : round(new Decimal(amount).times(qty).div(of), currencyScale(currency));
}

/** What is left of what was paid ahead once `amount` of it is used, the first parts first. */
export function prepaidAfter(amount: string, prepaid: readonly Prepaid[]): Prepaid[] {
  let used = new Decimal(amount);
  return prepaid.flatMap((part) => {
    const taken = Decimal.min(used, part.amount);
    used = used.minus(taken);
    const left = new Decimal(part.amount).minus(taken);
    return left.isZero() ? [] : [{ ...part, amount: left.toFixed() }];
  });
}

/** Most pieces that may come for an ordered quantity: the tolerance is a share, cut to whole pieces. */
export function limitOf(qty: number, tolerance: string): number {
  return new Decimal(tolerance).plus(1).times(qty).floor().toNumber();
}
