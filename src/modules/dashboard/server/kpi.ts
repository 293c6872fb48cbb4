import { sql } from 'kysely';
import { changeOf } from '#kit/contract/compare.ts';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { AMOUNTS } from '#modules/order/contract/orders.ts';
import { salesAsOf } from '#modules/sales/server/index.ts';
import type { HomeFilter, kpi } from '../contract.ts';
import { addDays } from './days.ts';
import { conversionOf } from './fx.ts';
import { type Scope, scopeOf } from './scope.ts';
import { ofAccounts, sourceOf, spansSql } from './source.ts';

interface DayRow {
  day: string;
  time: string;
  currency: string;
  current: boolean;
  closed: boolean;
  orders: number;
  units: number;
  net_sales: string;
  estimated: string;
}

/** Sums by day (and, for a single day, by half hour), currency and comparability. */
async function dayRows(ctx: Ctx, scope: Scope): Promise<DayRow[]> {
  const { rows } = await sql<DayRow>`
    SELECT day, time, currency, current, closed, sum(orders)::int AS orders, sum(units)::int AS units,
           sum(net_sales) AS net_sales, sum(estimated) AS estimated
      FROM (${sourceOf(ctx, scope)}) AS s GROUP BY 1, 2, 3, 4, 5`.execute(ctx.db);
  return rows;
}

/** One value per day of the period, per half hour where it is a single one. */
function sparkOf(scope: Scope, rows: readonly DayRow[], value: (row: DayRow) => number): number[] {
  const current = rows.filter((row) => row.current);
  const single = scope.range.days === 1;
  const count = single ? 48 : scope.range.days;
  const values = new Array<number>(count).fill(0);
  const places = single ? undefined : new Map(values.map((_, index) => [addDays(scope.range.from, index), index]));
  for (const row of current) {
    const [hour = 0, minute = 0] = row.time.split(':').map(Number);
    const place = places ? places.get(row.day) : hour * 2 + Math.floor(minute / 30);
    if (place !== undefined) values[place] = (values[place] ?? 0) + value(row);
  }
  return values;
}

function countFigure(scope: Scope, rows: readonly DayRow[], value: (row: DayRow) => number) {
  const total = (of: (row: DayRow) => boolean) => rows.reduce((acc, row) => acc + (of(row) ? value(row) : 0), 0);
  const previous = total((row) => !row.current && row.closed);
  return {
    value: total((row) => row.current),
    previous,
    change: changeOf(
      total((row) => row.current && row.closed),
      previous,
    ),
    spark: sparkOf(scope, rows, value),
  };
}

async function netSalesOf(ctx: Ctx, scope: Scope, rows: readonly DayRow[]) {
  const currencies = [...new Set(rows.map((row) => row.currency))].sort();
  const conversion = await conversionOf(ctx, currencies, scope.filter.currency);
  const into = (row: DayRow, amount: string) =>
    conversion.convert(amount, { currency: row.currency, month: row.day.slice(0, 7) }) ?? '0';
  const total = (of: (row: DayRow) => boolean, pick: (row: DayRow) => string) =>
    sum(rows.filter(of).map((row) => into(row, pick(row))));
  const net = (row: DayRow) => row.net_sales;
  const previous = total((row) => !row.current && row.closed, net);
  const wire = (value: string) => new Decimal(value).toDecimalPlaces(6).toFixed();
  return {
    currency: conversion.currency,
    converted: conversion.converted,
    value: wire(total((row) => row.current, net)),
    previous: wire(previous),
    change: changeOf(
      total((row) => row.current && row.closed, net),
      previous,
    ),
    estimated: wire(
      total(
        (row) => row.current,
        (row) => row.estimated,
      ),
    ),
    spark: sparkOf(scope, rows, (row) => Number(into(row, row.net_sales))),
    missingRates: conversion.missing(),
    presetRates: conversion.presets(),
  };
}

async function skusOf(ctx: Ctx, scope: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(DISTINCT (s.account_id, s.marketplace_id, s.seller_sku)) AS n FROM ${spansSql(scope.spans)}
      JOIN sales.sku_day AS s ON s.company_id = ${ctx.companyId} AND s.marketplace_id = p.marketplace_id
       AND s.local_date BETWEEN p.day_from AND p.day_to AND s.units > 0
     WHERE ${ofAccounts('s', scope.filter.accountIds)}`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

/** The strip of figures: net sales, units and orders of the period with their change against the period before. */
export async function kpiOf(ctx: Ctx, filter: HomeFilter): Promise<Reply<typeof kpi>> {
  const scope = await scopeOf(ctx, filter);
  const rows = await dayRows(ctx, scope);
  return {
    range: scope.range,
    unfinished: scope.unfinished,
    units: countFigure(scope, rows, (row) => row.units),
    orders: countFigure(scope, rows, (row) => row.orders),
    netSales: can(ctx, AMOUNTS) ? await netSalesOf(ctx, scope, rows) : null,
    skus: await skusOf(ctx, scope),
    asOf: await salesAsOf(ctx, filter.accountIds),
  };
}
