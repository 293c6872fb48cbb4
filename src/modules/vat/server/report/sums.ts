import { sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import { Decimal, plainDecimal, round } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { knownRate } from '#modules/finance/server/index.ts';
import type { OssRow, PeriodRow } from '../../contract/report.ts';

/** A month "yyyy-MM" or a quarter "yyyyQn": its first and last day. */
export function daysOf(period: string): { first: string; last: string } {
  const quarter = /^(\d{4})Q(\d)$/.exec(period);
  const [year, month, months] = quarter
    ? [Number(quarter[1]), (Number(quarter[2]) - 1) * 3, 3]
    : [Number(period.slice(0, 4)), Number(period.slice(5)) - 1, 1];
  const day = (at: number) => new Date(Date.UTC(year, at, 1)).toISOString().slice(0, 10);
  return { first: day(month), last: dayAfter(day(month + months), -1) };
}

/** Factor to euro on a day; undefined where a rate of the two is not known. */
async function euroRate(ctx: Ctx, currency: string, day: string): Promise<Decimal | undefined> {
  if (currency === 'EUR') return new Decimal(1);
  const [own, euro] = [await knownRate(ctx, currency, day), await knownRate(ctx, 'EUR', day)];
  return own && euro && new Decimal(own.rate).div(euro.rate);
}

/** Euro rates of currencies at the ends of periods, each asked for once; a period that is not over ends today. */
function euroRates(ctx: Ctx) {
  const known = new Map<string, Promise<Decimal | undefined>>();
  const missing = new Set<string>();
  const today = ctx.clock.today();
  const convert = async (currency: string, end: string) => {
    const day = end < today ? end : today;
    const key = `${currency} ${day}`;
    const found = known.get(key) ?? euroRate(ctx, currency, day);
    known.set(key, found);
    const rate = await found;
    if (!rate) missing.add(key);
    return (amount: string): string | null => (rate ? round(rate.times(amount), 2) : null);
  };
  return { convert, missing };
}

interface Sums {
  documents: number;
  currency: string;
  rate: string;
  net: string;
  tax: string;
  gross: string;
}

export interface PeriodWish {
  from: string;
  to: string;
  entityId?: string | undefined;
}

/**
 * Issued documents by country of consumption, rate, currency and customer, by the day of the supply; credit notes count in the
 * period of the refund. Sums are those of the documents' lines, to the cent; euro by the rate of the last day of the period.
 * @throws refused B1466 for periods of two kinds, or an end before the beginning
 */
export async function periodRows(ctx: Ctx, wish: PeriodWish): Promise<{ rows: PeriodRow[]; missing: string[] }> {
  const byQuarter = wish.from.includes('Q');
  if (byQuarter !== wish.to.includes('Q')) throw refused('起止期间须同为月份或同为季度', 'B1466');
  const { first } = daysOf(wish.from);
  const { last } = daysOf(wish.to);
  if (last < first) throw refused('结束期间不能早于起始期间', 'B1466');
  const { rows } = await sql<Sums & { period: string; country: string; business: boolean }>`
    SELECT to_char(i.tax_day, ${byQuarter ? 'YYYY"Q"Q' : 'YYYY-MM'}) AS period, i.tax_country AS country, l.rate, i.currency,
           i.business, count(DISTINCT i.id)::int AS documents, sum(l.net)::text AS net, sum(l.tax)::text AS tax,
           sum(l.gross)::text AS gross
      FROM vat.invoice AS i JOIN vat.invoice_line AS l ON l.company_id = i.company_id AND l.invoice_id = i.id
     WHERE i.company_id = ${ctx.companyId} AND i.number IS NOT NULL AND i.tax_day BETWEEN ${first}::date AND ${last}::date
       AND (${wish.entityId ?? null}::uuid IS NULL OR i.entity_id = ${wish.entityId ?? null})
     GROUP BY 1, 2, 3, 4, 5 ORDER BY 1 DESC, 2, 3 DESC, 4, 5`.execute(ctx.db);
  const { convert, missing } = euroRates(ctx);
  const done: PeriodRow[] = [];
  for (const row of rows) {
    const euro = await convert(row.currency, daysOf(row.period).last);
    done.push({
      id: [row.period, row.country, row.rate, row.currency, row.business].join(' '),
      period: row.period,
      country: row.country,
      rate: plainDecimal(row.rate),
      customer: row.business ? 'B2B' : 'B2C',
      documents: row.documents,
      currency: row.currency,
      net: round(row.net, 2),
      tax: round(row.tax, 2),
      gross: round(row.gross, 2),
      netEur: euro(row.net),
      taxEur: euro(row.tax),
      grossEur: euro(row.gross),
    });
  }
  return { rows: done, missing: [...missing] };
}

/** What a quarter's declaration under the one-stop shop says, by country that the goods left, country of consumption and rate. */
export async function ossRows(
  ctx: Ctx,
  { quarter, entityId }: { quarter: string; entityId?: string | undefined },
): Promise<{ rows: OssRow[]; missing: string[] }> {
  const { first, last } = daysOf(quarter);
  const { rows } = await sql<Sums & { from: string; country: string }>`
    SELECT i.from_country AS "from", i.tax_country AS country, l.rate, i.currency, count(DISTINCT i.id)::int AS documents,
           sum(l.net)::text AS net, sum(l.tax)::text AS tax, sum(l.gross)::text AS gross
      FROM vat.invoice AS i JOIN vat.invoice_line AS l ON l.company_id = i.company_id AND l.invoice_id = i.id
     WHERE i.company_id = ${ctx.companyId} AND i.number IS NOT NULL AND i.treatment = 'OSS'
       AND i.tax_day BETWEEN ${first}::date AND ${last}::date
       AND (${entityId ?? null}::uuid IS NULL OR i.entity_id = ${entityId ?? null})
     GROUP BY 1, 2, 3, 4 ORDER BY 2, 1, 3 DESC, 4`.execute(ctx.db);
  const { convert, missing } = euroRates(ctx);
  const done: OssRow[] = [];
  for (const row of rows) {
    const euro = await convert(row.currency, last);
    done.push({
      id: [row.from, row.country, row.rate, row.currency].join(' '),
      from: row.from,
      country: row.country,
      rate: plainDecimal(row.rate),
      documents: row.documents,
      currency: row.currency,
      net: round(row.net, 2),
      tax: round(row.tax, 2),
      netEur: euro(row.net),
      taxEur: euro(row.tax),
    });
  }
  return { rows: done, missing: [...missing] };
}
