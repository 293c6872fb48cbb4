import chineseDays from 'chinese-days';
import type { DayKind } from '../../contract/holidays.ts';

export interface LegalDay {
  day: string;
  kind: DayKind;
  name: string;
}

const DAY_MS = 86_400_000;

function isWeekend(day: string): boolean {
  const weekday = new Date(`${day}T00:00:00Z`).getUTCDay();
  return weekday === 0 || weekday === 6;
}

/** A calendar day "yyyy-MM-dd" of China by law; where its year is not announced yet, weekends only. */
export function legalDay(day: string): LegalDay {
  const { work, name } = chineseDays.getDayDetail(day);
  // "National Day,国庆节,3" on holidays and the days worked for them, the English weekday on others.
  const [, festival = ''] = name.split(',');
  const weekend = isWeekend(day);
  if (festival === '') return { day, kind: weekend ? 'weekend' : 'work', name: '' };
  if (work) return { day, kind: weekend ? 'makeup' : 'work', name: weekend ? `${festival}调休` : '' };
  return { day, kind: 'holiday', name: festival };
}

/** Every day of a year. */
export function daysOfYear(year: number): string[] {
  const first = Date.UTC(year, 0, 1);
  const count = (Date.UTC(year + 1, 0, 1) - first) / DAY_MS;
  return Array.from({ length: count }, (_, at) => new Date(first + at * DAY_MS).toISOString().slice(0, 10));
}

/** Whether the holidays of a year are known. */
export function isAnnounced(year: number): boolean {
  return legalDay(`${year}-10-01`).kind === 'holiday';
}
