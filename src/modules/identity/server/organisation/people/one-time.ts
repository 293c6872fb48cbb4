import { randomInt } from 'node:crypto';

// Without letters and digits that are mistaken for one another when read out.
const SETS = ['abcdefghjkmnpqrstuvwxyz', 'ABCDEFGHJKLMNPQRSTUVWXYZ', '23456789', '!@#%*-_+='];
const LENGTH = 14;

function pick(from: string): string {
  return from.charAt(randomInt(from.length));
}

/** A password of 14 characters of all four classes, strict enough for every profile. */
export function oneTimePassword(): string {
  const letters = SETS.map(pick);
  while (letters.length < LENGTH) letters.push(pick(SETS.join('')));
  for (let at = letters.length - 1; at > 0; at -= 1) {
    const other = randomInt(at + 1);
    [letters[at], letters[other]] = [letters[other] ?? '', letters[at] ?? ''];
  }
  return letters.join('');
}
