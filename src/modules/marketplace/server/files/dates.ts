import { FileRefused, shown } from './refusal.ts';
import { localToInstant, zoneOffset } from './zones.ts';

/** Which of the two numbers in 03-04-2022 is the day. */
export type DayOrder = 'day-first' | 'month-first';

export interface DateStyle {
  /** Needed only for dates such as 03-04-2022. */
  dayOrder: DayOrder;
  /** IANA zone of times that state none. */
  timeZone: string;
}

/** A date as it was read: `instant` is UTC ('2026-01-15T23:30:00.000Z'), `day` the calendar day as written. */
export interface ReadDate {
  instant: string;
  day: string;
}

const TIME = String.raw`(?:[T\s,]+(\d{1,2})[:.](\d{2})(?:[:.](\d{2})(?:\.(\d{1,9}))?)?\s*([AaPp]\.?[Mm]\.?)?\s*([A-Za-z]{1,5}(?:[+-]\d{1,2}(?::?\d{2})?)?|[+-]\d{2}:?\d{2})?)?`;
const YEAR_FIRST = new RegExp(String.raw`^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${TIME}$`);
const NUMERIC = new RegExp(String.raw`^(\d{1,2})([-/.])(\d{1,2})[-/.](\d{4}|\d{2})${TIME}$`);
const NAMED = new RegExp(String.raw`^([A-Za-z]{3,9})\.?\s+(\d{1,2}),?\s+(\d{4})${TIME}$`);
const DAY_NAMED = new RegExp(String.raw`^(\d{1,2})[-\s]([A-Za-z]{3,9})[-\s](\d{4})${TIME}$`);
const MONTHS = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ');

/** The commonest spelling by far, taken apart without a pattern engine's backtracking. */
const FAST = /^(\d{4})[-/](\d{2})[-/](\d{2})[T ](\d{2}):(\d{2}):(\d{2})(?: UTC|Z|\+00:?00)$/;

interface Parts {
  year: number;
  month: number;
  day: number;
  /** Groups of TIME, from hour to zone. */
  time: readonly (string | undefined)[];
}

/**
 * Reads one date. Spellings: `yyyy-MM-dd`, `yyyy/MM/dd`, `dd.MM.yyyy`, day and month with `-` or `/` and a year of two or
 * four digits (order by `style`), `Feb 1, 2020`; then optionally a time of 24 or 12 hours and a zone (UTC, PST, JST,
 * +02:00 …). Without a zone, and for a date without a time (midnight), `style.timeZone` applies.
 * @returns undefined when the text is no date or no such day exists
 */
export function parseDate(text: string, style: DateStyle): ReadDate | undefined {
  const fast = FAST.exec(text);
  if (fast) {
    const [, year, month, day, hour, minute, second] = fast;
    if (!isDay(Number(year), Number(month), Number(day)) || !isTime(Number(hour), Number(minute), Number(second))) {
      return undefined;
    }
    return { instant: `${year}-${month}-${day}T${hour}:${minute}:${second}.000Z`, day: `${year}-${month}-${day}` };
  }
  const parts = partsOf(text.trim(), style.dayOrder);
  if (!parts || !isDay(parts.year, parts.month, parts.day)) return undefined;
  const clock = clockOf(parts.time);
  if (!clock) return undefined;
  const local = Date.UTC(parts.year, parts.month - 1, parts.day) + clock.ms;
  const epoch = clock.offset === undefined ? localToInstant(local, style.timeZone) : local - clock.offset * 60_000;
  return { instant: new Date(epoch).toISOString(), day: new Date(local).toISOString().slice(0, 10) };
}

function partsOf(text: string, order: DayOrder): Parts | undefined {
  const first = YEAR_FIRST.exec(text);
  if (first) return { year: Number(first[1]), month: Number(first[2]), day: Number(first[3]), time: first.slice(4) };
  const numeric = NUMERIC.exec(text);
  if (numeric) {
    const [a, b] = [Number(numeric[1]), Number(numeric[3])];
    const year = Number(numeric[4]);
    // A point between day and month is the German spelling: always day first.
    const dayFirst = numeric[2] === '.' || order === 'day-first';
    const time = numeric.slice(5);
    return { year: year < 100 ? 2000 + year : year, month: dayFirst ? b : a, day: dayFirst ? a : b, time };
  }
  const named = NAMED.exec(text);
  if (named) return namedParts(named[1], named[2], named);
  const dayNamed = DAY_NAMED.exec(text);
  return dayNamed ? namedParts(dayNamed[2], dayNamed[1], dayNamed) : undefined;
}

/** Month and day by name and number; year and time stand behind both in either spelling. */
function namedParts(month: string | undefined, day: string | undefined, found: RegExpExecArray): Parts {
  const number = MONTHS.indexOf((month ?? '').slice(0, 3).toLowerCase()) + 1;
  return { year: Number(found[3]), month: number, day: Number(day), time: found.slice(4) };
}

function clockOf(time: readonly (string | undefined)[]): { ms: number; offset: number | undefined } | undefined {
  const [hourText, minuteText, secondText, fraction, half, zone] = time;
  if (hourText === undefined) return { ms: 0, offset: undefined };
  let hour = Number(hourText);
  if (half) {
    if (hour < 1 || hour > 12) return undefined;
    hour = (hour % 12) + (half.toLowerCase().startsWith('p') ? 12 : 0);
  }
  const minute = Number(minuteText ?? 0);
  const second = Number(secondText ?? 0);
  if (!isTime(hour, minute, second)) return undefined;
  const offset = zone === undefined ? undefined : zoneOffset(zone);
  if (zone !== undefined && offset === undefined) return undefined;
  const ms = (hour * 3600 + minute * 60 + second) * 1000 + Number((fraction ?? '').padEnd(3, '0').slice(0, 3));
  return { ms, offset };
}

function isDay(year: number, month: number, day: number): boolean {
  if (year < 1990 || year > 2100 || month < 1 || month > 12 || day < 1) return false;
  return day <= 28 || day <= new Date(Date.UTC(year, month, 0)).getUTCDate();
}

function isTime(hour: number, minute: number, second: number): boolean {
  return hour < 24 && minute < 60 && second < 60;
}

/** Collects what the dates of one file say about the order of day and month. */
export class DayOrderEvidence {
  #proof: Partial<Record<DayOrder, { line: number; value: string; column: string }>> = {};
  #open: { line: number; value: string; column: string } | undefined;

  see(text: string, line: number, column: string): void {
    const code = text.charCodeAt(4);
    // yyyy- and yyyy/ need no evidence, and are nearly all there is.
    if (code === 45 || code === 47) {
      if (/^\d{4}/.test(text)) return;
    }
    const match = /^\s*(\d{1,2})[-/](\d{1,2})[-/](?:\d{4}|\d{2})(?!\d)/.exec(text);
    if (!match) return;
    const [a, b] = [Number(match[1]), Number(match[2])];
    const order = a > 12 && b <= 12 ? 'day-first' : b > 12 && a <= 12 ? 'month-first' : undefined;
    if (order) this.#proof[order] ??= { line, value: text, column };
    else if (a !== b) this.#open ??= { line, value: text, column };
  }

  /**
   * @param fallback order to take when nothing proves one; without it such a file is refused
   * @throws FileRefused CONTRADICTION or UNDECIDABLE
   */
  decide(fallback?: DayOrder): DayOrder {
    const day = this.#proof['day-first'];
    const month = this.#proof['month-first'];
    if (day && month) {
      const [first, second] = day.line <= month.line ? [day, month] : [month, day];
      throw new FileRefused(
        'CONTRADICTION',
        `日期写法前后矛盾：第 ${first.line} 行为“${shown(first.value)}”，第 ${second.line} 行为“${shown(second.value)}”，无法判断日和月的顺序`,
        { line: second.line, column: second.column, value: second.value },
      );
    }
    if (day) return 'day-first';
    if (month) return 'month-first';
    if (fallback) return fallback;
    if (this.#open) {
      throw new FileRefused(
        'UNDECIDABLE',
        `日期“${shown(this.#open.value)}”无法判断日和月的顺序，请指定日期格式`,
        this.#open,
      );
    }
    return 'month-first';
  }
}

/** Parses or refuses; null for an empty cell. @throws FileRefused DATE */
export function dateCell(text: string, style: DateStyle, place: { line: number; column: string }): ReadDate | null {
  if (text === '' || text.trim() === '') return null;
  const date = parseDate(text, style);
  if (!date) throw new FileRefused('DATE', `“${shown(text.trim())}”不是有效的日期`, { ...place, value: text });
  return date;
}
