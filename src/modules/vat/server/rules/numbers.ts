import { COUNTRIES, type Country } from '../../contract/fields.ts';

/** Forms of VAT numbers behind the letters of their country, as the European Commission's VIES and HMRC publish them. */
const FORMS: Record<Country, RegExp> = {
  DE: /^\d{9}$/,
  GB: /^(\d{9}|\d{12}|GD[0-4]\d{2}|HA[5-9]\d{2})$/,
  FR: /^[A-HJ-NP-Z0-9]{2}\d{9}$/,
  IT: /^\d{11}$/,
  ES: /^([A-Z]\d{7}[A-Z0-9]|\d{8}[A-Z])$/,
  NL: /^[A-Z0-9+*]{10}\d{2}$/,
  PL: /^\d{10}$/,
  SE: /^\d{10}01$/,
  BE: /^[01]\d{9}$/,
  CZ: /^\d{8,10}$/,
  IE: /^(\d{7}[A-W][A-IW]?|\d[A-Z+*]\d{5}[A-W])$/,
  AT: /^U\d{8}$/,
};

const digitsOf = (text: string): number[] => [...text].map(Number);
const weighed = (text: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, at) => sum + weight * (digitsOf(text)[at] ?? 0), 0);

/** ISO 7064 MOD 11,10 over the first eight digits (Germany). */
function mod1110(text: string): boolean {
  const product = digitsOf(text.slice(0, 8)).reduce((before, digit) => (((digit + before) % 10 || 10) * 2) % 11, 10);
  return (11 - product) % 10 === Number(text[8]);
}

/** Luhn: every second digit from the right is doubled, and its digits added (Italy). */
function luhn(text: string): boolean {
  const sum = digitsOf(text)
    .reverse()
    .reduce((all, digit, at) => all + (at % 2 === 0 ? digit : digit * 2 - (digit > 4 ? 9 : 0)), 0);
  return sum % 10 === 0;
}

/** Sum of two digits' product, as Austria adds them. */
const cross = (digit: number): number => (digit * 2 > 9 ? digit * 2 - 9 : digit * 2);

/** Check digits of countries that publish how they are reckoned; others are held to their form alone. */
const CHECKS: Partial<Record<Country, (text: string) => boolean>> = {
  DE: mod1110,
  GB: (text) => {
    if (!/^\d/.test(text)) return true;
    const rest = weighed(text, [8, 7, 6, 5, 4, 3, 2]) + Number(text.slice(7, 9));
    return rest % 97 === 0 || (rest + 55) % 97 === 0;
  },
  FR: (text) => !/^\d{11}$/.test(text) || (12 + 3 * (Number(text.slice(2)) % 97)) % 97 === Number(text.slice(0, 2)),
  IT: luhn,
  PL: (text) => weighed(text, [6, 5, 7, 2, 3, 4, 5, 6, 7]) % 11 === Number(text[9]),
  BE: (text) => 97 - (Number(text.slice(0, 8)) % 97) === Number(text.slice(8)),
  AT: (text) => {
    const digits = digitsOf(text.slice(1));
    const sum = digits.slice(0, 7).reduce((all, digit, at) => all + (at % 2 === 0 ? digit : cross(digit)), 0);
    return (10 - ((sum + 4) % 10)) % 10 === digits[7];
  },
  SE: (text) => luhn(text.slice(0, 10)),
};

/** A number as it is stored: upper case, without blanks, dots and dashes. */
export const bareNumber = (text: string): string => text.toUpperCase().replace(/[\s.-]/g, '');

const isCountry = (text: string): text is Country => Object.hasOwn(COUNTRIES, text);

/** Country of a number by its letters; undefined where they are of none that is known. */
export function countryOfNumber(text: string): Country | undefined {
  const letters = bareNumber(text).slice(0, 2);
  return isCountry(letters) ? letters : undefined;
}

/**
 * A VAT number of a country with its letters in front, or undefined where it cannot be one: form, and check digits where the
 * country publishes how they are reckoned. Whether it is registered says VIES alone.
 */
export function vatNumber(country: string, text: string): string | undefined {
  if (!isCountry(country)) return undefined;
  const bare = bareNumber(text);
  const rest = bare.startsWith(country) ? bare.slice(2) : bare;
  if (!FORMS[country].test(rest)) return undefined;
  if (CHECKS[country]?.(rest) === false) return undefined;
  return country + rest;
}
