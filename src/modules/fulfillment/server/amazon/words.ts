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

/** An address as the API takes it. */
export function addressOf(to: Recipient): ApiAddress {
  return {
    name: to.name,
    addressLine1: to.line1,
    ...(to.line2 ? { addressLine2: to.line2 } : {}),
    // In Japan the city is part of the lines.
    ...(to.country === 'JP' ? {} : { city: to.city }),
    ...(to.region ? { stateOrRegion: to.region } : {}),
    postalCode: to.postalCode,
    countryCode: to.country,
    ...(to.phone ? { phone: to.phone } : {}),
  };
}

/** The same as the form of the product has it. */
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
