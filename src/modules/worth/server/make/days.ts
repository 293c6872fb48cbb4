import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { stocksKnown } from '#modules/inventory/server/index.ts';
import { gatherLines } from './lines.ts';

const monthOf = (day: string): string => `${day.slice(0, 7)}-01`;

/** The day after, both YYYY-MM-DD. */
export const dayAfter = (day: string, by = 1): string =>
  new Date(Date.parse(day) + by * 86_400_000).toISOString().slice(0, 10);

/** One at a time makes, freezes or opens days of a company. */
export async function lockWorth(ctx: Ctx): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`worth:${ctx.companyId}`}, 0))`.execute(ctx.db);
}

/** Whether the month of a day is frozen. */
export async function isFrozen(ctx: Ctx, day: string): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM worth.month WHERE company_id = ${ctx.companyId} AND month = ${monthOf(day)}::date AND state = 'FROZEN'`.execute(
    ctx.db,
  );
  return rows.length > 0;
}

/**
 * Takes a day and all later ones of its month out of the lines. What Amazon said was coming is known of the present only: it
 * stays as it was seen, unless the day is today.
 */
async function forget(ctx: Ctx, day: string, live: boolean): Promise<void> {
  const some = live ? sql`` : sql`AND stage <> 'FBA_INBOUND'`;
  await sql`
    DELETE FROM worth.line WHERE company_id = ${ctx.companyId} AND month = ${monthOf(day)}::date AND from_day >= ${day}::date
       ${some}`.execute(ctx.db);
  await sql`
    UPDATE worth.line SET to_day = (month + interval '1 month')::date
     WHERE company_id = ${ctx.companyId} AND month = ${monthOf(day)}::date AND to_day >= ${day}::date
       AND to_day < (month + interval '1 month')::date ${some}`.execute(ctx.db);
  await sql`
    DELETE FROM worth.day WHERE company_id = ${ctx.companyId} AND day >= ${day}::date
       AND day < (${monthOf(day)}::date + interval '1 month')`.execute(ctx.db);
}

const SAME = sql`(k.source, k.qty, k.uncosted, k.purchase, k.first_leg, k.duty, k.other, k.reserve)
  = (n.source, n.qty, n.uncosted, n.purchase, n.first_leg, n.duty, n.other, n.reserve)`;

/** Ends the lines that are not as they were on the day before and begins those that are new. */
async function merge(ctx: Ctx, day: string, live: boolean): Promise<void> {
  const month = monthOf(day);
  const some = live ? sql`` : sql`AND k.stage <> 'FBA_INBOUND'`;
  await sql`
    UPDATE worth.line AS k SET to_day = ${day}::date
     WHERE k.company_id = ${ctx.companyId} AND k.month = ${month}::date AND k.to_day > ${day}::date ${some}
       AND NOT EXISTS (SELECT FROM pg_temp.worth_now AS n WHERE n.key = k.key AND ${SAME})`.execute(ctx.db);
  await sql`
    INSERT INTO worth.line (company_id, month, key, from_day, to_day, stage, warehouse_id, account_id, pool, seller_sku,
           product_id, disposition, source, qty, uncosted, purchase, first_leg, duty, other, reserve)
    SELECT ${ctx.companyId}, ${month}::date, n.key, ${day}::date, (${month}::date + interval '1 month')::date, n.stage,
           n.warehouse_id, n.account_id, n.pool, n.seller_sku, n.product_id, n.disposition, n.source, n.qty, n.uncosted,
           n.purchase, n.first_leg, n.duty, n.other, n.reserve
      FROM pg_temp.worth_now AS n
     WHERE NOT EXISTS (SELECT FROM worth.line AS k WHERE k.company_id = ${ctx.companyId} AND k.month = ${month}::date
                          AND k.key = n.key AND k.to_day > ${day}::date)`.execute(ctx.db);
}

/**
 * Makes a day of the company's calendar, and forgets the later ones of its month, which the caller makes after it. A day of a
 * frozen month is left as it is. Answers whether it was made.
 */
export async function makeDay(ctx: Ctx, day: string): Promise<boolean> {
  await lockWorth(ctx);
  if (await isFrozen(ctx, day)) return false;
  const live = day === ctx.clock.today();
  await sql`SET LOCAL work_mem = '64MB'`.execute(ctx.db);
  await forget(ctx, day, live);
  await gatherLines(ctx, day, live);
  await merge(ctx, day, live);
  const { stocks, known } = await stocksKnown(ctx, day);
  await sql`
    INSERT INTO worth.day (company_id, day, stocks, stocks_known)
    VALUES (${ctx.companyId}, ${day}::date, ${stocks}, ${live ? stocks : known})`.execute(ctx.db);
  return true;
}
