import { z } from 'zod';

/** Sums over a whole filter, by field of the row. */
export type Totals = Record<string, string | number | null>;

/** How sums of one money field stand where they are of several currencies. */
export interface MixedSums {
  /** One each, decimal text, by currency. */
  each: readonly { currency: string; amount: string | null }[];
  /** All whose rate is known, together in `base`; null where no rate is known. */
  converted: string | null;
  base: string;
  /** Day of the rates, "yyyy-MM-dd". */
  day: string;
  /** Currencies without a rate: they are not in `converted`. */
  missing: readonly string[];
}

const Text = z.string().nullish();

/**
 * Puts the sums of a field into totals: its own key is null, as several currencies have no common sum, one sum stands
 * under each "field.USD", the converted one under "field.base"; `mixed` tells how many currencies there are.
 */
export function putMixed(totals: Totals, field: string, sums: MixedSums): void {
  totals.mixed = sums.each.length;
  totals['mixed.base'] = sums.base;
  totals['mixed.day'] = sums.day;
  totals['mixed.missing'] = sums.missing.join(' ') || null;
  totals[field] = null;
  for (const { currency, amount } of sums.each) totals[`${field}.${currency}`] = amount;
  totals[`${field}.base`] = sums.converted;
}

/** The sums of a field that putMixed() put; undefined where all is of one currency. */
export function mixedOf(totals: Readonly<Record<string, unknown>>, field: string): MixedSums | undefined {
  if (!totals.mixed) return undefined;
  const text = (key: string) => Text.parse(totals[key]) ?? null;
  const each = Object.keys(totals).flatMap((key) => {
    const [name, currency] = key.split('.');
    return name === field && currency && currency !== 'base' ? [{ currency, amount: text(key) }] : [];
  });
  return {
    each,
    converted: text(`${field}.base`),
    base: text('mixed.base') ?? '',
    day: text('mixed.day') ?? '',
    missing: text('mixed.missing')?.split(' ') ?? [],
  };
}

/** The totals without those of fields that the caller may not see, whatever currency they are in. */
export function withoutFields(totals: Totals, hidden: readonly string[]): Totals {
  return Object.fromEntries(Object.entries(totals).filter(([key]) => !hidden.includes(key.split('.')[0] ?? key)));
}
