import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type Booking, ON_ITS_DAY } from './booking.ts';
import type { Unit } from './fold.ts';

/**
 * Notes the days and currencies of a month that was counted again in this transaction, from the rows that its count wrote;
 * what came late is noted on the day that it is booked on as well. `vanished`: rows went away, so that a day, or
 * the first one of a later month, may have lost a currency.
 */
export async function noteCurrencies(ctx: Ctx, unit: Unit, booking: Booking, vanished: boolean): Promise<void> {
  const counted = sql`(SELECT date, currency FROM pg_temp.fold_row UNION SELECT date, currency FROM pg_temp.fold_share)`;
  await sql`
    INSERT INTO profit.currency_day (company_id, account_id, marketplace_id, date, currency)
    SELECT ${ctx.companyId}::uuid, ${unit.accountId}::uuid, ${unit.marketplaceId}, date, currency
      FROM (SELECT date, currency FROM ${counted} AS own
            UNION SELECT ${booking.target}::date, currency FROM ${counted} AS late WHERE ${booking.late}) AS noted
    ON CONFLICT DO NOTHING`.execute(ctx.db);
  if (!vanished) return;
  await sql`
    DELETE FROM profit.currency_day AS c
     WHERE c.company_id = ${ctx.companyId} AND c.account_id = ${unit.accountId} AND c.marketplace_id = ${unit.marketplaceId}
       AND c.date >= ${unit.month}::date
       AND (c.date < (${unit.month}::date + interval '1 month') OR c.date = date_trunc('month', c.date)::date)
       AND NOT EXISTS (SELECT FROM profit.profit_daily AS p
                        WHERE p.company_id = c.company_id AND p.account_id = c.account_id
                          AND p.marketplace_id = c.marketplace_id AND p.date = c.date AND p.currency = c.currency)
       AND NOT EXISTS (SELECT FROM profit.profit_daily AS p
                        WHERE p.company_id = c.company_id AND p.account_id = c.account_id AND p.late_month = c.date
                          AND p.late_month > ${ON_ITS_DAY}::date
                          AND p.marketplace_id = c.marketplace_id AND p.currency = c.currency)`.execute(ctx.db);
}
