import { sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';

/** How an account is usually paid in a currency. */
export interface Cycle {
  /** Days from the beginning of a period to its end. */
  periodDays: number;
  /** Days from its end to the transfer. */
  lagDays: number;
}

/** As Amazon pays who has no past yet: every two weeks, and at once. */
const USUAL: Cycle = { periodDays: 14, lagDays: 1 };
/** Periods that are looked back on. */
const RECENT = 6;

/**
 * The cycles of all accounts: the median of their last six closed periods, in whole days. Answers a function of account and
 * currency; who has no past has Amazon's own cycle.
 */
export async function cyclesOf(ctx: Ctx): Promise<(accountId: string, currency: string) => Cycle> {
  const { rows } = await sql<{ accountId: string; currency: string; periodDays: number; lagDays: number | null }>`
    SELECT account_id AS "accountId", currency,
           greatest(1, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM end_at - start_at) / 86400)))::int AS "periodDays",
           greatest(0, round(percentile_cont(0.5) WITHIN GROUP (ORDER BY extract(epoch FROM transfer_at - end_at) / 86400)))::int AS "lagDays"
      FROM (SELECT g.account_id, g.currency, g.start_at, g.end_at, g.transfer_at,
                   row_number() OVER (PARTITION BY g.account_id, g.currency ORDER BY g.end_at DESC) AS n
              FROM settlement.event_group AS g
             WHERE g.company_id = ${ctx.companyId} AND g.processing = 'closed' AND g.start_at IS NOT NULL AND g.end_at IS NOT NULL) AS g
     WHERE n <= ${RECENT}::int GROUP BY 1, 2`.execute(ctx.db);
  const known = new Map(
    rows.map(({ accountId, currency, periodDays, lagDays }): [string, Cycle] => [
      `${accountId} ${currency}`,
      { periodDays, lagDays: lagDays ?? USUAL.lagDays },
    ]),
  );
  return (accountId, currency) => known.get(`${accountId} ${currency}`) ?? USUAL;
}

/** The end of the first period that ends on `notBefore` or later, of periods that follow one that began on `start` (yyyy-MM-dd). */
export function periodEnd(start: string, { periodDays }: Pick<Cycle, 'periodDays'>, notBefore: string): string {
  const days = Math.round((Date.parse(notBefore) - Date.parse(start)) / 86_400_000);
  return dayAfter(start, Math.max(1, Math.ceil(days / periodDays)) * periodDays);
}

/** The day on which the money of a period that ends on `end` is in the bank. */
export const payoutDay = (end: string, { lagDays }: Pick<Cycle, 'lagDays'>, bankDays: number): string =>
  dayAfter(end, lagDays + bankDays);
