import { sql } from 'kysely';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import type { Model } from '../contract/fields.ts';
import type { forecastSeries } from '../contract/forecast.ts';
import type { OverrideRow } from '../contract/overrides.ts';
import { quantilesOf } from './engine/forecast.ts';
import type { Days } from './engine/series.ts';
import { monthAfter, monthOf, unpackedDays } from './figures.ts';
import { type History, historiesOf } from './history.ts';
import { forecastRow, type ItemCells } from './list.ts';
import { dayPlus, earliest, type Stock } from './stocks.ts';

type Series = Reply<typeof forecastSeries>;

/** Whole weeks and months that a picture shows. */
const WEEKS = 26;
const MONTHS = 5;
/** Changes and measured forecasts that are listed, the newest. */
const MOST = 100;

const GONE = '预测商品不存在或已不再预测，请刷新';

const two = (value: number): string => value.toFixed(2);
const sumOf = (days: Days, from: number, to: number): number =>
  days.subarray(from, to).reduce((sum, value) => sum + value, 0);

interface Item {
  sites: string[];
  fulfilled_by: Stock['fulfilledBy'];
  mean: number[];
  published: number[] | null;
  distances: number[];
  locked: Model | null;
  references: string[];
}

async function itemOf(ctx: Ctx, id: string): Promise<Item> {
  const { rows } = await sql<Item>`
    SELECT i.sites, i.fulfilled_by, i.mean, i.published, i.distances, c.locked_model AS locked, coalesce(c.reference_skus, '{}') AS "references"
      FROM forecast.item AS i
      LEFT JOIN forecast.care AS c ON c.company_id = i.company_id AND c.account_id = i.account_id AND c.pool = i.pool
       AND c.seller_sku = i.seller_sku
     WHERE i.company_id = ${ctx.companyId} AND i.id = ${id}`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw notFound(GONE);
  return row;
}

async function overridesOf(ctx: Ctx, row: ItemCells): Promise<OverrideRow[]> {
  const { rows } = await sql<OverrideRow>`
    SELECT id, from_day::text AS from, to_day::text AS to, mode, trim_scale(value)::text AS value, reason, created_by_name AS "createdBy",
           created_at AS "createdAt", cleared_by_name AS "clearedBy"
      FROM forecast.override
     WHERE company_id = ${ctx.companyId} AND account_id = ${row.account_id} AND pool = ${row.pool} AND seller_sku = ${row.seller_sku}
     ORDER BY id DESC LIMIT ${MOST}`.execute(ctx.db);
  return rows;
}

async function accuracyOf(ctx: Ctx, row: ItemCells): Promise<Series['accuracy']> {
  const { rows } = await sql<Series['accuracy'][number]>`
    SELECT origin::text AS origin, simulated, round(abs_published / nullif(actual, 0), 4) AS wape,
           round(abs_naive / nullif(actual, 0), 4) AS naive, actual::bigint AS actual
      FROM forecast.accuracy
     WHERE company_id = ${ctx.companyId} AND account_id = ${row.account_id} AND pool = ${row.pool} AND seller_sku = ${row.seller_sku}
     ORDER BY origin DESC LIMIT ${MOST}`.execute(ctx.db);
  return rows;
}

/** Weeks of seven days after the cut-off with their quantiles, which are those of a sum of so many days. */
function weeksOf(model: Days, published: Days, distances: readonly number[], cutoff: string): Series['weeks'] {
  return Array.from({ length: WEEKS }, (_, week) => {
    const [from, to] = [week * 7, week * 7 + 7];
    const sum = sumOf(published, from, to);
    const [, p80 = 0, p90 = 0] = quantilesOf(sum, distances);
    return {
      from: dayPlus(cutoff, from + 1),
      to: dayPlus(cutoff, to),
      model: two(sumOf(model, from, to)),
      published: two(sum),
      p80: two(p80),
      p90: two(p90),
    };
  });
}

/** What a month sold a year before; null where the history does not reach back so far. */
function yearBefore({ units }: History, stock: Stock, month: string): string | null {
  const first = stock.from;
  const from = monthAfter(month, -12);
  const begin = (Date.parse(from) - Date.parse(first)) / 86_400_000;
  const sold = units.findIndex((value) => value > 0);
  if (sold < 0 || begin < sold) return null;
  const end = (Date.parse(monthAfter(month, -11)) - Date.parse(first)) / 86_400_000;
  return two(sumOf(units, begin, end));
}

/** An item day by day, week by week and month by month, and what people said of it. @throws notFound */
export async function series(ctx: Ctx, id: string): Promise<Series> {
  const item = await itemOf(ctx, id);
  const found = await forecastRow(ctx, id);
  if (!found) throw notFound(GONE);
  const { cells } = found;
  const { cutoff } = cells;
  const stock: Stock = {
    accountId: cells.account_id,
    pool: cells.pool,
    sites: item.sites,
    fulfilledBy: item.fulfilled_by,
    from: earliest(cutoff),
    cutoff,
  };
  const [history] = await historiesOf(ctx, stock, [cells.seller_sku]);
  if (!history) throw notFound();
  const model = unpackedDays(item.mean);
  const published = item.published ? unpackedDays(item.published) : model;
  const begun = Math.max(
    0,
    history.units.findIndex((value) => value > 0),
  );
  const next = dayPlus(cutoff, 1);
  return {
    row: found.row,
    history: Array.from(history.units.subarray(begun), (units, n) => ({
      day: dayPlus(stock.from, begun + n),
      units,
      out: history.out[begun + n] === 1,
    })),
    weeks: weeksOf(model, published, item.distances, cutoff),
    months: Array.from({ length: MONTHS }, (_, n) => {
      const month = monthAfter(next, n);
      return {
        month: n === 0 ? `${month.slice(0, 7)} 剩余` : month.slice(0, 7),
        model: two(monthOf(model, cutoff, n)),
        published: two(monthOf(published, cutoff, n)),
        lastYear: yearBefore(history, stock, month),
      };
    }),
    overrides: await overridesOf(ctx, cells),
    references: item.references,
    lockedModel: item.locked,
    accuracy: await accuracyOf(ctx, cells),
  };
}
