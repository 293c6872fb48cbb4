import { sql } from 'kysely';
import { changeOf } from '#kit/contract/compare.ts';
import { Decimal, ratio, sum } from '#kit/contract/decimal.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { siteAdDaysSelect } from '#modules/advertising/server/index.ts';
import { AMOUNTS } from '#modules/order/contract/orders.ts';
import type { adChart } from '../contract/cards.ts';
import type { HomeFilter } from '../contract.ts';
import { addDays } from './days.ts';
import { conversionOf } from './fx.ts';
import { type Scope, scopeOf } from './scope.ts';
import { ofAccounts } from './source.ts';

interface Row {
  day: string;
  currency: string;
  clicks: number;
  units: number;
  cost: string;
  sales: string;
  /** Of all orders, with ads or without. */
  net_sales: string;
}

/** Ads and net sales of the sites of a scope by day and currency, of the period and the one before. */
async function dayRows(ctx: Ctx, { filter, range, spans }: Scope): Promise<Row[]> {
  const days = { from: range.previousFrom, to: range.to };
  const sites = sql`ANY (${spans.map(({ marketplaceId }) => marketplaceId)}::text[])`;
  const { rows } = await sql<Row>`
    SELECT day, currency, sum(clicks)::int AS clicks, sum(units)::int AS units, sum(cost) AS cost, sum(sales) AS sales,
           sum(net_sales) AS net_sales
      FROM (SELECT d.day, d.currency, d.clicks, d.units, d.cost, d.sales, 0::numeric AS net_sales
              FROM (${siteAdDaysSelect(ctx, days)}) AS d
             WHERE d.marketplace_id = ${sites} AND ${ofAccounts('d', filter.accountIds)}
            UNION ALL
            SELECT s.local_date, s.currency, 0, 0, 0, 0, sum(s.product_sales - s.discount)
              FROM sales.store_day AS s
             WHERE s.company_id = ${ctx.companyId} AND s.marketplace_id = ${sites} AND ${ofAccounts('s', filter.accountIds)}
               AND s.local_date BETWEEN ${days.from}::date AND ${days.to}::date
             GROUP BY 1, 2) AS x
     GROUP BY 1, 2`.execute(ctx.db);
  return rows;
}

const wire = (value: string) => new Decimal(value).toDecimalPlaces(6).toFixed();

/** Sums of each day of a list of days; `pick` gives decimal text. */
function byDay(rows: readonly Row[], days: readonly string[], pick: (row: Row) => string): string[] {
  const of = Map.groupBy(rows, (row) => row.day);
  return days.map((day) => sum((of.get(day) ?? []).map(pick)));
}

/** Clicks, units, spend and the two ratios by day, against the period before. Days are the business days of each site. */
export async function adChartOf(ctx: Ctx, asked: HomeFilter): Promise<Reply<typeof adChart>> {
  if (!can(ctx, 'adv:manager:view')) return null;
  const scope = await scopeOf(ctx, { ...asked, zone: 'site' });
  const rows = await dayRows(ctx, scope);
  const { range } = scope;
  const currencies = [...new Set(rows.map((row) => row.currency))].sort();
  const conversion = await conversionOf(ctx, currencies, asked.currency);
  const money = (pick: (row: Row) => string) => (row: Row) =>
    conversion.convert(pick(row), { currency: row.currency, month: row.day.slice(0, 7) }) ?? '0';
  const labels = Array.from({ length: range.days }, (_, index) => addDays(range.from, index));
  const earlier = labels.map((day) => addDays(day, -range.days));
  const change = (now: string, before: string) => (scope.unfinished ? null : changeOf(now, before));
  const figure = (pick: (row: Row) => string) => {
    const days = byDay(rows, labels, pick);
    const [now, before] = [sum(days), sum(byDay(rows, earlier, pick))];
    return { now, before, days, change: change(now, before) };
  };
  const count = (pick: (row: Row) => number) => {
    const { now, days, change: of } = figure((row) => String(pick(row)));
    return { value: Number(now), change: of, days: days.map(Number) };
  };
  const [spend, sales, net] = [
    figure(money((row) => row.cost)),
    figure(money((row) => row.sales)),
    figure(money((row) => row.net_sales)),
  ];
  const share = (of: typeof sales) => {
    const [now, before] = [ratio(spend.now, of.now), ratio(spend.before, of.before)];
    return {
      value: now === null ? null : wire(now),
      change:
        scope.unfinished || now === null || before === null ? null : wire(new Decimal(now).minus(before).toFixed()),
      days: spend.days.map((cost, index) => {
        const day = ratio(cost, of.days[index] ?? '0');
        return day === null ? null : wire(day);
      }),
    };
  };
  const shown = ({ now, change: of, days }: typeof spend) => ({ value: wire(now), change: of, days: days.map(wire) });
  return {
    range,
    labels,
    currency: conversion.currency,
    converted: conversion.converted,
    clicks: count((row) => row.clicks),
    units: count((row) => row.units),
    spend: shown(spend),
    sales: shown(sales),
    acos: share(sales),
    tacos: can(ctx, AMOUNTS) ? share(net) : null,
    missingRates: conversion.missing(),
  };
}
