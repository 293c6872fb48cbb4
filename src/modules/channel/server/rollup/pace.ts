import { type RawBuilder, sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import type { Ctx } from '#kit/server/context.ts';
import { salesSitesSelect } from '#modules/sales/server/index.ts';
import { WINDOW_KEYS, WINDOWS } from '../../contract/volume.ts';
import { sites } from './source.ts';

/** The longest window, and two days by which shops may be ahead of the company or behind it. */
const READ_DAYS = WINDOWS.u90 + 2;

const SOLD = WINDOW_KEYS;
const APART = WINDOW_KEYS.map((key) => key.replace('u', 'x'));
const COLUMNS = ['platform', 'today', ...SOLD, ...APART];
const names = (of = (name: string) => name) => sql.raw(COLUMNS.map(of).join(', '));

const sums = sql.raw(
  WINDOW_KEYS.flatMap((key) => {
    const since = `k.day >= d.today - ${WINDOWS[key]}`;
    return [
      `coalesce(sum(k.units) FILTER (WHERE k.via = 'sold' AND ${since}), 0) AS ${key}`,
      `coalesce(sum(k.units) FILTER (WHERE NOT k.is_bundle AND ${since}), 0) AS ${key.replace('u', 'x')}`,
    ];
  }).join(', '),
);

/** SELECT of (shop_id, country, today): Amazon's as far as its orders were read, in marketplace time; '' is any country. */
export async function presentSelect(ctx: Ctx): Promise<RawBuilder<unknown>> {
  const accounts = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .execute();
  const amazon = accounts.map(
    ({ id }) => sql`
    SELECT ${id}::uuid AS shop_id, c.country, s.today FROM (${salesSitesSelect(ctx, id)}) AS s JOIN ${sites()} ON c.id = s.marketplace_id`,
  );
  const others = sql`
    SELECT id AS shop_id, '' AS country, ${ctx.clock.today()}::date AS today FROM channel.shop WHERE company_id = ${ctx.companyId}`;
  return sql.join([...amazon, others], sql` UNION ALL `);
}

/** The first day that any window may reach. */
export const readFrom = (ctx: Ctx): string => dayAfter(ctx.clock.today(), -READ_DAYS);

/** Makes the windows of some products anew, of all where none are named; rows that come out the same are left alone. */
export async function refreshPace(ctx: Ctx, products?: readonly string[]): Promise<void> {
  const { companyId } = ctx;
  const only = (alias: string) =>
    products ? sql`AND ${sql.ref(`${alias}.product_id`)} = ANY (${[...products]}::uuid[])` : sql``;
  await sql`DROP TABLE IF EXISTS pg_temp.channel_pace`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE channel_pace ON COMMIT DROP AS
    WITH present AS MATERIALIZED (${await presentSelect(ctx)})
    SELECT k.shop_id, k.country, k.product_id, min(k.platform) AS platform, d.today, ${sums}
      FROM channel.sold_day AS k
      JOIN present AS d ON d.shop_id = k.shop_id AND d.country IN (k.country, '')
     WHERE k.company_id = ${companyId} AND k.day >= ${readFrom(ctx)}::date AND k.day >= d.today - ${sql.lit(WINDOWS.u90)}
       AND k.day < d.today ${only('k')}
     GROUP BY k.shop_id, k.country, k.product_id, d.today`.execute(ctx.db);
  await sql`
    DELETE FROM channel.pace AS p
     WHERE p.company_id = ${companyId} ${only('p')}
       AND NOT EXISTS (SELECT FROM pg_temp.channel_pace AS f
                        WHERE f.product_id = p.product_id AND f.shop_id = p.shop_id AND f.country = p.country)`.execute(
    ctx.db,
  );
  await sql`
    INSERT INTO channel.pace AS p (company_id, shop_id, country, product_id, ${names()})
    SELECT ${companyId}::uuid, shop_id, country, product_id, ${names()} FROM pg_temp.channel_pace
    ON CONFLICT (company_id, product_id, shop_id, country) DO UPDATE SET ${names((name) => `${name} = excluded.${name}`)}
     WHERE (${names((name) => `p.${name}`)}) IS DISTINCT FROM (${names((name) => `excluded.${name}`)})`.execute(ctx.db);
}
