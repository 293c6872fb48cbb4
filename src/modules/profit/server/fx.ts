import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { PRESET_RATES } from '#modules/finance/contract/rates.ts';
import { monthRates } from '#modules/finance/server/index.ts';

/** CNY for one unit of a currency in a month, as "yyyy-MM-01". */
export interface RateRow {
  currency: string;
  month: string;
  rate: string;
  preset: boolean;
}

/** First days of the months that a period touches. */
export function monthsOf(from: string, to: string): string[] {
  const months: string[] = [];
  let [year = 0, month = 1] = from.split('-').map(Number);
  for (let day = `${from.slice(0, 7)}-01`; day <= to; ) {
    months.push(day);
    [year, month] = month === 12 ? [year + 1, 1] : [year, month + 1];
    day = `${year}-${String(month).padStart(2, '0')}-01`;
  }
  return months;
}

/** Rates of closed months between two days by "<currency> yyyy-MM": what becomes of the company's rates does not move them. */
async function keptRates(ctx: Ctx, from: string, to: string): Promise<ReadonlyMap<string, string>> {
  const { rows } = await sql<{ key: string; rate: string }>`
    SELECT currency || ' ' || to_char(month, 'YYYY-MM') AS key, trim_scale(rate)::text AS rate FROM profit.period_rate
     WHERE company_id = ${ctx.companyId} AND month >= date_trunc('month', ${from}::date)::date AND month <= ${to}::date`.execute(
    ctx.db,
  );
  return new Map(rows.map(({ key, rate }) => [key, rate]));
}

/** The company's rate of each month of a period for each currency in use, else the preset one; none where neither is. */
export async function ratesOf(
  ctx: Ctx,
  currencies: readonly string[],
  from: string,
  to: string,
): Promise<{ rates: RateRow[]; missing: string[] }> {
  const own = new Map([...(await monthRates(ctx)), ...(await keptRates(ctx, from, to))]);
  const rates: RateRow[] = [];
  const missing: string[] = [];
  for (const currency of [...currencies].sort()) {
    for (const month of monthsOf(from, to)) {
      const key = `${currency} ${month.slice(0, 7)}`;
      const rate = own.get(key);
      const preset = PRESET_RATES[currency];
      if (rate !== undefined) rates.push({ currency, month, rate, preset: false });
      else if (preset !== undefined) rates.push({ currency, month, rate: preset, preset: currency !== 'CNY' });
      else missing.push(key);
    }
  }
  return { rates, missing };
}
