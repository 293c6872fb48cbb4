import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { PRESET_RATES } from '../contract/fx.ts';

/** CNY for one unit of a currency in a month, as "yyyy-MM-01". */
export interface RateRow {
  currency: string;
  month: string;
  rate: string;
  preset: boolean;
}

/** Every rate that the company has set: CNY for one unit, by "USD 2026-06". The presets are not among them. */
export async function ownRates(ctx: Ctx): Promise<Map<string, string>> {
  const { rows } = await sql<{ key: string; rate: string }>`
    SELECT currency || ' ' || to_char(month, 'YYYY-MM') AS key, rate FROM profit.fx_rate
     WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  return new Map(rows.map((row) => [row.key, row.rate]));
}

/** The company's rate of each month of a period for each currency in use, else the preset one; none where neither is. */
export async function ratesOf(
  ctx: Ctx,
  currencies: readonly string[],
  from: string,
  to: string,
): Promise<{ rates: RateRow[]; missing: string[] }> {
  const { rows } = await sql<{ currency: string; month: string; rate: string | null }>`
    SELECT c.currency, m.month::date AS month, r.rate
      FROM unnest(${currencies}::text[]) AS c(currency)
      CROSS JOIN generate_series(date_trunc('month', ${from}::date), date_trunc('month', ${to}::date), '1 month') AS m(month)
      LEFT JOIN profit.fx_rate AS r
        ON r.company_id = ${ctx.companyId} AND r.currency = c.currency AND r.month = m.month::date
     ORDER BY 1, 2`.execute(ctx.db);
  const rates: RateRow[] = [];
  const missing: string[] = [];
  for (const { currency, month, rate } of rows) {
    const preset = PRESET_RATES[currency];
    if (rate !== null) rates.push({ currency, month, rate, preset: false });
    else if (preset !== undefined) rates.push({ currency, month, rate: preset, preset: currency !== 'CNY' });
    else missing.push(`${currency} ${month.slice(0, 7)}`);
  }
  return { rates, missing };
}
