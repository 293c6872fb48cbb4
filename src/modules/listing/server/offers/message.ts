import { formatInteger, formatMoney } from '#kit/contract/format.ts';

/** What goes by feeds. */
export type FeedKind = 'price' | 'quantity';

/** What a listing is and what it shall be. */
export interface Offer {
  sellerSku: string;
  marketplaceId: string;
  currency: string;
  productType: string | null;
  kind: FeedKind;
  oldValue: string | null;
  newValue: string;
}

/**
 * The body of a message of JSON_LISTINGS_FEED: one attribute and no other. A price is merged: "replace" would drop sale
 * price and other audiences; no fulfilment attribute goes with it, which would make an FBA offer the merchant's.
 */
export function bodyOf({ sellerSku, marketplaceId, currency, productType, kind, newValue }: Offer): object {
  const price = {
    op: 'merge',
    path: '/attributes/purchasable_offer',
    value: [
      {
        marketplace_id: marketplaceId,
        currency,
        audience: 'ALL',
        our_price: [{ schedule: [{ value_with_tax: Number(newValue) }] }],
      },
    ],
  };
  const quantity = {
    op: 'replace',
    path: '/attributes/fulfillment_availability',
    value: [{ fulfillment_channel_code: 'DEFAULT', quantity: Number(newValue) }],
  };
  return {
    sku: sellerSku,
    operationType: 'PATCH',
    productType: productType ?? 'PRODUCT',
    patches: [kind === 'price' ? price : quantity],
  };
}

/** A value of an offer in words, "—" where there was none. */
export function valueWords({ kind, currency }: Pick<Offer, 'kind' | 'currency'>, value: string | null): string {
  if (value === null) return '—';
  return kind === 'price' ? formatMoney(value, currency) : formatInteger(Number(value));
}
