import { sql } from 'kysely';
import type { Period } from '#kit/contract/compare.ts';
import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { STALE_DAYS } from './rates.ts';

/** What one unit of a currency is worth in CNY on a day. */
export interface RateOfDay {
  currency: string;
  day: string;
  rate: string;
}

/**
 * As knownRate of every day of a period for several currencies, with two questions to the database: the company's own rate
 * of the month, else the official one of the day or of the last day before it within a week. A day without a rate is absent.
 */
export async function ratesOfDays(ctx: Ctx, currencies: readonly string[], { from, to }: Period): Promise<RateOfDay[]> {
  const { rows: own } = await sql<{ key: string; rate: string }>`
    SELECT currency || ' ' || to_char(month, 'YYYY-MM') AS key, rate::text AS rate FROM finance.month_rate
     WHERE company_id = ${ctx.companyId} AND currency = ANY (${currencies}::text[])`.execute(ctx.db);
  const { rows: known } = await sql<{ key: string; rate: string }>`
    SELECT currency || ' ' || day::text AS key, rate::text AS rate FROM finance.known_day
     WHERE currency = ANY (${currencies}::text[])
       AND day BETWEEN ${dayAfter(from, -STALE_DAYS)}::date AND ${to}::date`.execute(ctx.db);
  const ofMonth = new Map(own.map(({ key, rate }) => [key, rate]));
  const ofDay = new Map(known.map(({ key, rate }) => [key, rate]));
  const rateOf = (currency: string, day: string): string | undefined => {
    if (currency === 'CNY') return '1';
    const month = ofMonth.get(`${currency} ${day.slice(0, 7)}`);
    if (month !== undefined) return month;
    for (let back = 0; back <= STALE_DAYS; back += 1) {
      const rate = ofDay.get(`${currency} ${dayAfter(day, -back)}`);
      if (rate !== undefined) return rate;
    }
    return undefined;
  };
  const rates: RateOfDay[] = [];
  for (let day = from; day <= to; day = dayAfter(day, 1)) {
    for (const currency of currencies) {
      const rate = rateOf(currency, day);
      if (rate !== undefined) rates.push({ currency, day, rate });
    }
  }
  return rates;
}
