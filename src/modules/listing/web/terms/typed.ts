import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import type { Terms, TermsKind } from '../../contract/terms.ts';
import type { ListingRow } from '../../contract.ts';

/** What somebody types for one listing: a price, or tiers as "5=18.99, 10=17.99". */
export type Typed = Readonly<Record<string, string>>;

/** The days of a sale, yyyy-MM-dd of the site. */
export interface Days {
  from: string;
  to: string;
}

const NUMBER = /^\d+(\.\d+)?$/;

/** Terms as they are typed; empty where there are none. */
export function textOf(terms: Terms | null): string {
  if (terms?.tiers) return terms.tiers.map(({ from, price }) => `${from}=${price}`).join(', ');
  return terms?.price ?? '';
}

/** Terms of what was typed; null takes them away. The server says what is wrong with them. */
export function termsTyped(kind: TermsKind, text: string, { from, to }: Days): Terms | null {
  const typed = text.trim();
  if (typed === '') return null;
  if (kind === 'tiers') {
    const tiers = typed.split(/[\s,，;；]+/).map((part) => {
      const [count = '', price = ''] = part.split(/[=:：]/);
      return { from: Number(count), price };
    });
    return { tiers };
  }
  if (kind === 'b2b') return { price: typed };
  return { price: typed, ...(from ? { from } : {}), ...(to ? { to } : {}) };
}

const priced = ({ currency }: ListingRow, price: string, off: string): string =>
  round(new Decimal(price).times(new Decimal(100).minus(off)).div(100), currencyScale(currency));

/** Whether a rule for all listings can be read: "10" is 10 % off, of tiers "5=5, 10=8" by quantity. */
export function isRule(kind: TermsKind, rule: string): boolean {
  if (kind !== 'tiers') return NUMBER.test(rule);
  return rule !== '' && rule.split(/[\s,，]+/).every((part) => /^\d+[=:：]\d+(\.\d+)?$/.test(part));
}

/** What a rule makes of a listing: so many per cent off its price, of tiers off the price for businesses. */
export function byRule(kind: TermsKind, row: ListingRow, rule: string): string {
  if (row.price === null) return '';
  if (kind !== 'tiers') return priced(row, row.price, rule);
  const base = row.b2bPrice ?? row.price;
  const parts = rule.split(/[\s,，]+/).map((part) => part.split(/[=:：]/));
  return parts.map(([count = '', off = '0']) => `${count}=${priced(row, base, off)}`).join(', ');
}
