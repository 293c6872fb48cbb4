/** The marketplaces the simulated sellers sell in, and the calendar of their business days. */
import type { SimMarketplace } from './types.ts';

export const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

/** Reporting zones: North America counts its days in Los Angeles, Canada included. */
export const MARKETPLACES: readonly SimMarketplace[] = [
  row('ATVPDKIKX0DER', 'US', 'na', 'USD', 'America/Los_Angeles', 'Amazon.com', 'en', 'UTF-8'),
  row('A2EUQ1WTGCTBG2', 'CA', 'na', 'CAD', 'America/Los_Angeles', 'Amazon.ca', 'en', 'UTF-8'),
  row('A1F83G8C2ARO7P', 'GB', 'eu', 'GBP', 'Europe/London', 'Amazon.co.uk', 'en', 'Cp1252'),
  row('A1PA6795UKMFR9', 'DE', 'eu', 'EUR', 'Europe/Berlin', 'Amazon.de', 'de', 'Cp1252'),
  row('A13V1IB3VIYZZH', 'FR', 'eu', 'EUR', 'Europe/Berlin', 'Amazon.fr', 'fr', 'Cp1252'),
  row('A1VC38T7YXB528', 'JP', 'fe', 'JPY', 'Asia/Tokyo', 'Amazon.co.jp', 'ja', 'Shift_JIS'),
];

function row(
  marketplaceId: string,
  countryCode: string,
  region: SimMarketplace['region'],
  currency: string,
  timeZone: string,
  salesChannel: string,
  language: string,
  reportCharset: SimMarketplace['reportCharset'],
): SimMarketplace {
  return { marketplaceId, countryCode, region, currency, timeZone, salesChannel, language, reportCharset };
}

/** Marketplace of an API country code ("GB", not "UK"). Throws RangeError for one that is not simulated. */
export function marketplaceOf(countryCode: string): SimMarketplace {
  const found = MARKETPLACES.find((one) => one.countryCode === countryCode);
  if (!found) throw new RangeError(`no simulated marketplace in ${countryCode}`);
  return found;
}

interface ZoneClock {
  format: Intl.DateTimeFormat;
  offsetByHour: Map<number, number>;
}

const clocks = new Map<string, ZoneClock>();

function clockOf(timeZone: string): ZoneClock {
  let clock = clocks.get(timeZone);
  if (!clock) {
    const format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    });
    clock = { format, offsetByHour: new Map() };
    clocks.set(timeZone, clock);
  }
  return clock;
}

/**
 * Milliseconds that the zone's wall clock is ahead of UTC at an instant. Asked once per UTC hour: the zones used here
 * change their offset on whole hours only. Throws RangeError for an unknown IANA id.
 */
export function zoneOffset(timeZone: string, instant: number): number {
  const clock = clockOf(timeZone);
  const hour = Math.floor(instant / HOUR);
  const known = clock.offsetByHour.get(hour);
  if (known !== undefined) return known;
  const at: Record<string, number> = {};
  for (const part of clock.format.formatToParts(hour * HOUR)) at[part.type] = Number(part.value);
  const { year = 0, month = 1, day = 1, hour: h = 0, minute = 0, second = 0 } = at;
  const offset = Date.UTC(year, month - 1, day, h, minute, second) - hour * HOUR;
  clock.offsetByHour.set(hour, offset);
  return offset;
}

/** Business day "yyyy-MM-dd" of an instant in a zone. */
export function localDate(timeZone: string, instant: number): string {
  return new Date(instant + zoneOffset(timeZone, instant)).toISOString().slice(0, 10);
}

/** First instant of a business day. A day is [midnight, next midnight): 23 or 25 hours at a change of clocks. */
export function localMidnight(timeZone: string, day: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`);
  const near = wall - zoneOffset(timeZone, wall);
  return wall - zoneOffset(timeZone, near);
}

/** Number of a calendar day since 1970-01-01. */
export function dayNumber(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) / DAY;
}

/** Calendar day of a day number. */
export function dayOfNumber(number: number): string {
  return new Date(number * DAY).toISOString().slice(0, 10);
}

/** The calendar day after. */
export function nextDay(day: string): string {
  return dayOfNumber(dayNumber(day) + 1);
}
