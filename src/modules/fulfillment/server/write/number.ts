import { randomBytes } from 'node:crypto';

const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * A number for an order, "MCF261128-7K3QX9A2": of the company's day "yyyy-MM-dd" and by chance, for two companies may have the
 * same selling account, where it must be the only one.
 */
export function newNumber(today: string): string {
  const chance = [...randomBytes(8)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return `MCF${today.slice(2).replaceAll('-', '')}-${chance}`;
}
