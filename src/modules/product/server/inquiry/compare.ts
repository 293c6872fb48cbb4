import { Decimal } from '#kit/contract/decimal.ts';
import { buyQty, lineAmount, type PriceTier, tierFor } from '../catalogue/tiers.ts';

export interface OfferTerms {
  currency: string;
  taxIncluded: boolean;
  tiers: readonly PriceTier[];
  moq: number;
  orderMultiple: number;
  /** Tax of the supplier's invoices, "0.13"; "0" where he makes none. */
  invoiceRate: string;
}

export interface OfferPrice {
  buyQty: number;
  unitPrice: string;
  amount: string;
  baseUnit: string | null;
  baseAmount: string | null;
}

/**
 * What an offer comes to for at least `qty` pieces, tax included, so that offers with and without tax compare: a price
 * without it is raised by the rate of the supplier's invoices. `rate` is CNY for one unit of his currency, undefined
 * where nobody knows it: then there is nothing in CNY, never an amount taken one to one.
 */
export function priceOffer(terms: OfferTerms, qty: number, rate: string | undefined): OfferPrice | undefined {
  const pieces = buyQty(qty, terms.moq, terms.orderMultiple);
  const tier = tierFor(terms.tiers, pieces);
  if (!tier) return undefined;
  const taxed = terms.taxIncluded
    ? tier.unitPrice
    : new Decimal(terms.invoiceRate).plus(1).times(tier.unitPrice).toFixed();
  const amount = lineAmount(pieces, taxed, terms.currency);
  const baseAmount = rate === undefined ? null : new Decimal(amount).times(rate).toFixed(2);
  return {
    buyQty: pieces,
    unitPrice: tier.unitPrice,
    amount,
    baseUnit: rate === undefined ? null : new Decimal(taxed).times(rate).toFixed(4),
    baseAmount,
  };
}

/** Place of the offer that costs least to have enough pieces; the shorter delivery decides between equals; -1: none. */
export function bestOf(offers: readonly { valid: boolean; baseAmount: string | null; leadDays: number }[]): number {
  let best = -1;
  for (const [index, offer] of offers.entries()) {
    if (!offer.valid || offer.baseAmount === null) continue;
    const leader = offers[best];
    const order = leader?.baseAmount ? new Decimal(offer.baseAmount).cmp(leader.baseAmount) : -1;
    if (order < 0 || (order === 0 && offer.leadDays < (leader?.leadDays ?? 0))) best = index;
  }
  return best;
}
