const MINUTE = 60_000;
const DAY_MS = 86_400_000;

/** Minutes of the day, [from, to), in which people work: 09:00-12:00 and 13:30-18:00. */
const SHIFTS: readonly (readonly [number, number])[] = [
  [9 * 60, 12 * 60],
  [13 * 60 + 30, 18 * 60],
];

/** Whether a calendar day "yyyy-MM-dd" is worked on. */
export type IsWorkday = (day: string) => boolean;

const formats = new Map<string, Intl.DateTimeFormat>();

function formatOf(zone: string): Intl.DateTimeFormat {
  let format = formats.get(zone);
  if (!format) {
    format = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
    formats.set(zone, format);
  }
  return format;
}

/** Wall-clock time of an instant in a zone, as if it were UTC (epoch ms). */
function wallOf(at: number, zone: string): number {
  const whole = Math.floor(at / 1000) * 1000;
  return Date.parse(`${formatOf(zone).format(whole).replace(' ', 'T')}Z`) + (at - whole);
}

/** Calendar day of an instant in a zone. */
export function dayOf(at: number, zone: string): string {
  return new Date(wallOf(at, zone)).toISOString().slice(0, 10);
}

export function nextDay(day: string): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + DAY_MS).toISOString().slice(0, 10);
}

/** Instant at which clocks of a zone show a minute of a day; in a gap of the clock, the instant after it. */
function instantOf(day: string, minute: number, zone: string): number {
  const wall = Date.parse(`${day}T00:00:00Z`) + minute * MINUTE;
  const guess = wall - (wallOf(wall, zone) - wall);
  return guess + (wall - wallOf(guess, zone));
}

function* shiftsFrom(start: number, zone: string, isWorkday: IsWorkday): Generator<readonly [number, number]> {
  for (let day = dayOf(start, zone); ; day = nextDay(day)) {
    if (!isWorkday(day)) continue;
    for (const [from, to] of SHIFTS) {
      const end = instantOf(day, to, zone);
      if (end > start) yield [Math.max(start, instantOf(day, from, zone)), end];
    }
  }
}

/**
 * The instant (epoch ms) at which `ms` of working time have passed since `start`; `start` itself for none. Work that
 * ends with a shift is due at its end, not at the beginning of the next one.
 */
export function afterWorking(start: number, ms: number, zone: string, isWorkday: IsWorkday): number {
  if (ms <= 0) return start;
  let left = ms;
  for (const [from, to] of shiftsFrom(start, zone, isWorkday)) {
    if (left <= to - from) return from + left;
    left -= to - from;
  }
  return start;
}

/** Working time between two instants in ms; none where `to` is not after `from`. */
export function workedBetween(from: number, to: number, zone: string, isWorkday: IsWorkday): number {
  let total = 0;
  for (const [begin, end] of shiftsFrom(from, zone, isWorkday)) {
    if (begin >= to) return total;
    total += Math.min(end, to) - begin;
  }
  return total;
}
