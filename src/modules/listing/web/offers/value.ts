import { formatInteger, formatMoney } from '#kit/contract/format.ts';
import type { OfferChange } from '../../contract/offers.ts';
import { type Terms, termsWords } from '../../contract/terms.ts';

/** A price in its currency, or pieces; "—" where there was none. */
export function valueText(
  { kind, currency }: Pick<OfferChange, 'kind' | 'currency'>,
  value: string | null,
  terms: Terms | null = null,
): string {
  if (kind !== 'price' && kind !== 'quantity') return terms === null ? '—' : termsWords(terms, currency);
  if (value === null) return '—';
  return kind === 'price' ? formatMoney(value, currency) : formatInteger(Number(value));
}
