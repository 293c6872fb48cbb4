import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { conflict, refused } from '#kit/server/errors.ts';
import { unscoped } from '#kit/server/scope.ts';
import type { closeProfitMonth, listProfitMonths, PeriodRow } from '../contract/period.ts';
import { COST } from '../contract/report.ts';
import { closedMonths, nextMonth, ON_ITS_DAY, stopCounting } from './booking.ts';
import { foldSoon } from './dirty.ts';
import { monthsOf } from './fx.ts';
import { ratesToKeep } from './kept-rates.ts';
import { rate, wire } from './rows.ts';
import type { Scope } from './scope.ts';
import { conversionOf, type ReportRow, reportSql } from './source.ts';

type Changed = Reply<typeof closeProfitMonth>;

const RESOURCE = 'profit.period';
/** Months that the list shows. */
const SHOWN = 13;

interface State {
  month: string;
  state: 'OPEN' | 'CLOSED';
  version: number;
  reason: string;
  changedBy: string;
  changedAt: string | null;
}

async function statesOf(ctx: Ctx, from: string): Promise<ReadonlyMap<string, State>> {
  const { rows } = await sql<State>`
    SELECT month::text AS month, state, version, reason, changed_by_name AS "changedBy", changed_at AS "changedAt"
      FROM profit.period WHERE company_id = ${ctx.companyId} AND month >= ${from}::date`.execute(ctx.db);
  return new Map(rows.map((row) => [row.month, row]));
}

/** The report by month, as "yyyy-MM". */
async function byMonth(ctx: Ctx, scope: Scope): Promise<{ rows: ReadonlyMap<string, ReportRow>; missing: string[] }> {
  const conversion = await conversionOf(ctx, scope, true);
  const { rows } = await sql<ReportRow>`
    SELECT * FROM ${reportSql(ctx, scope, conversion, 'month')} AS r`.execute(ctx.db);
  return { rows: new Map(rows.map((row) => [row.month ?? '', row])), missing: conversion.missing };
}

/** SKUs without a cost by month "yyyy-MM", and store days that wait to be counted. */
async function countsOf(ctx: Ctx, from: string): Promise<ReadonlyMap<string, { uncosted: number; waiting: number }>> {
  const { rows } = await sql<{ month: string; uncosted: number; waiting: number }>`
    SELECT month, sum(uncosted)::int AS uncosted, sum(waiting)::int AS waiting FROM (
      SELECT to_char(booked_date, 'YYYY-MM') AS month, count(DISTINCT sku) AS uncosted, 0 AS waiting
        FROM profit.profit_daily
       WHERE company_id = ${ctx.companyId} AND booked_date >= ${from}::date AND units > cost_units GROUP BY 1
      UNION ALL
      SELECT to_char(date, 'YYYY-MM'), 0, count(DISTINCT (account_id, marketplace_id, date)) FROM profit.dirty
       WHERE company_id = ${ctx.companyId} AND date >= ${from}::date GROUP BY 1) AS x
     GROUP BY month`.execute(ctx.db);
  return new Map(rows.map((row) => [row.month, row]));
}

/** The last months with what is missing in each, the newest first; amounts in CNY as they are booked. */
export async function profitMonths(ctx: Ctx): Promise<Reply<typeof listProfitMonths>> {
  const to = ctx.clock.today();
  const first = new Date(`${to.slice(0, 7)}-01T00:00:00Z`);
  first.setUTCMonth(first.getUTCMonth() - SHOWN + 1);
  const from = first.toISOString().slice(0, 10);
  const scope: Scope = {
    from,
    to: nextMonth(`${to.slice(0, 7)}-01`),
    stores: [],
    skus: [],
    currency: 'CNY',
    basis: 'BOOKED',
  };
  const states = await statesOf(ctx, from);
  const booked = await byMonth(ctx, scope);
  const late = await byMonth(ctx, { ...scope, basis: 'BELONG', late: true });
  const counts = await countsOf(ctx, from);
  const seesCost = can(ctx, COST);
  const rows = monthsOf(from, to).map((day): PeriodRow => {
    const month = day.slice(0, 7);
    const state = states.get(day);
    const row = booked.rows.get(month);
    const after = late.rows.get(month);
    return {
      month,
      state: state?.state ?? 'OPEN',
      profit: seesCost ? wire(row?.profit) : null,
      late: wire(seesCost ? after?.profit : after?.platform_net),
      settledShare: rate(row?.settled_share),
      missingCosts: counts.get(month)?.uncosted ?? 0,
      unmapped: wire(row?.unmapped),
      missingRates: booked.missing.flatMap((key) => (key.endsWith(month) ? [key.slice(0, 3)] : [])).join('、'),
      waiting: counts.get(month)?.waiting ?? 0,
      changedBy: state?.changedBy ?? '',
      changedAt: state?.changedAt ?? null,
      reason: state?.reason ?? '',
      version: state?.version ?? 0,
      currency: 'CNY',
    };
  });
  return rows.toReversed();
}

async function put(ctx: Ctx, month: string, state: State['state'], reason: string): Promise<void> {
  await sql`
    INSERT INTO profit.period AS p (company_id, month, state, reason, changed_by_name)
    VALUES (${ctx.companyId}, ${month}::date, ${state}, ${reason}, ${ctx.userName})
    ON CONFLICT (company_id, month) DO UPDATE
       SET state = excluded.state, reason = excluded.reason, changed_by_name = excluded.changed_by_name,
           changed_at = kit.now(), version = p.version + 1`.execute(ctx.db);
}

/** Open months with money up to `last`, and `last` itself, the oldest first. */
async function openUpTo(ctx: Ctx, last: string): Promise<string[]> {
  const { rows } = await sql<{ month: string | null }>`
    SELECT date_trunc('month', min(date))::date::text AS month FROM profit.profit_daily
     WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
  const first = rows[0]?.month;
  const closed = await closedMonths(ctx);
  return monthsOf(first && first < last ? first : last, last).filter((month) => !closed.includes(month));
}

/** Keeps the rates of the months as they are now. @throws refused B0623 where one that is needed was never told */
async function keepRates(ctx: Ctx, months: readonly string[]): Promise<void> {
  const lacking: string[] = [];
  for (const month of months) {
    const { rates, untold } = await ratesToKeep(ctx, month);
    lacking.push(...untold.map((currency) => `${currency} ${month.slice(0, 7)}`));
    for (const { currency, rate: value } of rates) {
      await sql`
        INSERT INTO profit.period_rate (company_id, month, currency, rate)
        VALUES (${ctx.companyId}, ${month}::date, ${currency}, ${value}::numeric)`.execute(ctx.db);
    }
  }
  if (lacking.length === 0) return;
  const named = lacking.slice(0, 3).join('、');
  throw refused(`缺少 ${named}${lacking.length > 3 ? ` 等 ${lacking.length} 项` : ''} 汇率，不能关账`, 'B0623');
}

async function requireCounted(ctx: Ctx, month: string): Promise<void> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(DISTINCT (account_id, marketplace_id, date))::int AS n FROM profit.dirty
     WHERE company_id = ${ctx.companyId} AND date < ${nextMonth(month)}::date`.execute(ctx.db);
  const waiting = rows[0]?.n ?? 0;
  if (waiting > 0) throw refused(`还有 ${waiting} 个店铺日等待计算，请稍后再关账`, 'B0622');
}

/**
 * Closes a month "yyyy-MM", and all open ones before it: what the report books in them stays, with the rates of today.
 * @throws refused B0620 for a month that is not over on every site, B0621 where it is closed, B0622 while money waits to be
 * counted, B0623 without a rate; conflict
 */
export function closeMonth(ctx: Ctx, input: { month: string; version: number }): Promise<Changed> {
  const month = `${input.month}-01`;
  return unscoped(ctx, async () => {
    await stopCounting(ctx);
    // The last site's day ends most of a day after that of the company.
    if (ctx.clock.today() <= nextMonth(month))
      throw refused(`${input.month} 在部分站点尚未结束，次月 2 日起可以关账`, 'B0620');
    const state = (await statesOf(ctx, month)).get(month);
    if (state?.state === 'CLOSED') throw refused(`${input.month} 已关账`, 'B0621');
    if ((state?.version ?? 0) !== input.version) throw conflict();
    await requireCounted(ctx, month);
    const months = await openUpTo(ctx, month);
    await keepRates(ctx, months);
    for (const one of months) await put(ctx, one, 'CLOSED', '');
    await audit(ctx, {
      action: '利润关账',
      resource: RESOURCE,
      resourceId: input.month,
      after: { state: 'CLOSED', from: months[0]?.slice(0, 7) },
    });
    return { month: input.month, state: 'CLOSED' };
  });
}

/** What belongs to a month or was booked in it or later as late is counted again. */
async function markMonth(ctx: Ctx, month: string): Promise<void> {
  await sql`
    INSERT INTO profit.dirty (company_id, account_id, marketplace_id, date, sku)
    SELECT DISTINCT company_id, account_id, marketplace_id, date, CASE scope WHEN 'DIRECT' THEN sku ELSE '' END
      FROM profit.profit_daily
     WHERE company_id = ${ctx.companyId}
       AND (date >= ${month}::date AND date < ${nextMonth(month)}::date OR late_month >= ${month}::date)`.execute(
    ctx.db,
  );
  await foldSoon(ctx);
}

/**
 * Opens the last closed month "yyyy-MM" again; what came late since then flows back into it.
 * @throws refused B0621 where it is not closed, B0624 where a later one is; conflict
 */
export function reopenMonth(ctx: Ctx, input: { month: string; version: number; reason: string }): Promise<Changed> {
  const month = `${input.month}-01`;
  return unscoped(ctx, async () => {
    await stopCounting(ctx);
    const states = await statesOf(ctx, ON_ITS_DAY);
    const state = states.get(month);
    if (state?.state !== 'CLOSED') throw refused(`${input.month} 没有关账`, 'B0621');
    if (state.version !== input.version) throw conflict();
    const last = (await closedMonths(ctx)).at(-1) ?? month;
    if (last > month) throw refused(`${last.slice(0, 7)} 已关账，请先反关账较晚的月份`, 'B0624');
    await sql`
      DELETE FROM profit.period_rate WHERE company_id = ${ctx.companyId} AND month = ${month}::date`.execute(ctx.db);
    await put(ctx, month, 'OPEN', input.reason);
    await markMonth(ctx, month);
    await audit(ctx, {
      action: '利润反关账',
      resource: RESOURCE,
      resourceId: input.month,
      after: { state: 'OPEN', reason: input.reason },
    });
    return { month: input.month, state: 'OPEN' };
  });
}
