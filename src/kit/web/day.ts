import { DEFAULT_ZONE, dayIn } from '../contract/day.ts';

let zone: string = DEFAULT_ZONE;

/** From now on days are those of this IANA zone: the frame tells that of the company before any screen is there. */
export function countDaysIn(companyZone: string | undefined): void {
  zone = companyZone ?? DEFAULT_ZONE;
}

/** The company's day "yyyy-MM-dd" of an instant, now if none is given, wherever the browser stands. */
export function companyDay(at: Date | number = Date.now()): string {
  return dayIn(zone, at);
}
