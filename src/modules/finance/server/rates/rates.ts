import { type RawBuilder, sql } from 'kysely';
import type { Period } from '#kit/contract/compare.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';

/** Days after which a rate of a day is too old to stand for a later one. */
const STALE_DAYS = 7;

/**
 * Rates of months that come from the company: its own (我的汇率), else the mean of the month's days. CNY for one unit, by
 * "USD 2026-06". The presets are not among them.
 */
export async function monthRates(ctx: Ctx): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; rate: string }>`
    SELECT currency || ' ' || to_char(month, 'YYYY-MM') AS key, coalesce(m.rate, d.rate)::text AS rate
      FROM (SELECT currency, month, rate FROM finance.month_rate WHERE company_id = ${ctx.companyId}) AS m
      FULL JOIN (SELECT currency, date_trunc('month', day)::date AS month, round(avg(rate), 10) AS rate
                   FROM finance.known_day GROUP BY 1, 2) AS d USING (currency, month)`.execute(ctx.db);
  return new Map(rows.map((row) => [row.key, row.rate]));
}

export interface DayRate {
  /** CNY for one unit. */
  rate: string;
  /** Own: 我的汇率 of the month; day: official of that day or the last before it. */
  from: 'own' | 'day';
}

/**
 * The rate of a document's day, "yyyy-MM-dd" of the company: the company's own of the month, else the official one of the day
 * or of the last day before it within a week. Undefined where neither is: never 1, never today's, never a preset.
 */
export async function knownRate(ctx: Ctx, currency: string, day: string): Promise<DayRate | undefined> {
  return (await knownRates(ctx, [currency], day)).get(currency);
}

/** As knownRate, for several currencies with one question to the database; those that are not known are absent. */
export async function knownRates(ctx: Ctx, currencies: readonly string[], day: string): Promise<Map<string, DayRate>> {
  const { rows } = await sql<DayRate & { currency: string }>`
    SELECT currency, rate::text AS rate, 'own' AS from FROM finance.month_rate
     WHERE company_id = ${ctx.companyId} AND currency = ANY (${currencies}) AND month = date_trunc('month', ${day}::date)::date
    UNION ALL
    (SELECT DISTINCT ON (currency) currency, rate::text, 'day' FROM finance.known_day
      WHERE currency = ANY (${currencies}) AND day BETWEEN ${day}::date - ${STALE_DAYS}::int AND ${day}::date
      ORDER BY currency, day DESC)`.execute(ctx.db);
  const known = new Map<string, DayRate>();
  for (const currency of currencies) {
    const own = rows.filter((row) => row.currency === currency);
    const found = own.find((row) => row.from === 'own') ?? own[0];
    if (currency === 'CNY') known.set(currency, { rate: '1', from: 'day' });
    else if (found) known.set(currency, { rate: found.rate, from: found.from });
  }
  return known;
}

/** As knownRate. @throws refused B0930 「缺少 {币种} {日期} 汇率，无法折算」 */
export async function rateOn(ctx: Ctx, currency: string, day: string): Promise<string> {
  const found = await knownRate(ctx, currency, day);
  if (!found) throw refused(`缺少 ${currency} ${day} 汇率，无法折算`, 'B0930');
  return found.rate;
}

/**
 * SELECT of (currency, day, rate): CNY for one unit of each of some currencies on every day of a period, both ends counted, by
 * the rule of knownRate(); `rate` is null where there is none.
 */
export function dayRatesSelect(
  { companyId }: Pick<Ctx, 'companyId'>,
  currencies: readonly string[],
  from: string,
  to: string,
): RawBuilder<{ currency: string; day: string; rate: string | null }> {
  return sql`
    SELECT c.currency, d.day, CASE WHEN c.currency = 'CNY' THEN 1 ELSE coalesce(m.rate, k.rate) END AS rate
      FROM unnest(${[...currencies]}::text[]) AS c (currency)
     CROSS JOIN (SELECT ${from}::date + n AS day FROM generate_series(0, ${to}::date - ${from}::date) AS n) AS d
      LEFT JOIN finance.month_rate AS m ON m.company_id = ${companyId} AND m.currency = c.currency
       AND m.month = date_trunc('month', d.day)::date
      LEFT JOIN LATERAL (
        SELECT p.rate FROM finance.known_day AS p
         WHERE p.currency = c.currency AND p.day BETWEEN d.day - ${sql.lit(STALE_DAYS)} AND d.day
         ORDER BY p.day DESC LIMIT 1) AS k ON m.rate IS NULL`;
}

/** What one unit of a currency is worth in CNY on a day. */
export interface RateOfDay {
  currency: string;
  day: string;
  rate: string;
}

/** The same, read: a day without a rate is absent. */
export async function ratesOfDays(ctx: Ctx, currencies: readonly string[], { from, to }: Period): Promise<RateOfDay[]> {
  const { rows } = await sql<RateOfDay>`
    SELECT currency, day::text AS day, rate::text AS rate FROM (${dayRatesSelect(ctx, currencies, from, to)}) AS r
     WHERE rate IS NOT NULL`.execute(ctx.db);
  return rows;
}
