import type { z } from 'zod';
import type { Treatment as TreatmentField } from '../../contract/fields.ts';
import type { RateRow } from '../../contract/settings.ts';
import { vatNumber } from './numbers.ts';
import { rateOf } from './rates.ts';

export type Treatment = z.infer<typeof TreatmentField>;

/** Member states; Northern Ireland's special standing for goods is not told apart. */
const UNION: ReadonlySet<string> = new Set(
  'AT BE BG HR CY CZ DK EE FI FR DE GR HU IE IT LV LT LU MT NL PL PT RO SK SI ES SE'.split(' '),
);

/** ISO code of a country as Amazon or people write it. */
export function isoCountry(text: string): string {
  const code = text.trim().toUpperCase();
  return code === 'UK' ? 'GB' : code === 'EL' ? 'GR' : code;
}

export interface Supply {
  /** ISO countries between which the goods went. */
  from: string;
  to: string;
  /** Of the shipment, "yyyy-MM-dd". */
  day: string;
  business: boolean;
  buyerVat: string;
}

export interface Seller {
  /** Country to registered number. */
  numbers: Readonly<Record<string, string>>;
  /** Country of the one-stop-shop registration, or empty. */
  ossCountry: string;
  rates: readonly RateRow[];
}

export interface Treated {
  treatment: Treatment;
  /** Whose tax it is. */
  taxCountry: string;
  /** Percent. */
  rate: string;
  /** Country whose registration stands on the document, and whose series it is of. */
  sellerCountry: string;
}

/** Whether a buyer buys for a business that another member state knows. */
function isReverse({ from, to, buyerVat }: Supply): boolean {
  const number = vatNumber(to, buyerVat);
  return number !== undefined && UNION.has(from) && UNION.has(to) && from !== to;
}

/**
 * How a supply is taxed where Amazon does not say: at home at the rate of the country; out of the customs territory at
 * nothing; between member states to a business with a VAT number of its country at nothing, as the buyer owes the tax; to
 * anybody else at the rate of the country of consumption where the seller has the one-stop shop or a number there, else at
 * the rate of the country that it left (below the threshold of distance sales). Directive 2006/112/EC, Articles 32, 33, 138,
 * 146, 194; VATA 1994 for the United Kingdom.
 * @returns words in Chinese where something is missing
 */
export function treat(supply: Supply, seller: Seller): Treated | { problem: string } {
  const { from, to, day } = supply;
  if (!from || !to) return { problem: '缺少发货国或收货国，无法确定税率' };
  const taxed = (treatment: Treatment, country: string, sellerCountry: string): Treated | { problem: string } => {
    const rate = rateOf(seller.rates, country, day);
    if (rate === undefined) return { problem: `未维护 ${country} ${day} 的VAT税率` };
    return { treatment, taxCountry: country, rate, sellerCountry };
  };
  if (from === to) return taxed('DOMESTIC', to, to);
  const stays = UNION.has(from) && UNION.has(to);
  if (!stays) return { treatment: 'EXPORT', taxCountry: from, rate: '0', sellerCountry: from };
  if (isReverse(supply)) return { treatment: 'REVERSE', taxCountry: to, rate: '0', sellerCountry: from };
  if (seller.ossCountry) return taxed('OSS', to, from);
  return seller.numbers[to] ? taxed('DOMESTIC', to, to) : taxed('ORIGIN', from, from);
}

/**
 * What Amazon's rate means: the treatment that has it, by where the goods went. Its reports state rates and taxes, not the
 * article that they follow.
 */
export function treatmentOfAmazon(supply: Supply, seller: Seller, rate: string): Omit<Treated, 'rate'> {
  const { from, to } = supply;
  if (Number(rate) === 0) {
    const reverse = UNION.has(from) && UNION.has(to) && from !== to;
    return { treatment: reverse ? 'REVERSE' : 'EXPORT', taxCountry: reverse ? to : from, sellerCountry: from };
  }
  if (from === to) return { treatment: 'DOMESTIC', taxCountry: to, sellerCountry: to };
  const rateIn = (country: string) => Number(rateOf(seller.rates, country, supply.day));
  const isOrigin = rateIn(from) === Number(rate) && rateIn(to) !== Number(rate);
  if (isOrigin) return { treatment: 'ORIGIN', taxCountry: from, sellerCountry: from };
  const isOss = seller.ossCountry !== '' && UNION.has(from) && UNION.has(to);
  return { treatment: isOss ? 'OSS' : 'DOMESTIC', taxCountry: to, sellerCountry: isOss ? from : to };
}
