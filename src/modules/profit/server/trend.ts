import { sql } from 'kysely';
import { type Ctx, can } from '#kit/server/context.ts';
import type { ProfitScope } from '../contract/report.ts';
import { amountsOf } from './rows.ts';
import { scopeOf } from './scope.ts';
import { conversionOf, type ReportRow, reportSql } from './source.ts';

function shown(amounts: ReturnType<typeof amountsOf>, cost: boolean) {
  const { sales, netSales, profit, settledShare } = amounts;
  return { sales, netSales, profit: cost ? profit : null, settledShare };
}

/** The filter day by day, in one currency. Days without money are absent. */
export async function trendOf(ctx: Ctx, filter: ProfitScope) {
  const scope = await scopeOf(ctx, filter);
  const conversion = await conversionOf(ctx, scope, true);
  const { rows } = await sql<ReportRow>`
    SELECT * FROM ${reportSql(ctx, scope, conversion, 'day')} AS r ORDER BY r.day`.execute(ctx.db);
  const cost = can(ctx, 'fin:cost:view');
  return {
    currency: conversion.target ?? 'CNY',
    points: rows.map((row) => ({
      day: row.day ?? scope.from,
      currency: conversion.target ?? 'CNY',
      units: row.units,
      ...shown(amountsOf(row), cost),
    })),
  };
}
