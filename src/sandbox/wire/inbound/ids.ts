import { hash } from 'node:crypto';

const ALPHABET = '0123456789BCDFGHJKLMNPQRSTVWXZ';

/** A UUID that depends on nothing but its arguments. */
export function uuid(...parts: (string | number)[]): string {
  const digits = hash('sha256', parts.join('|'), 'hex');
  return [8, 4, 4, 4, 12].reduce((text, length, index, lengths) => {
    const from = lengths.slice(0, index).reduce((sum, one) => sum + one, 0);
    return `${text}${index === 0 ? '' : '-'}${digits.slice(from, from + length)}`;
  }, '');
}

/** The number on the labels of a shipment, "FBA15DJ9SVVD". */
export function labelNumber(...parts: (string | number)[]): string {
  const bytes = hash('sha256', parts.join('|'), 'buffer');
  return `FBA15${[...bytes.subarray(0, 7)].map((byte) => ALPHABET[byte % ALPHABET.length]).join('')}`;
}

/** The number of the nth box of a shipment, from 1 on: "FBA15DJ9SVVDU000001". */
export function boxNumber(confirmationId: string, place: number): string {
  return `${confirmationId}U${String(place).padStart(6, '0')}`;
}
