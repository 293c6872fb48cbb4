import { sql } from 'kysely';
import { sum } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { PLATFORM_FEES } from '../contract/figures.ts';
import type { ProfitScope, ProfitSums, ProfitTotal } from '../contract/report.ts';
import { freshness, sumOf } from './list.ts';
import { amountsOf, rate, wire } from './rows.ts';
import { before, type Scope, scopeOf, within } from './scope.ts';
import { UNALLOCATED } from './shares.ts';
import { conversionOf, type ReportRow } from './source.ts';

function feesOf(amounts: ReturnType<typeof amountsOf>): string | null {
  const values = PLATFORM_FEES.map((key) => amounts[key]);
  return values.some((value) => value === null) ? null : sum(values.map((value) => value ?? '0'));
}

const NOTHING: ProfitSums = {
  units: 0,
  sales: '0',
  netSales: '0',
  platformFees: '0',
  ads: '0',
  platformNet: '0',
  cogs: '0',
  fees: '0',
  profit: '0',
  margin: null,
};

function sumsOf(ctx: Ctx, row: ReportRow | undefined): ProfitSums {
  const amounts = row && amountsOf(row);
  const sums = amounts
    ? {
        units: row.units,
        sales: amounts.sales,
        netSales: amounts.netSales,
        platformFees: feesOf(amounts),
        ads: amounts.ads,
        platformNet: amounts.platformNet,
        cogs: amounts.cogs,
        fees: amounts.fees,
        profit: amounts.profit,
        margin: amounts.margin,
      }
    : NOTHING;
  return can(ctx, 'fin:cost:view') ? sums : { ...sums, cogs: null, fees: null, profit: null, margin: null };
}

/** SKUs with pieces of unknown cost; one that came late makes up for its day where both are in the scope. */
async function missingCosts(ctx: Ctx, scope: Scope): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(DISTINCT k.sku) AS n FROM (
      SELECT p.sku FROM profit.profit_daily AS p WHERE ${within(ctx, scope)} AND p.units <> p.cost_units
       GROUP BY p.account_id, p.marketplace_id, p.date, p.sku, p.currency HAVING sum(p.units - p.cost_units) > 0) AS k`.execute(
    ctx.db,
  );
  return rows[0]?.n ?? 0;
}

async function settledUntil(ctx: Ctx, scope: Scope): Promise<string | null> {
  const { rows } = await sql<{ day: string | null }>`
    SELECT max(p.date) AS day FROM profit.profit_daily AS p
     WHERE ${within(ctx, scope)} AND p.settled_size > 0`.execute(ctx.db);
  return rows[0]?.day ?? null;
}

/** The figures above the report with those of the period before, and how far the data can be trusted. */
export async function totalOf(ctx: Ctx, filter: ProfitScope): Promise<ProfitTotal> {
  const scope = await scopeOf(ctx, filter);
  const conversion = await conversionOf(ctx, scope, true);
  const current = await sumOf(ctx, scope, conversion);
  const past = before(scope);
  // A period without money has no currency of its own: it takes that of the one before.
  const target = (conversion.currencies.length > 0 ? conversion : await conversionOf(ctx, past, true)).target ?? 'CNY';
  const previous = await sumOf(ctx, past, await conversionOf(ctx, { ...past, currency: target }, true));
  const late = scope.basis === 'BOOKED' ? await sumOf(ctx, { ...scope, late: true }, conversion) : undefined;
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
      late: wire(can(ctx, 'fin:cost:view') ? late?.profit : late?.platform_net),
    },
    settledUntil: await settledUntil(ctx, scope),
    asOf: await freshness(ctx),
  };
}
