import type { SimListing, SimMarketplace } from '../business/types.ts';
import { type OfferValue, offersAfter, offersProblem, pricePatched } from './catalogue/offer.ts';

/** One message of a JSON listings feed, unchecked. */
export interface FeedMessage {
  messageId: number;
  sku: string;
  operationType?: string;
  productType?: string;
  patches?: { op?: string; path?: string; value?: unknown[] }[];
}

/** An issue of a processing report; `messageId` 0 is about the whole feed. */
export interface Complaint {
  messageId: number;
  code: string;
  severity: 'ERROR';
  message: string;
  attributeNames?: string[];
}

/** Whose offer a patch is about. */
export interface Place {
  marketplace: SimMarketplace;
  listing: SimListing | undefined;
  /** Its offers as they are. */
  offers: readonly object[];
  /** Words in Chinese rather than in English. */
  chinese?: boolean;
}

interface AvailabilityValue {
  fulfillment_channel_code?: string;
  quantity?: number;
}

const PRICE = '/attributes/purchasable_offer';
const QUANTITY = '/attributes/fulfillment_availability';
const OPERATIONS = ['merge', 'replace', 'delete'];

const patchOf = (message: FeedMessage, path: string) => message.patches?.find((patch) => patch.path === path);
const stockValue = (message: FeedMessage) => patchOf(message, QUANTITY)?.value?.[0] as AvailabilityValue | undefined;

/** Why a message changes nothing; undefined where it is accepted. Only patches of price and quantity are simulated. */
export function messageComplaint(message: FeedMessage, place: Place): Complaint | undefined {
  const { messageId } = message;
  const error = (code: string, text: string, ...names: string[]): Complaint => ({
    messageId,
    code,
    severity: 'ERROR',
    message: text,
    ...(names.length === 0 ? {} : { attributeNames: names }),
  });
  const { listing } = place;
  if (message.operationType !== 'PATCH') return error('4000003', 'The sandbox marketplace understands PATCH only.');
  if (!listing) return error('13013', `SKU '${message.sku}' does not exist in this marketplace.`);
  if (message.productType !== listing.product.productType) {
    return error('4000004', `The product type of the listing is '${listing.product.productType}'.`);
  }
  const patches = message.patches ?? [];
  if (patches.length === 0) return error('4000001', 'A message without patches changes nothing.');
  const unknown = patches.find(
    ({ op, path }) =>
      !OPERATIONS.includes(op ?? '') || ![PRICE, QUANTITY].includes(path ?? '') || (op === 'delete' && path !== PRICE),
  );
  if (unknown) return error('4000001', `The patch '${unknown.op} ${unknown.path}' is not understood.`);
  return offerComplaint(message, { ...place, listing });
}

/** Why what patches say of price and quantity cannot be; undefined where they may, or say nothing of them. */
export function offerComplaint(message: FeedMessage, place: Place & { listing: SimListing }): Complaint | undefined {
  const { messageId } = message;
  const error: Say = (code, text, ...names) => ({
    messageId,
    code,
    severity: 'ERROR',
    message: text,
    ...(names.length === 0 ? {} : { attributeNames: names }),
  });
  return priceComplaint(message, place, error) ?? quantityComplaint(message, place.listing, error);
}

type Say = (code: string, text: string, ...names: string[]) => Complaint;

function priceComplaint(message: FeedMessage, place: Place, error: Say): Complaint | undefined {
  const { marketplace, offers } = place;
  const patch = offerPatch(message);
  if (!patch) return undefined;
  const { op, values } = patch;
  const wrong = values.map((value) => valueComplaint(value, op, marketplace, error)).find((one) => one !== undefined);
  if (wrong || op === 'delete') return wrong;
  const said = offersProblem(offersAfter(offers, op, values), values, marketplace);
  return said && error(said[0], place.chinese ? said[2] : said[1], 'purchasable_offer');
}

function valueComplaint(
  value: OfferValue,
  op: string,
  { marketplaceId, currency }: SimMarketplace,
  error: Say,
): Complaint | undefined {
  if (value.marketplace_id !== marketplaceId) {
    return error('90220', "'marketplace_id' is required but not supplied.", 'purchasable_offer');
  }
  if (value.currency !== currency) return error('99022', `The currency must be ${currency}.`, 'purchasable_offer');
  if (op === 'delete' || (op === 'merge' && value.our_price === undefined)) return undefined;
  const price = value.our_price?.[0]?.schedule?.[0]?.value_with_tax;
  if (typeof price !== 'number' || !(price > 0)) {
    return error('90111', 'The price must be greater than 0.', 'purchasable_offer');
  }
  const places = currency === 'JPY' ? 0 : 2;
  if (Number(price.toFixed(places)) !== price) {
    return error('90111', `The price has more than ${places} decimal places.`, 'purchasable_offer');
  }
  return price > 1_000_000
    ? error('8572', 'The price exceeds the maximum price of the product.', 'purchasable_offer')
    : undefined;
}

function quantityComplaint(message: FeedMessage, listing: SimListing, error: Say): Complaint | undefined {
  if (!patchOf(message, QUANTITY)) return undefined;
  const value = stockValue(message);
  if (listing.product.fulfilment === 'AFN' || value?.fulfillment_channel_code !== 'DEFAULT') {
    return error('8026', 'The quantity of an offer that Amazon fulfils cannot be set.', 'fulfillment_availability');
  }
  const { quantity } = value;
  return Number.isInteger(quantity) && (quantity ?? -1) >= 0
    ? undefined
    : error('90111', 'The quantity must be a whole number.', 'fulfillment_availability');
}

/** How a patch changes the offers of a listing. */
export interface OfferPatch {
  op: string;
  values: readonly OfferValue[];
}

/** What a message does to offers; undefined where it leaves them alone. */
export function offerPatch(message: Pick<FeedMessage, 'patches'>): OfferPatch | undefined {
  const patch = message.patches?.find(({ path }) => path === PRICE);
  if (!patch) return undefined;
  const values = Array.isArray(patch.value) ? patch.value : [];
  return { op: patch.op ?? '', values: values as OfferValue[] };
}

/** What an accepted message makes of its offer. */
export function offerOf(message: FeedMessage): { price?: string; quantity?: number; offers?: OfferPatch } {
  const offers = offerPatch(message);
  const price = pricePatched(offers?.values);
  const quantity = stockValue(message)?.quantity;
  // A price that is merged says all that there is to say.
  const isPlain =
    offers?.op === 'merge' && offers.values.every((one) => one.audience === 'ALL' && Object.keys(one).length === 4);
  return {
    ...(price === undefined ? {} : { price: String(price) }),
    ...(quantity === undefined ? {} : { quantity }),
    ...(offers && !(isPlain && price !== undefined) ? { offers } : {}),
  };
}
