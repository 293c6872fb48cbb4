import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { type GroupFilter, MOST_MONTHS, type monthlyGroup } from '../../contract/group.ts';
import { monthsOf } from '../fx.ts';
import { freshness, visible } from '../list.ts';
import { profitRows } from '../rows.ts';
import { scopeOf } from '../scope.ts';
import { conversionOf, type ReportRow, reportWithTotalSql, type WithTotal, wholeOf } from '../source.ts';

/**
 * The months of a filter as rows of the profit report, in its currency, or in CNY where 原币 would be several.
 * @throws B0612 more than 24 months
 */
export async function monthlyOf(
  ctx: Ctx,
  { stores, date, currency, basis }: GroupFilter,
): Promise<Reply<typeof monthlyGroup>> {
  const scope = await scopeOf(ctx, { stores, date, currency, basis });
  const months = monthsOf(scope.from, scope.to).map((day) => day.slice(0, 7));
  if (months.length > MOST_MONTHS) throw refused(`一次最多查询 ${MOST_MONTHS} 个月，请缩短日期`, 'B0612');
  const conversion = await conversionOf(ctx, scope, true);
  const { rows } = await sql<ReportRow & WithTotal>`
    SELECT * FROM ${reportWithTotalSql(ctx, scope, conversion, 'month')} AS r ORDER BY r.month`.execute(ctx.db);
  const [first] = rows;
  const all = first && wholeOf(first);
  const whole = all ? await profitRows(ctx, [all], 'month') : [];
  const target = conversion.target ?? 'CNY';
  return {
    currency: target,
    converted: conversion.currencies.some((one) => one !== target),
    // What lies before the first money of the filter says nothing.
    months: months.filter((month) => month >= (first?.month ?? '')),
    partial: months.at(-1) === ctx.clock.today().slice(0, 7),
    rows: visible(ctx, await profitRows(ctx, rows, 'month')),
    whole: visible(ctx, whole)[0] ?? null,
    missingRates: conversion.missing,
    asOf: await freshness(ctx),
  };
}
