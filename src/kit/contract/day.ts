/** The zone of a company that says no other one: the companies this is made for are Chinese. */
export const DEFAULT_ZONE = 'Asia/Shanghai';

const DAY_MS = 86_400_000;
// Made once: a format costs a hundred times what its use does.
const formats = new Map<string, Intl.DateTimeFormat>();

/** The day "yyyy-MM-dd" of an instant (a date, or milliseconds since the epoch) in an IANA zone. */
export function dayIn(zone: string, at: Date | number): string {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone });
    formats.set(zone, format);
  }
  return format.format(at);
}

/** The calendar day so many days after `day`, both "yyyy-MM-dd"; before it where `count` is negative. */
export function dayAfter(day: string, count: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + count * DAY_MS).toISOString().slice(0, 10);
}

/** The Monday of a day's week, both "yyyy-MM-dd". */
export function mondayOf(day: string): string {
  return dayAfter(day, -((new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7));
}

/** The last day "yyyy-MM-dd" of a month "yyyy-MM", or of a day's month. */
export function lastDayOf(month: string): string {
  const [year = 0, number = 1] = month.split('-').map(Number);
  return new Date(Date.UTC(year, number, 0)).toISOString().slice(0, 10);
}

const WRITTEN =
  /^(\d{4})(?:[-/.年](\d{1,2})[-/.月](\d{1,2})日?|(\d{2})(\d{2}))(?:[ T]+\d{1,2}:\d{2}(?::\d{2}(?:\.\d+)?)?Z?)?$/;

/**
 * A day "yyyy-MM-dd" as people write it in a cell: 2026-01-31, 2026/1/31, 2026年1月31日, 20260131, with or without a time
 * behind it. Undefined for another text, and for a day that does not exist.
 */
export function writtenDay(text: string): string | undefined {
  const found = WRITTEN.exec(text.trim());
  if (!found) return undefined;
  const two = (part = '') => part.padStart(2, '0');
  const day = `${found[1]}-${two(found[2] ?? found[4])}-${two(found[3] ?? found[5])}`;
  const at = new Date(`${day}T00:00:00Z`);
  return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(day) ? day : undefined;
}
