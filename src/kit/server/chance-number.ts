import { randomBytes } from 'node:crypto';

const LETTERS = '23456789ABCDEFGHJKLMNPQRSTUVWXYZ';

/**
 * A number of a company's document that another system knows it by, "MCF261128-7K3QX9A2": of the company's day "yyyy-MM-dd" and by
 * chance, for two companies may have the same account there, where it must be the only one.
 */
export function chanceNumber(prefix: string, today: string): string {
  const chance = [...randomBytes(8)].map((byte) => LETTERS[byte % LETTERS.length]).join('');
  return `${prefix}${today.slice(2).replaceAll('-', '')}-${chance}`;
}
