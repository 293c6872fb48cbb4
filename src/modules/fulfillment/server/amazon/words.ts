/**
 * Fulfillment Outbound API 2020-07-01: this folder alone knows the version, its paths, shapes and words. What the rest of the
 * module reads is made of them here.
 */
import type { Recipient } from '../../contract/create.ts';
import type { Speed } from '../../contract/states.ts';

/** Where the API begins, and its orders. */
export const BASE = '/fba/outbound/2020-07-01';
export const ORDERS = `${BASE}/fulfillmentOrders`;
/** Path of an order. */
export const pathOf = (number: string): string => `${ORDERS}/${encodeURIComponent(number)}`;

/** Speeds in Amazon's words. */
export const SPEED_WORDS: Readonly<Record<Speed, string>> = {
  STANDARD: 'Standard',
  EXPEDITED: 'Expedited',
  PRIORITY: 'Priority',
};
/** Speeds that are offered; days of the buyer's choice exist in Japan alone and are read as standard. */
export const speedOf = (words: string | undefined): Speed =>
  words === 'Priority' ? 'PRIORITY' : words === 'Expedited' ? 'EXPEDITED' : 'STANDARD';

/** An address as the API has it. */
export interface ApiAddress {
  name?: string;
  addressLine1?: string;
  addressLine2?: string;
  city?: string;
  stateOrRegion?: string;
  postalCode?: string;
  countryCode?: string;
  phone?: string;
}

/**
 * The first line of an address. In Japan Amazon takes no city apart: it stands before the street, in scripts of the country
 * without a blank.
 */
export function firstLineOf({ country, city, line1 }: Pick<Recipient, 'country' | 'city' | 'line1'>): string {
  if (country !== 'JP' || city === '' || line1.startsWith(city)) return line1;
  return /^[\x20-\x7e]*$/.test(city + line1) ? `${city}, ${line1}` : `${city}${line1}`;
}

/** Characters of a first line that Amazon takes. */
const LONGEST_LINE = 180;

/** Why an address does not fit into Amazon's, beyond what the form checks; undefined where it does. */
export const lineProblem = (to: Pick<Recipient, 'country' | 'city' | 'line1'>): string | undefined =>
  firstLineOf(to).length > LONGEST_LINE
    ? `日本地址的城市写在地址1前面，两者合计不能超过 ${LONGEST_LINE} 个字符`
    : undefined;

/** An address as the API takes it. */
export function addressOf(to: Recipient): ApiAddress {
  return {
    name: to.name,
    addressLine1: firstLineOf(to),
    ...(to.line2 ? { addressLine2: to.line2 } : {}),
    ...(to.country === 'JP' ? {} : { city: to.city }),
    ...(to.region ? { stateOrRegion: to.region } : {}),
    postalCode: to.postalCode,
    countryCode: to.country,
    ...(to.phone ? { phone: to.phone } : {}),
  };
}

/** The same as the form of the product has it; a city of Japan stays in the line. */
export function recipientOf(from: ApiAddress): Partial<Recipient> {
  return {
    name: from.name ?? '',
    line1: from.addressLine1 ?? '',
    line2: from.addressLine2 ?? '',
    city: from.city ?? '',
    region: from.stateOrRegion ?? '',
    postalCode: from.postalCode ?? '',
    country: from.countryCode ?? '',
    phone: from.phone ?? '',
  };
}
