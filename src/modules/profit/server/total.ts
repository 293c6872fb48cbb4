import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { PLATFORM_FEES } from '../contract/figures.ts';
import type { ProfitFilter, ProfitSums, ProfitTotal } from '../contract/report.ts';
import { freshness, sumOf } from './list.ts';
import { rate, wire } from './rows.ts';
import { UNALLOCATED } from './shares.ts';
import { before, conversionOf, type ReportRow, type Scope, scopeOf, within } from './source.ts';

function feesOf(row: ReportRow): string | null {
  const values = PLATFORM_FEES.map((key) => row[key]);
  if (values.some((value) => value === null)) return null;
  return values.reduce((sum, value) => sum.plus(value ?? 0), new Decimal(0)).toFixed();
}

function sumsOf(ctx: Ctx, row: ReportRow | undefined): ProfitSums {
  const cost = can(ctx, 'fin:cost:view');
  const zero = row === undefined ? '0' : undefined;
  return {
    units: row?.units ?? 0,
    sales: zero ?? wire(row?.sales),
    netSales: zero ?? wire(row?.net_sales),
    platformFees: zero ?? (row ? wire(feesOf(row)) : null),
    ads: zero ?? wire(row?.ads),
    platformNet: zero ?? wire(row?.platform_net),
    cogs: cost ? (zero ?? wire(row?.cogs)) : null,
    profit: cost ? (zero ?? wire(row?.profit)) : null,
    margin: cost ? rate(row?.margin) : null,
  };
}

async function missingCosts(ctx: Ctx, scope: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(DISTINCT p.sku) AS n FROM profit.profit_daily AS p
     WHERE ${within(ctx, scope)} AND p.units > p.cost_units`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

async function settledUntil(ctx: Ctx, scope: Scope): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT max(p.date) AS day FROM profit.profit_daily AS p
     WHERE ${within(ctx, scope)} AND p.settled_size > 0`.execute(ctx.db);
  return rows[0]?.day ?? null;
}

/** The figures above the report with those of the period before, and how far the data can be trusted. */
export async function totalOf(ctx: Ctx, filter: ProfitFilter): Promise<ProfitTotal> {
  const scope = scopeOf(filter);
  const conversion = await conversionOf(ctx, scope, true);
  const current = await sumOf(ctx, scope, conversion);
  const past = before(scope);
  // A period without money has no currency of its own: it takes that of the one before.
  const target = (conversion.currencies.length > 0 ? conversion : await conversionOf(ctx, past, true)).target ?? 'CNY';
  const previous = await sumOf(ctx, past, await conversionOf(ctx, { ...past, currency: target }, true));
  const rest = await sumOf(ctx, { ...scope, skus: [UNALLOCATED] }, conversion);
  return {
    currency: target,
    converted: conversion.currencies.some((currency) => currency !== target),
    current: sumsOf(ctx, current),
    previous: previous ? sumsOf(ctx, previous) : null,
    quality: {
      missingCostSkus: await missingCosts(ctx, scope),
      missingRates: conversion.missing,
      presetRates: conversion.currencies.some((currency) => currency !== target) ? conversion.presets : [],
      settledShare: rate(current?.settled_share),
      unmapped: wire(current?.unmapped),
      unallocated: wire(rest?.platform_net),
    },
    settledUntil: await settledUntil(ctx, scope),
    asOf: await freshness(ctx),
  };
}
