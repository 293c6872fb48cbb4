import { invalidInput } from './errors.ts';

/** Query parameters as they came: a text, or several when the name was repeated. */
export type RawQuery = Record<string, string | string[] | undefined>;

/** The one text of a parameter, or undefined when it is absent or empty. */
export function text(query: RawQuery, name: string): string | undefined {
  const value = query[name];
  const first = Array.isArray(value) ? value[0] : value;
  return first === undefined || first === '' ? undefined : first;
}

/** A list, whether spelled "a,b" or "x=a&x=b". Empty when absent. At most `max` entries, else 400. */
export function list(query: RawQuery, name: string, max = 100): string[] {
  const value = query[name];
  const parts = (Array.isArray(value) ? value : [value ?? '']).flatMap((part) => part.split(','));
  const entries = parts.map((part) => part.trim()).filter((part) => part !== '');
  if (entries.length > max) throw invalidInput(`${name}: at most ${max} values are allowed`);
  return entries;
}

/** A list of values from a fixed set; 400 names the first that is none of them. */
export function listOf<T extends string>(query: RawQuery, name: string, allowed: readonly T[]): T[] {
  return list(query, name).map((value) => {
    const known = allowed.find((candidate) => candidate === value);
    if (known === undefined) throw invalidInput(`${name}: '${value}' is not one of ${allowed.join(', ')}`);
    return known;
  });
}

/** An ISO 8601 date or date-time as epoch ms; undefined when absent, 400 when it is none. */
export function instant(query: RawQuery, name: string): number | undefined {
  const value = text(query, name);
  return value === undefined ? undefined : parseInstant(name, value);
}

/** As `instant`, for a value that is there. A missing offset means UTC. */
export function parseInstant(name: string, value: string): number {
  const shape = /^\d{4}-\d{2}-\d{2}(T\d{2}:\d{2}(:\d{2}(\.\d+)?)?(Z|[+-]\d{2}:?\d{2})?)?$/;
  const zoned = /T.*(Z|[+-]\d{2}:?\d{2})$/.test(value) || !value.includes('T') ? value : `${value}Z`;
  const at = shape.test(value) ? Date.parse(zoned) : Number.NaN;
  if (Number.isNaN(at)) throw invalidInput(`${name}: '${value}' is not an ISO 8601 date time`);
  return at;
}

/** A whole number within [min, max]; `fallback` when absent, 400 otherwise. */
export function integer(query: RawQuery, name: string, range: { min: number; max: number; fallback: number }): number {
  const value = text(query, name);
  if (value === undefined) return range.fallback;
  const number = Number(value);
  if (!Number.isInteger(number) || number < range.min || number > range.max) {
    throw invalidInput(`${name}: must be a whole number between ${range.min} and ${range.max}`);
  }
  return number;
}
