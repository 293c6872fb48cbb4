import type { FulfilledBy } from '../contract.ts';
import type { ListingFact } from './fact.ts';

/** How the reports of the sites spell a state, in lower case. */
const STATES: Record<string, NonNullable<ListingFact['status']>> = {
  active: 'ACTIVE',
  aktiv: 'ACTIVE',
  actif: 'ACTIVE',
  attivo: 'ACTIVE',
  attiva: 'ACTIVE',
  activo: 'ACTIVE',
  activa: 'ACTIVE',
  出品中: 'ACTIVE',
  在售: 'ACTIVE',
  inactive: 'INACTIVE',
  inaktiv: 'INACTIVE',
  inactif: 'INACTIVE',
  inattivo: 'INACTIVE',
  inattiva: 'INACTIVE',
  inactivo: 'INACTIVE',
  inactiva: 'INACTIVE',
  停止中: 'INACTIVE',
  不可售: 'INACTIVE',
  incomplete: 'INCOMPLETE',
  unvollständig: 'INCOMPLETE',
  incomplet: 'INCOMPLETE',
  incompleto: 'INCOMPLETE',
  incompleta: 'INCOMPLETE',
  未完成: 'INCOMPLETE',
};

/** State of a report row; undefined for a blank or a word that is not known, so that what is known stays. */
export function statusOf(word: string): ListingFact['status'] {
  return STATES[word.trim().toLowerCase()];
}

/** Amazon's numbers for the condition of an item, in the words of the Listings API. */
const CONDITIONS: Record<string, string> = {
  '1': 'used_like_new',
  '2': 'used_very_good',
  '3': 'used_good',
  '4': 'used_acceptable',
  '5': 'collectible_like_new',
  '6': 'collectible_very_good',
  '7': 'collectible_good',
  '8': 'collectible_acceptable',
  '10': 'refurbished_refurbished',
  '11': 'new_new',
};

/** Condition of a report row; a number that is not known stays as it is written. */
export function conditionOf(code: string): string | undefined {
  return code === '' ? undefined : (CONDITIONS[code] ?? code);
}

/** Who sends it: Amazon's channels begin with AMAZON; undefined where the report does not say. */
export function fulfilmentOf(row: { fulfillmentChannel: string }): FulfilledBy | undefined {
  if (row.fulfillmentChannel === '') return undefined;
  return row.fulfillmentChannel.toUpperCase().startsWith('AMAZON') ? 'AMAZON' : 'MERCHANT';
}
