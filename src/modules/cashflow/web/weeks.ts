import { mondayOf } from '#kit/contract/day.ts';
import { sum } from '#kit/contract/decimal.ts';
import type { CashDay } from '../contract/forecast.ts';

/** A bar of the chart: a day, or the days of a week that are looked at. CNY. */
export interface Step {
  label: string;
  inflow: string;
  outflow: string;
  /** At its end. */
  balance: string;
}

/** Each day as a step of its own. */
export const daysOf = (days: readonly CashDay[]): Step[] =>
  days.map(({ day, inflow, outflow, balance }) => ({ label: day.slice(5), inflow, outflow, balance }));

/** Days by their weeks from Monday; the first and the last may be shorter. */
export function weeksOf(days: readonly CashDay[]): Step[] {
  return [...Map.groupBy(days, ({ day }) => mondayOf(day)).values()].map((week) => ({
    label: `${week[0]?.day.slice(5) ?? ''} 起`,
    inflow: sum(week.map(({ inflow }) => inflow)),
    outflow: sum(week.map(({ outflow }) => outflow)),
    balance: week.at(-1)?.balance ?? '0',
  }));
}
