import { type Kysely, type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import type { z } from 'zod';
import {
  type ComparedTrend,
  type Comparison,
  changeOf,
  comparedPeriod,
  lengthOf,
  type Period,
} from '#kit/contract/compare.ts';
import { dayAfter } from '#kit/contract/day.ts';
import { Decimal, plainDecimal, ratio } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { hiddenFields, type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type Asked, type Facts, type Goods, goodsOf, withListing } from './base.ts';

/** Something that is added up over a period: whole pieces, amounts by currency, or other decimals. */
export interface ComparedMeasure {
  /** SQL over the fact table `f`, written by the program. */
  of: string;
  kind: 'integer' | 'money' | 'decimal';
}

export interface ComparedList {
  title: string;
  resource: string;
  row: z.ZodObject;
  /** Rows of the filter, whatever their day. */
  facts: Facts;
  /** SELECT of (account_id, marketplace_id, day): what the source has told at all, so that zero is told from unknown. */
  told: RawBuilder<unknown>;
  /** Columns that a row stands for, beside its account, marketplace and currency. */
  by: readonly ('seller_sku' | 'asin' | 'fnsku')[];
  measures: Readonly<Record<string, ComparedMeasure>>;
  /** Ratios of two sums, by the names of the measures. */
  ratios?: Readonly<Record<string, readonly [over: string, under: string]>>;
  /** Distance of the points of its chart. */
  step: 'day' | 'month';
  /** Measures and ratios that the chart shows. */
  charted: readonly string[];
  /** What a page is ordered by: a measure, the largest first. */
  first: string;
}

export interface ComparedFilter {
  dates?: { from?: string | undefined; to?: string | undefined } | undefined;
  compare?: Comparison | undefined;
}

const MOST_DAYS = 400;
const USUAL_DAYS = 30;

const firstOf = (day: string): string => `${day.slice(0, 7)}-01`;
const lastOf = (day: string): string => dayAfter(firstOf(dayAfter(firstOf(day), 31)), -1);

/** Days as they are filtered, from thirty of them up to yesterday where nothing is said. */
function daysOf(today: string, { from, to }: NonNullable<ComparedFilter['dates']>): Period {
  const yesterday = dayAfter(today, -1);
  const end = to ?? (from && from > yesterday ? from : yesterday);
  return { from: from ?? dayAfter(end, 1 - USUAL_DAYS), to: end };
}

/** The months that a filter touches, whole; the last three that are over where it names none. */
function monthsOf(today: string, { from, to }: NonNullable<ComparedFilter['dates']>): Period {
  const end = lastOf(to ?? (from && from > firstOf(today) ? from : dayAfter(firstOf(today), -1)));
  return { from: firstOf(from ?? dayAfter(firstOf(dayAfter(firstOf(end), -1)), -1)), to: end };
}

/** The period of a filter, and what it is held against. @throws B0612 too long */
export function periodsOf(
  ctx: Pick<Ctx, 'clock'>,
  { dates = {}, compare = 'previous' }: ComparedFilter,
  step: ComparedList['step'],
): { now: Period; before: Period } {
  const now = (step === 'month' ? monthsOf : daysOf)(ctx.clock.today(), dates);
  if (lengthOf(now) > MOST_DAYS) throw refused(`对比的日期范围不能超过 ${MOST_DAYS} 天`, 'B0612');
  return { now, before: comparedPeriod(now, compare) };
}

type Periods = ReturnType<typeof periodsOf>;

const inside = ({ from, to }: Period, day = 'f.day') => sql`${sql.ref(day)} BETWEEN ${from}::date AND ${to}::date`;
const either = ({ now, before }: Periods, day = 'f.day') =>
  sql<boolean>`(${inside(now, day)} OR ${inside(before, day)})`;

const CAST = { integer: '::bigint', money: '', decimal: '' } as const;
const SIDES = ['', 'Before'] as const;
const quoted = (name: string): string => `"${name}"`;

/** Both sums of every measure, from one reading of the rows. */
function sumsOf({ measures }: ComparedList, periods: Periods) {
  return Object.entries(measures).flatMap(([name, { of, kind }]) =>
    SIDES.map((side) => {
      const period = side === '' ? periods.now : periods.before;
      return sql`(${sql.raw(`sum(${of})`)} FILTER (WHERE ${inside(period)}))${sql.raw(CAST[kind])}`.as(
        `${name}${side}`,
      );
    }),
  );
}

const NAMES = ['seller_sku', 'asin', 'fnsku'] as const;

/** One row for each product with both periods and their changes, as relation `f`. */
function rowsOf(ctx: Ctx, list: ComparedList, periods: Periods): RawBuilder<unknown> {
  const { measures, ratios = {}, by } = list;
  const names = Object.keys(measures);
  const grouped = list.facts
    .where(either(periods))
    .clearSelect()
    .select([
      sql`f.account_id`.as('account_id'),
      sql`f.marketplace_id`.as('marketplace_id'),
      sql`f.currency`.as('currency'),
      ...NAMES.map((name) => (by.includes(name) ? sql.ref(`f.${name}`) : sql`max(${sql.ref(`f.${name}`)})`).as(name)),
      ...sumsOf(list, periods),
    ])
    .groupBy(sql.raw(['account_id', 'marketplace_id', 'currency', ...by].map((name) => `f.${name}`).join(', ')));
  // A product without a row in a period that was told had nothing there; of one that was not told nobody knows.
  const known = names.flatMap((name) =>
    SIDES.map((side) => `CASE WHEN t."told${side}" THEN coalesce(g."${name}${side}", 0) END AS "${name}${side}"`),
  );
  const quotients = Object.entries(ratios).flatMap(([name, [over, under]]) =>
    SIDES.map((side) => `k."${over}${side}" / nullif(k."${under}${side}", 0)::numeric AS "${name}${side}"`),
  );
  const changes = [...names, ...Object.keys(ratios)].map(
    (name) => `(c."${name}" - c."${name}Before") / nullif(c."${name}Before", 0)::numeric AS "${name}Change"`,
  );
  return sql`
    SELECT c.*, ${sql.raw(changes.join(', '))}
      FROM (SELECT ${sql.raw(['k.*', ...quotients].join(', '))}
              FROM (SELECT ${ctx.companyId}::uuid AS company_id, g.account_id, g.marketplace_id, g.currency, g.seller_sku,
                           g.asin, g.fnsku, md5(concat_ws('|', g.account_id, g.marketplace_id, g.currency,
                             ${sql.raw(by.map((name) => `g.${name}`).join(', '))})) AS row_id, ${sql.raw(known.join(', '))}
                      FROM (${grouped}) AS g
                      JOIN (SELECT d.account_id, d.marketplace_id, bool_or(${inside(periods.now, 'd.day')}) AS told,
                                   bool_or(${inside(periods.before, 'd.day')}) AS "toldBefore"
                              FROM (${list.told}) AS d WHERE ${either(periods, 'd.day')} GROUP BY 1, 2) AS t
                        ON t.account_id = g.account_id AND t.marketplace_id = g.marketplace_id) AS k) AS c`;
}

type Figures = Record<string, string | number | null>;
type Row = Figures & { row_id: string; account_id: string; marketplace_id: string; currency: string };

/** Names of both sides and the change of every measure and ratio that the contract's row has. */
function fieldsOf({ measures, ratios = {}, row }: ComparedList): string[] {
  return [...Object.keys(measures), ...Object.keys(ratios)]
    .flatMap((name) => [name, `${name}Before`, `${name}Change`])
    .filter((name) => name in row.shape);
}

async function defOf(ctx: Ctx, list: ComparedList, periods: Periods): Promise<ListDef<Row, Goods & Figures>> {
  const stores = await storeNames(ctx);
  const db = ctx.db as unknown as Kysely<{ f: Row }>;
  const fields = fieldsOf(list);
  return {
    row: list.row,
    query: db.selectFrom(sql<Row>`(${rowsOf(ctx, list, periods)})`.as('f')).selectAll('f') as never,
    around: (rows) => withListing(ctx, rows) as never,
    sort: { product: 'f.seller_sku', ...Object.fromEntries(fields.map((name) => [name, `f.${quoted(name)}`])) },
    order: [[`f.${quoted(list.first)}`, 'desc']],
    key: 'f.row_id',
    map: (row) => {
      const decimals = new Set(Object.keys(list.measures).filter((name) => list.measures[name]?.kind === 'decimal'));
      const shown = (name: string) => {
        const value = row[name] ?? null;
        return value !== null && decimals.has(name.replace(/Before$/, '')) ? plainDecimal(String(value)) : value;
      };
      const figures = Object.fromEntries(fields.map((name) => [name, shown(name)]));
      const own = { currency: row.currency, ...('fnsku' in list.row.shape ? { fnsku: row.fnsku ?? '' } : {}) };
      const { day: _, ...goods } = goodsOf({ ...row, day: '' } as never, stores);
      return { ...goods, ...own, ...figures } as never;
    },
  };
}

/** Sums over the whole filter: ratios and changes are made of them, never of the rows'. */
async function totalsOf(ctx: Ctx, list: ComparedList, periods: Periods): Promise<Totals> {
  const { measures, ratios = {} } = list;
  const rows = (await list.facts
    .where(either(periods))
    .clearSelect()
    .select([sql<string>`f.currency`.as('currency'), ...sumsOf(list, periods)])
    .groupBy(sql`f.currency`)
    .orderBy(sql`f.currency`)
    .execute()) as unknown as ({ currency: string } & Figures)[];
  const money = Object.keys(measures).filter((name) => measures[name]?.kind === 'money');
  const amounts = money.flatMap((name) => SIDES.map((side) => `${name}${side}`));
  const totals: Totals = { ...(await moneyTotals(ctx, rows as never, amounts)) };
  const added: Figures = {};
  for (const name of Object.keys(measures).filter((one) => !money.includes(one))) {
    for (const side of SIDES) {
      const told = rows.map((row) => row[`${name}${side}`]).filter((value) => value !== null && value !== undefined);
      added[`${name}${side}`] = told.length === 0 ? null : addUp(told, measures[name]?.kind === 'integer');
    }
  }
  for (const [name, [over, under]] of Object.entries(ratios)) {
    for (const side of SIDES) {
      const of = (one: string) => added[`${one}${side}`] ?? totals[`${one}${side}`];
      added[`${name}${side}`] = divided(of(over), of(under));
    }
  }
  for (const name of [...Object.keys(measures), ...Object.keys(ratios)]) {
    const of = (side: string) =>
      totals[`${name}${side}`] ?? totals[`${name}${side}.base`] ?? added[`${name}${side}`] ?? null;
    const [now, before] = [of(''), of('Before')];
    added[`${name}Change`] = now === null || before === null ? null : changeOf(now, before);
  }
  const shown = new Set(fieldsOf(list));
  return { ...totals, ...Object.fromEntries(Object.entries(added).filter(([name]) => shown.has(name))) };
}

function addUp(values: readonly (string | number)[], whole: boolean): string | number {
  const total = Decimal.sum(...values);
  return whole ? total.toNumber() : total.toFixed();
}

const divided = (over: string | number | null | undefined, under: string | number | null | undefined): string | null =>
  over === null || over === undefined || under === null || under === undefined ? null : ratio(over, under);

/** One page of products with both periods of a filter, and the sums of all of them. */
export async function comparedPage(
  ctx: Ctx,
  request: PageRequest<ComparedFilter>,
  list: ComparedList,
): Promise<PageOf<Goods & Figures>> {
  const periods = periodsOf(ctx, request.filter, list.step);
  const def = await defOf(ctx, list, periods);
  // Counted in the reading of the page: products are known only once all rows of both periods are added up.
  const query = def.query.select(sql<number>`count(*) OVER ()`.as('products') as never) as typeof def.query;
  const count = async (rows: readonly Row[]): Promise<number> => {
    if (rows[0]) return Number(rows[0].products);
    const { rows: all } = await sql<{
      n: number;
    }>`SELECT count(*) AS n FROM (${rowsOf(ctx, list, periods)}) AS f`.execute(ctx.db);
    return all[0]?.n ?? 0;
  };
  return page(ctx, request, { ...def, query, count, totals: () => totalsOf(ctx, list, periods) });
}

/** All products of a filter with both periods as a file, which names them. */
export function comparedFile(
  open: OpenCtx,
  request: Asked & { filter: ComparedFilter },
  make: (ctx: Ctx) => ComparedList,
): Promise<FileReply> {
  return download(open, async (ctx) => {
    const list = make(ctx);
    const periods = periodsOf(ctx, request.filter, list.step);
    const { now, before } = periods;
    return {
      name: `${list.title} ${now.from}至${now.to} 对比 ${before.from}至${before.to}`,
      sheet: list.title,
      format: request.format,
      columns: exportColumns(ctx, list.row, request.columns as never),
      rows: streamed(ctx, request, await defOf(ctx, list, periods)),
      audit: { action: `导出${list.title}`, resource: list.resource, filter: request.filter },
    };
  });
}

/** Days, or first days of months, of a period. */
function stepsOf({ from, to }: Period, step: 'day' | 'month'): string[] {
  const days = Array.from({ length: lengthOf({ from, to }) }, (_, index) => dayAfter(from, index));
  return step === 'day' ? days : days.filter((day) => day.endsWith('-01'));
}

/** Both periods point by point, at the same places. Amounts are there where all are of one currency. */
export async function comparedTrend(ctx: Ctx, filter: ComparedFilter, list: ComparedList): Promise<ComparedTrend> {
  const periods = periodsOf(ctx, filter, list.step);
  const { measures, ratios = {} } = list;
  const rows = (await (list.facts.where(either(periods)).clearSelect() as SelectQueryBuilder<never, never, object>)
    .select([
      sql<string>`f.day`.as('day'),
      sql<string>`min(f.currency)`.as('currency'),
      sql<string>`max(f.currency)`.as('other'),
      ...Object.entries(measures).map(([name, { of, kind }]) => sql`${sql.raw(`sum(${of})${CAST[kind]}`)}`.as(name)),
    ])
    .groupBy(sql`f.day`)
    .execute()) as unknown as ({ day: string; currency: string; other: string } & Figures)[];
  const currencies = new Set(rows.flatMap(({ currency, other }) => [currency, other]));
  const [only = null] = currencies.size === 1 ? currencies : [];
  const hidden = new Set(hiddenFields(ctx, list.row));
  const charted = list.charted.filter((name) => !hidden.has(name));
  const { rows: toldDays } = await sql<{ day: string }>`
    SELECT DISTINCT d.day FROM (${list.told}) AS d WHERE ${either(periods, 'd.day')}`.execute(ctx.db);
  const known = new Set(toldDays.map(({ day }) => day));
  const byDay = new Map(rows.map((row) => [row.day, row]));
  const figures = (day: string | undefined): Figures =>
    Object.fromEntries(
      charted.map((name) => {
        const parts = ratios[name];
        if (day === undefined || !known.has(day)) return [name, null];
        const row = byDay.get(day);
        if (!row) return [name, parts ? null : 0];
        if (parts) return [name, divided(row[parts[0]], row[parts[1]])];
        return [name, measures[name]?.kind === 'money' && only === null ? null : (row[name] ?? null)];
      }),
    );
  const [days, daysBefore] = [stepsOf(periods.now, list.step), stepsOf(periods.before, list.step)];
  const points = Array.from({ length: Math.max(days.length, daysBefore.length) }, (_, index) => ({
    day: days[index] ?? null,
    dayBefore: daysBefore[index] ?? null,
    now: figures(days[index]),
    before: figures(daysBefore[index]),
  }));
  const told = (of: readonly string[]): number => of.filter((day) => known.has(day)).length;
  return {
    period: periods.now,
    before: periods.before,
    told: { now: told(days), before: told(daysBefore) },
    currency: only,
    points,
  };
}
