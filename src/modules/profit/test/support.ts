import { sql } from 'kysely';
import type { Person, World } from '#test/support/world.ts';
import { ALL_GROUPS } from '../contract/figures.ts';
import { markAll } from '../server/dirty.ts';
import { foldAll } from '../server/fold.ts';
import { foldOrders } from '../server/order/fold.ts';

export const fold = (world: World, person: Person) => foldAll(world.runtime, person.companyId);

/** Counts the marked orders. */
export const foldOrderMoney = (world: World, person: Person) => foldOrders(world.runtime, person.companyId);

/** The money of orders as text, in one order. */
export async function orderRollup(world: World, person: Person): Promise<string[]> {
  return world.as(person, async (ctx) => {
    const { rows } = await sql<{ row: string }>`
      SELECT to_jsonb(p)::text AS row FROM profit.order_profit AS p WHERE company_id = ${ctx.companyId}
       ORDER BY account_id, order_id, marketplace_id, currency`.execute(ctx.db);
    return rows.map((row) => row.row);
  });
}

/** Throws the money of orders away and counts it again from nothing. */
export async function rebuildOrders(world: World, person: Person): Promise<void> {
  await world.as(person, async (ctx) => {
    await sql`DELETE FROM profit.order_profit WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    await sql`
      INSERT INTO profit.order_dirty (company_id, account_id, source_doc_id)
      SELECT company_id, account_id, id FROM settlement.source_doc WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  });
  await foldOrderMoney(world, person);
}

/** Throws the rollup away and counts it again from nothing. */
export async function rebuild(world: World, person: Person): Promise<void> {
  await world.as(person, async (ctx) => {
    await sql`DELETE FROM profit.profit_daily WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    await markAll(ctx);
  });
  await fold(world, person);
}

/** The whole rollup as text, in one order: two ways to get there must give the same. */
export async function rollup(world: World, person: Person): Promise<string[]> {
  return world.as(person, async (ctx) => {
    const { rows } = await sql<{ row: string }>`
      SELECT to_jsonb(p)::text AS row FROM profit.profit_daily AS p WHERE company_id = ${ctx.companyId}
       ORDER BY account_id, marketplace_id, date, sku, currency, scope, late_month`.execute(ctx.db);
    return rows.map((row) => row.row);
  });
}

interface StoreSum {
  store: string;
  amount: string;
}

/** All money of the rollup by store, month and currency. */
export async function rollupMoney(world: World, person: Person): Promise<StoreSum[]> {
  const all = sql.raw(ALL_GROUPS.join(' + '));
  return world.as(person, async (ctx) => {
    const { rows } = await sql<StoreSum>`
      SELECT concat_ws(' ', account_id, marketplace_id, date_trunc('month', date)::date, currency) AS store,
             sum(${all}) AS amount
        FROM profit.profit_daily WHERE company_id = ${ctx.companyId}
       GROUP BY 1 HAVING sum(${all}) <> 0 ORDER BY 1`.execute(ctx.db);
    return rows;
  });
}

/** All money lines that count and are no balance, by store, month and currency. */
export async function ledgerMoney(world: World, person: Person): Promise<StoreSum[]> {
  return world.as(person, async (ctx) => {
    const { rows } = await sql<StoreSum>`
      SELECT concat_ws(' ', l.account_id, l.marketplace_id, date_trunc('month', l.posted_date)::date, l.currency) AS store,
             sum(l.amount) AS amount
        FROM settlement.money_line AS l
        JOIN settlement.source_doc AS d ON d.company_id = l.company_id AND d.id = l.source_doc_id AND d.state = 'ACTIVE'
       WHERE l.company_id = ${ctx.companyId} AND l.pl_section <> 'BALANCE'
       GROUP BY 1 HAVING sum(l.amount) <> 0 ORDER BY 1`.execute(ctx.db);
    return rows;
  });
}

/** The days, stores and currencies of the rollup, or those that are noted of it. */
export async function currencyDays(
  world: World,
  person: Person,
  table: 'currency_day' | 'profit_daily',
): Promise<unknown[]> {
  const { rows } = await world.as(person, (ctx) =>
    sql`SELECT DISTINCT account_id, marketplace_id, date, currency FROM ${sql.table(`profit.${table}`)}
         WHERE company_id = ${ctx.companyId} ORDER BY 1, 2, 3, 4`.execute(ctx.db),
  );
  return rows;
}
