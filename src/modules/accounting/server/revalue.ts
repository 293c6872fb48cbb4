import { sql } from 'kysely';
import { lastDayOf } from '#kit/contract/day.ts';
import { Decimal, round } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { rateOn } from '#modules/finance/server/index.ts';
import { GAIN, leafOf, postedNow, REVALUATION, sideOf } from './closing.ts';
import type { PaperLine } from './write.ts';

/** What stands on a subject in another currency: the amount in that, and what it is booked with in CNY; debits are +. */
interface Held {
  subjectId: string;
  name: string;
  currency: string;
  original: string;
  booked: string;
}

/** What entries in other currencies come to at the end of a day, by subject and currency. */
async function heldAt(ctx: Ctx, day: string): Promise<Held[]> {
  const { rows } = await sql<Held>`
    SELECT s.id AS "subjectId", s.code || ' ' || s.name AS name, e.currency,
           sum(CASE WHEN e.debit <> 0 THEN e.original ELSE -e.original END)::text AS original, sum(e.debit - e.credit)::text AS booked
      FROM accounting.entry AS e
      JOIN accounting.subject AS s ON s.company_id = e.company_id AND s.id = e.subject_id
     WHERE e.company_id = ${ctx.companyId} AND e.currency <> 'CNY' AND e.ledger_day <= ${day}::date
     GROUP BY s.id, s.code, s.name, e.currency ORDER BY s.code, e.currency`.execute(ctx.db);
  return rows;
}

/** How a subject in another currency stands at the end of a month, and what its value moves by. */
export interface Revalued extends Held {
  /** CNY for one unit on the last day of the month; '' where nothing is held any more. */
  rate: string;
  /** CNY by which it is worth more (+) or less (−) than it is booked with. */
  difference: string;
}

/**
 * What money, debts and claims in other currencies are worth at the end of a month "yyyy-MM", those whose value moved. The rate is
 * that of the month's last day: the company's own of the month, else the published one.
 * @throws refused B2718 naming the currency whose rate is not known
 */
export async function revaluedAt(ctx: Ctx, month: string): Promise<Revalued[]> {
  const day = lastDayOf(month);
  const rates = new Map<string, string>();
  const found: Revalued[] = [];
  for (const held of await heldAt(ctx, day)) {
    const empty = new Decimal(held.original).isZero();
    if (!empty && !rates.has(held.currency)) rates.set(held.currency, await rateAt(ctx, held, day));
    const rate = empty ? '' : (rates.get(held.currency) ?? '');
    const worth = empty ? new Decimal(0) : new Decimal(held.original).times(rate).toDecimalPlaces(2);
    const difference = worth.minus(held.booked);
    if (!difference.isZero()) found.push({ ...held, rate, difference: round(difference, 2) });
  }
  return found;
}

async function rateAt(ctx: Ctx, { currency, name }: Held, day: string): Promise<string> {
  try {
    return await rateOn(ctx, currency, day);
  } catch {
    throw refused(`期末调汇：缺少 ${currency} ${day} 汇率，无法折算科目 ${name}`, 'B2718');
  }
}

/**
 * Writes the exchange differences of a month's end, posted at once; answers the voucher's number, null where there are none. Only
 * the value in CNY moves: the amounts in their currencies stay.
 * @throws refused B2718 without a rate, B2715 where the chart lacks 汇兑损益
 */
export async function revalue(ctx: Ctx, month: string): Promise<string | null> {
  const moved = await revaluedAt(ctx, month);
  if (moved.length === 0) return null;
  const gain = await leafOf(ctx, GAIN, '财务费用-汇兑损益');
  const lines = moved.flatMap(({ subjectId, currency, original, rate, difference }): PaperLine[] => {
    const said = rate === '' ? '已结清' : `${new Decimal(original).toFixed(2)} × ${new Decimal(rate).toFixed()}`;
    const summary = `期末调汇 ${month} ${currency} ${said}`;
    const amount = new Decimal(difference);
    return [
      { summary, subjectId, ...sideOf(amount), currency, original: '0' },
      { summary, subjectId: gain, ...sideOf(amount.negated()) },
    ];
  });
  return postedNow(ctx, { day: lastDayOf(month), source: REVALUATION, lines });
}
