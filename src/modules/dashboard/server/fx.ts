import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { PRESET_RATES } from '#modules/finance/contract/rates.ts';
import { monthRates } from '#modules/finance/server/index.ts';

/** An amount of one currency on the days of one month ("yyyy-MM"). */
export interface MonthAmount {
  currency: string;
  month: string;
}

export interface Conversion {
  currency: string;
  /** Several currencies, or another one than asked for, went into it. */
  converted: boolean;
  /** The amount in the target currency at full precision; null where a rate is missing. */
  convert: (amount: string, of: MonthAmount) => string | null;
  missing: () => string[];
  presets: () => string[];
}

/**
 * How amounts come into one currency: unchanged where there is one, else into `wanted` or CNY by the rate of their
 * month, the company's own before the preset. A missing rate gives null, never 0, and is remembered.
 */
export async function conversionOf(ctx: Ctx, currencies: readonly string[], wanted: string): Promise<Conversion> {
  const [only, ...others] = currencies;
  const currency = wanted === 'auto' ? (others.length === 0 ? (only ?? 'CNY') : 'CNY') : wanted;
  const own = await monthRates(ctx);
  const missing = new Set<string>();
  const presets = new Set<string>();
  const rateOf = (key: string, code: string): string | undefined => {
    const known = own.get(key);
    if (known === undefined && PRESET_RATES[code] !== undefined && code !== 'CNY') presets.add(key);
    return known ?? PRESET_RATES[code];
  };
  return {
    currency,
    converted: currencies.some((one) => one !== currency),
    convert(amount, of) {
      if (of.currency === currency) return amount;
      const from = `${of.currency} ${of.month}`;
      const into = `${currency} ${of.month}`;
      const [a, b] = [rateOf(from, of.currency), rateOf(into, currency)];
      if (a === undefined) missing.add(from);
      if (b === undefined) missing.add(into);
      return a === undefined || b === undefined ? null : new Decimal(amount).times(a).div(b).toFixed();
    },
    missing: () => [...missing].sort(),
    presets: () => [...presets].sort(),
  };
}
