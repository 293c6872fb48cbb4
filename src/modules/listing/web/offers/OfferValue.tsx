import { formatMoney } from '#kit/contract/format.ts';
import type { OfferChange } from '../../contract/offers.ts';
import { type Terms, termsWords } from '../../contract/terms.ts';
import { valueText } from './value.ts';
import './offers.css';

interface Props {
  of: Pick<OfferChange, 'kind' | 'currency'>;
  value: string | null;
  terms: Terms | null;
}

/** Two lines of terms that one line of a column has no room for: a price and its days, the first tier and how many there are. */
function linesOf(terms: Terms, currency: string): [first: string, second: string] | undefined {
  const { tiers, from, to } = terms;
  if (tiers && tiers.length > 1) return [termsWords({ tiers: tiers.slice(0, 1) }, currency), `等 ${tiers.length} 档`];
  if (from === undefined || to === undefined) return undefined;
  return [formatMoney(terms.price, currency), `${from.slice(5)} 至 ${to.slice(5)}`];
}

/** What a price, a quantity or a part of an offer was or becomes; whole on hover. */
export function OfferValue({ of, value, terms }: Props) {
  const text = valueText(of, value, terms);
  const lines = terms === null ? undefined : linesOf(terms, of.currency);
  if (!lines) return <span className="num">{text}</span>;
  return (
    <span className="offer-value num" title={text}>
      <span>{lines[0]}</span>
      <span className="offer-pending text3">{lines[1]}</span>
    </span>
  );
}
