import { Decimal } from '#kit/contract/decimal.ts';
import { putMixed, type Totals } from '#kit/contract/totals.ts';
import { BASE_CURRENCY, ratesOn } from '../approval.ts';
import type { Ctx } from '../context.ts';

/** What a list's query adds up for one currency; decimal text, null where nothing was added. */
type CurrencySums<F extends string> = { currency: string } & Record<F, string | null>;

/**
 * Totals of money fields from one row of sums per currency: plain with one currency; with several null and, beside, one
 * sum each and one converted to CNY by today's rates, see putMixed(). The rates cost one question, and only then. A
 * currency without a rate is named and not converted.
 */
export async function moneyTotals<F extends string>(
  ctx: Ctx,
  rows: readonly CurrencySums<F>[],
  fields: readonly F[],
): Promise<Totals> {
  const [only, other] = rows;
  if (!only || !other) {
    return {
      currency: only?.currency ?? null,
      ...Object.fromEntries(fields.map((field) => [field, only?.[field] ?? null])),
    };
  }
  const day = ctx.clock.today();
  const currencies = rows.map((row) => row.currency);
  const rates = await ratesOn(ctx, currencies, day);
  const missing = currencies.filter((currency) => !rates.has(currency));
  const totals: Totals = { currency: null };
  for (const field of fields) {
    let converted: Decimal | null = null;
    for (const row of rows) {
      const rate = rates.get(row.currency);
      if (rate !== undefined) converted = new Decimal(row[field] ?? 0).times(rate).plus(converted ?? 0);
    }
    const each = rows.map((row) => ({ currency: row.currency, amount: row[field] }));
    putMixed(totals, field, { each, converted: converted?.toFixed(4) ?? null, base: BASE_CURRENCY, day, missing });
  }
  return totals;
}
