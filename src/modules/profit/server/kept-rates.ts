import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { monthRates } from '#modules/finance/server/index.ts';
import { nextMonth } from './booking.ts';
import { type RateRow, ratesOf } from './fx.ts';

/**
 * The rates that a month (its first day) is closed with: of the currencies of its money, and of those that somebody told, in
 * which it may be looked at. `untold` are currencies without a rate, or with a preset one only: the month is not closed with them.
 */
export async function ratesToKeep(ctx: Ctx, month: string): Promise<{ rates: RateRow[]; untold: string[] }> {
  const { rows } = await sql<{ currency: string }>`
    SELECT DISTINCT currency FROM profit.currency_day
     WHERE company_id = ${ctx.companyId} AND date >= ${month}::date AND date < ${nextMonth(month)}::date`.execute(
    ctx.db,
  );
  const currencies = rows.map(({ currency }) => currency);
  const known = [...(await monthRates(ctx)).keys()].filter((key) => key.endsWith(` ${month.slice(0, 7)}`));
  const told = known.map((key) => key.slice(0, 3)).filter((currency) => !currencies.includes(currency));
  const { rates, missing } = await ratesOf(ctx, [...currencies, ...told], month, month);
  const preset = rates.filter((one) => one.preset).map(({ currency }) => currency);
  return { rates, untold: [...missing.map((key) => key.slice(0, 3)), ...preset] };
}
