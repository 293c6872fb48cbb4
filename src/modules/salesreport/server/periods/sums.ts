import { type RawBuilder, sql } from 'kysely';
import { changeOf } from '#kit/contract/compare.ts';
import { Decimal, ratio } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { type DayMap, isKnown } from '../days.ts';
import { type Exchange, exchangeOf, isPartial } from '../exchange.ts';
import { keyed, type Reading, SKU, type Split } from '../facts.ts';
import type { Scope } from '../scope.ts';
import { adSource, orderWay, readingOf, returnedSource, soldSource } from '../sources.ts';

type Figure = string | number | null;

/** What is added up; each source has some of it. */
const COLUMNS = [
  'units',
  'cancelled',
  'order_items',
  'orders',
  'product_sales',
  'discount',
  'returned',
  'ad_spend',
] as const;

const HELD = ['units', 'orders', 'sales'].flatMap((name) => [`${name}_closed`, `${name}_before`, `${name}_year`]);

/** What a period of a group sold, and what its days that are over are held against. NULL: nothing is known. */
export type Sums = Record<(typeof COLUMNS)[number], Figure> &
  Record<`${'units' | 'orders' | 'sales'}_${'closed' | 'before' | 'year'}`, Figure>;

export interface SumsRow extends Sums {
  key: string;
  place: number;
  /** A SKU of the group, by which it is named. */
  first: string | null;
}

/** How sums are read: periods with what each is held against. */
export interface SumsPlan extends Scope {
  by: Split;
  map: DayMap;
  exchange: Exchange;
}

/** The plan of a scope. */
export async function sumsPlan(ctx: Ctx, scope: Scope, by: Split, map: DayMap): Promise<SumsPlan> {
  return { ...scope, by, map, exchange: await exchangeOf(ctx, scope.filter, map.days) };
}

/** Columns of one source; the others are NULL. */
type Part = Partial<Record<(typeof COLUMNS)[number], RawBuilder<unknown>>>;
const WHOLE = new Set<string>(['units', 'cancelled', 'order_items', 'orders', 'returned']);

function part(ctx: Ctx, reading: Reading, of: Part, sku = true): RawBuilder<unknown> {
  const columns = COLUMNS.map((name) => of[name] ?? (WHOLE.has(name) ? sql`NULL::bigint` : sql`NULL::numeric`));
  return sql`SELECT k.key, k.place, k.side, ${sku ? sql`min(${SKU})` : sql`NULL::text`} AS first, ${sql.join(columns)}
               FROM (${keyed(ctx, reading)}) AS k GROUP BY k.key, k.place, k.side`;
}

const summed = (name: string) => sql.raw(`sum(k.${name})`);

/** The sources of a plan, one under the other: what was sold, orders where they have to be counted, returns, and ads. */
function parts(ctx: Ctx, plan: SumsPlan): RawBuilder<unknown>[] {
  const { by, filter, map, exchange, period, places } = plan;
  const rest = { by, filter, map, exchange };
  const way = orderWay(by, filter, period);
  const orders = way === 'rollup' ? { orders: { of: 's.orders' } } : {};
  const sold: Reading = {
    ...rest,
    source: soldSource(ctx, by, filter, map),
    values: {
      units: { of: 's.units' },
      cancelled: { of: 's.cancelled_units' },
      order_items: { of: 's.order_items' },
      ...orders,
      product_sales: { of: 's.product_sales', money: true },
      discount: { of: 's.discount', money: true },
    },
  };
  const names = Object.keys(sold.values) as (typeof COLUMNS)[number][];
  const all = [part(ctx, sold, Object.fromEntries(names.map((name) => [name, summed(name)])))];
  if (way === 'lines') {
    all.push(part(ctx, readingOf(ctx, 'orders', way, rest), { orders: sql`count(DISTINCT k.value)` }));
  }
  const returned: Reading = {
    ...rest,
    source: returnedSource(ctx, map),
    values: { returned: { of: 's.returned_units' } },
  };
  all.push(part(ctx, returned, { returned: summed('returned') }, false));
  // Ads know neither how something is sent nor who buys it.
  if (!filter.fulfilledBy && !filter.buyer) {
    const ads: Reading = { ...rest, source: adSource(ctx, map), values: { ad_spend: { of: 's.cost', money: true } } };
    all.push(part(ctx, ads, { ad_spend: summed('ad_spend') }, false));
  }
  // A period in which nothing was sold is one all the same.
  if (by === 'all') {
    const partial = places.flatMap((place, n) => (isPartial(exchange, place) ? n : []));
    const zeros = COLUMNS.map((name) => {
      if (name === 'ad_spend') return sql`NULL::numeric`;
      // What no rate converts is not nothing.
      if (!WHOLE.has(name)) return sql`CASE WHEN n = ANY (${partial}::int[]) THEN NULL ELSE 0 END::numeric`;
      return name === 'orders' && way === 'items' ? sql`NULL::bigint` : sql`0::bigint`;
    });
    all.push(
      sql`SELECT ''::text, n, 'now'::text, NULL::text, ${sql.join(zeros)} FROM generate_series(${places.filter((place) => !isKnown(plan, place)).length}::int, ${places.length - 1}::int) AS n`,
    );
  }
  return all;
}

/**
 * SELECT of SumsRow of a plan. A group without anything in a period has no row for it; with `own` false it has one all the same where
 * something is there that the period is held against.
 */
export function sumsSelect(ctx: Ctx, plan: SumsPlan, own = true): RawBuilder<SumsRow> {
  const sums = COLUMNS.map((name) => sql.raw(`sum(u.${name}) FILTER (WHERE u.side IN ('now', 'open')) AS ${name}`));
  const held = [
    ['units', 'u.units'],
    ['orders', 'u.orders'],
    ['sales', 'u.product_sales - u.discount'],
  ].flatMap(([name, of]) =>
    [
      ['closed', 'now'],
      ['before', 'before'],
      ['year', 'year'],
    ].map(([side, where]) => sql.raw(`sum(${of}) FILTER (WHERE u.side = '${where}') AS ${name}_${side}`)),
  );
  return sql<SumsRow>`
    SELECT u.key, u.place, min(u.first) AS first, ${sql.join([...sums, ...held])}
      FROM (${sql.join(parts(ctx, plan), sql` UNION ALL `)}) AS u (key, place, side, first, ${sql.raw(COLUMNS.join(', '))})
     GROUP BY u.key, u.place ${own ? sql`HAVING bool_or(u.side IN ('now', 'open'))` : sql``}`;
}

const money = (value: Figure) => (value === null ? null : new Decimal(value).toFixed());
const whole = (value: Figure) => Number(value ?? 0);

/**
 * Figures of a period that all reports show. Ratios are those of sums; with amounts that are not all there (`partial`) none is
 * known.
 */
export function soldOf(row: Sums, partial: boolean) {
  const net = row.product_sales === null ? null : new Decimal(row.product_sales).minus(row.discount ?? 0).toFixed();
  return {
    orders: row.orders === null ? null : Number(row.orders),
    orderItems: whole(row.order_items),
    units: whole(row.units),
    cancelledUnits: whole(row.cancelled),
    returnedUnits: whole(row.returned),
    productSales: money(row.product_sales),
    discount: money(row.discount),
    netSales: net,
    asp: partial || row.product_sales === null ? null : ratio(String(row.product_sales), String(row.units ?? 0)),
    aov: partial || net === null || row.orders === null ? null : ratio(net, String(row.orders)),
    returnRate: ratio(String(row.returned ?? 0), String(row.units ?? 0)),
    adSpend: money(row.ad_spend),
    acoas: partial || row.ad_spend === null ? null : ratio(String(row.ad_spend), String(row.product_sales ?? 0)),
  };
}

/** Whether the amounts of a period of a plan, of all of them where none is named, are not all there. */
export const partialAt = ({ exchange, places, period }: SumsPlan, place?: number): boolean =>
  isPartial(exchange, (place === undefined ? undefined : places[place]) ?? period);

/** Change of the days that are over against what they are held against; null without a base, or without a day that is over. */
export function heldOf(closed: Figure, before: Figure): string | null {
  return before === null ? null : changeOf(closed ?? 0, before);
}

/** The sums of everything by period, and of all periods. An order has one day: orders add up over periods. */
export async function wholeOf(ctx: Ctx, plan: SumsPlan): Promise<{ rows: SumsRow[]; total: Sums }> {
  const { rows } = await sql<SumsRow>`${sumsSelect(ctx, { ...plan, by: 'all' }, false)} ORDER BY 2`.execute(ctx.db);
  const add = (name: keyof Sums): Figure => {
    const known = rows.flatMap((row) => row[name] ?? []);
    return known.length === 0 ? null : Decimal.sum(...known).toFixed();
  };
  const total = Object.fromEntries([...COLUMNS, ...HELD].map((name) => [name, add(name as keyof Sums)])) as Sums;
  return { rows: rows.filter(({ place }) => place >= 0), total };
}
