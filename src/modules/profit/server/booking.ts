import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import type { Unit } from './fold.ts';

/** `late_month` of a row that is booked on its own day. */
export const ON_ITS_DAY = '0001-01-01';

/** Where what is counted for a store's month is booked. */
export interface Booking {
  /** `late_month` of the rows that are written: ON_ITS_DAY, or the first day of the month that takes what came late. */
  target: string;
  /** `late_month` of rows of closed months, which never change. */
  fixed: readonly string[];
  /** The month is closed: only differences are written. */
  late: boolean;
}

const gate = (ctx: Ctx) => sql`hashtextextended(${`profit.gate:${ctx.companyId}`}, 0)`;

/** Keeps months as they are, open or closed, until the transaction ends; counts do not wait for each other. */
export async function holdPeriods(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock_shared(${gate(ctx)})`.execute(ctx.db);
}

/** Keeps everybody else from the rollup of a store until the transaction ends. */
export async function holdStore(ctx: Ctx, { accountId, marketplaceId }: Unit): Promise<void> {
  const key = `profit:${ctx.companyId}:${accountId}:${marketplaceId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(ctx.db);
}

/** Waits until nothing is being counted, and keeps counts waiting until the transaction ends. */
export async function stopCounting(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(${gate(ctx)})`.execute(ctx.db);
}

/** First days of the closed months, the oldest first. */
export async function closedMonths(ctx: Ctx): Promise<string[]> {
  const { rows } = await sql<{ month: string }>`
    SELECT month::text AS month FROM profit.period
     WHERE company_id = ${ctx.companyId} AND state = 'CLOSED' ORDER BY month`.execute(ctx.db);
  return rows.map(({ month }) => month);
}

/** First day of the month after the one that begins on `month`, YYYY-MM-DD. */
export function nextMonth(month: string): string {
  const first = new Date(`${month}T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() + 1);
  return first.toISOString().slice(0, 10);
}

/** Where a month is booked: on its own days while it is open, else what differs in the first open month after it. */
export async function bookingOf(ctx: Ctx, month: string): Promise<Booking> {
  const closed = await closedMonths(ctx);
  if (!closed.includes(month)) return { target: ON_ITS_DAY, fixed: closed, late: false };
  let target = month;
  while (closed.includes(target)) target = nextMonth(target);
  return { target, fixed: [ON_ITS_DAY, ...closed], late: true };
}

interface Counted {
  scope: 'DIRECT' | 'SHARE';
  /** Temporary table of what was counted: date, sku, currency and `values`, one row for each of the first three. */
  table: 'fold_row' | 'fold_share';
  /** Columns of numbers. */
  values: readonly string[];
}

const list = (values: readonly string[], form: (name: string) => string) => sql.raw(values.map(form).join(', '));

/** Takes from what was counted what closed months hold of it already: only differences are left. */
async function keepDifferences(ctx: Ctx, unit: Unit, { fixed }: Booking, { scope, table, values }: Counted) {
  const temporary = sql.table(`pg_temp.${table}`);
  const own = scope === 'DIRECT' ? sql`AND (p.sku, p.date) IN (SELECT sku, date FROM pg_temp.fold_key)` : sql``;
  await sql`DROP TABLE IF EXISTS pg_temp.fold_difference`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE fold_difference ON COMMIT DROP AS
    SELECT date, sku, currency, ${list(values, (name) => `sum(${name}) AS ${name}`)}
      FROM (SELECT date, sku, currency, ${list(values, (name) => name)} FROM ${temporary}
            UNION ALL
            SELECT p.date, p.sku, p.currency, ${list(values, (name) => `-p.${name}`)} FROM profit.profit_daily AS p
             WHERE p.company_id = ${ctx.companyId} AND p.account_id = ${unit.accountId}
               AND p.marketplace_id = ${unit.marketplaceId} AND p.scope = ${scope} AND p.date >= ${unit.month}::date
               AND p.date < ${nextMonth(unit.month)}::date AND p.late_month = ANY(${[...fixed]}::date[]) ${own}) AS x
     GROUP BY date, sku, currency
    HAVING ${sql.raw(values.map((name) => `sum(${name}) <> 0`).join(' OR '))}`.execute(ctx.db);
  await sql`DELETE FROM ${temporary}`.execute(ctx.db);
  await sql`
    INSERT INTO ${temporary} (date, sku, currency, ${list(values, (name) => name)})
    SELECT date, sku, currency, ${list(values, (name) => name)} FROM pg_temp.fold_difference`.execute(ctx.db);
}

/**
 * Makes the rollup of a store's month what was counted: rows that come out the same stay as they are, rows of nothing go.
 * Of a closed month its table holds the differences afterwards, which are booked in the month that takes what came late.
 * @returns how many rows went
 */
export async function bookRows(ctx: Ctx, unit: Unit, booking: Booking, counted: Counted): Promise<bigint> {
  if (booking.late) await keepDifferences(ctx, unit, booking, counted);
  const { scope, table, values } = counted;
  const temporary = sql.table(`pg_temp.${table}`);
  const keys = scope === 'DIRECT' ? sql`USING pg_temp.fold_key AS k` : sql``;
  const own = scope === 'DIRECT' ? sql`AND p.sku = k.sku AND p.date = k.date` : sql``;
  const old = sql`
    DELETE FROM profit.profit_daily AS p ${keys}
     WHERE p.company_id = ${ctx.companyId} AND p.account_id = ${unit.accountId}
       AND p.marketplace_id = ${unit.marketplaceId} AND p.scope = ${scope} AND p.date >= ${unit.month}::date
       AND p.date < ${nextMonth(unit.month)}::date ${own}`;
  // Two statements: in one the rows could not be held against those that were counted all at once.
  const moved = await sql`
    ${old} AND p.late_month > ${ON_ITS_DAY}::date AND p.late_month <> ${booking.target}::date
       AND p.late_month <> ALL(${[...booking.fixed]}::date[])`.execute(ctx.db);
  const gone = await sql`
    ${old} AND p.late_month = ${booking.target}::date
       AND NOT EXISTS (SELECT FROM ${temporary} AS r
                        WHERE r.sku = p.sku AND r.date = p.date AND r.currency = p.currency)`.execute(ctx.db);
  await sql`
    INSERT INTO profit.profit_daily AS p
      (company_id, account_id, marketplace_id, scope, late_month, date, sku, currency, ${list(values, (name) => name)})
    SELECT ${ctx.companyId}::uuid, ${unit.accountId}::uuid, ${unit.marketplaceId}, ${scope}, ${booking.target}::date,
           date, sku, currency, ${list(values, (name) => name)}
      FROM ${temporary}
    ON CONFLICT (company_id, account_id, marketplace_id, date, sku, currency, scope, late_month)
      DO UPDATE SET ${list(values, (name) => `${name} = excluded.${name}`)}
     WHERE (${list(values, (name) => `p.${name}`)}) IS DISTINCT FROM (${list(values, (name) => `excluded.${name}`)})`.execute(
    ctx.db,
  );
  return (moved.numAffectedRows ?? 0n) + (gone.numAffectedRows ?? 0n);
}
