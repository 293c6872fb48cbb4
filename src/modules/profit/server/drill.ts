import { sql } from 'kysely';
import type { z } from 'zod';
import { Decimal, ratio } from '#kit/contract/decimal.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { forbidden } from '#kit/server/errors.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { MoneyLineRow } from '#modules/settlement/contract/settlements.ts';
import { LINE_COLUMNS, type LineDbRow, lineRow } from '#modules/settlement/server/index.ts';
import { FIGURES, type Figure, type FigureKey, NET_SALES_GROUPS } from '../contract/figures.ts';
import { type DrillBody, MOST_PARTS } from '../contract/report.ts';
import { figureSql, inGroup } from './columns.ts';
import { feeDrill } from './drill-fees.ts';
import { rate } from './rows.ts';
import { ofGoods, type Scope, scopeOf, within } from './scope.ts';
import { unitCostOf } from './unit-cost.ts';

type Request = z.output<typeof DrillBody>;

/** The money that a row of the report stands for: its filter, narrowed to what the row is about. */
async function rowScope(ctx: Ctx, filter: Request['filter']): Promise<Scope> {
  const scope = await scopeOf(ctx, filter);
  return {
    ...scope,
    ...(filter.day ? { from: filter.day, to: filter.day } : {}),
    storeKey: filter.storeKey,
    rowCurrency: filter.rowCurrency,
    skus: filter.sku === null || filter.sku === undefined ? scope.skus : [filter.sku],
  };
}

function codes(figure: Figure) {
  return sql.raw(`(${figure.groups.map(inGroup).join(' OR ')})`);
}

/**
 * Where the money of the whole store is looked for: a SKU carries only money of the stores in which it has a share.
 * Undefined: it carries none.
 */
export async function sharedScope(ctx: Ctx, scope: Scope): Promise<Scope | undefined> {
  if (scope.skus.length === 0 && !scope.listings) return scope;
  const { rows } = await sql<{ key: string }>`
    SELECT DISTINCT p.marketplace_id || '-' || p.account_id AS key FROM profit.profit_daily AS p
     WHERE ${within(ctx, scope)} AND p.scope = 'SHARE'`.execute(ctx.db);
  if (rows.length === 0) return undefined;
  return { ...scope, skus: [], listings: undefined, storeKey: null, stores: rows.map((row) => row.key) };
}

/** Money lines behind a figure. Shared figures are made of lines without a SKU, whoever carries them. */
function linesOf(ctx: Ctx, scope: Scope, shared: Scope | undefined, figure: Figure) {
  const shop = shared ? sql<boolean>`(l.sku = '' AND ${within(ctx, shared, 'l', 'posted_date')})` : sql<boolean>`false`;
  const own = sql<boolean>`(l.sku <> '' AND ${within(ctx, scope, 'l', 'posted_date')})`;
  const where = figure.scope === 'DIRECT' ? own : figure.scope === 'SHARE' ? shop : sql<boolean>`(${own} OR ${shop})`;
  return ctx.db
    .selectFrom('settlement.money_line as l')
    .innerJoin('settlement.source_doc as d', (join) =>
      join
        .onRef('d.company_id', '=', 'l.company_id')
        .onRef('d.id', '=', 'l.source_doc_id')
        .on('d.state', '=', 'ACTIVE'),
    )
    .where('l.company_id', '=', ctx.companyId)
    .where(where)
    .where(sql<boolean>`${codes(figure)}`);
}

const SORT = { postedAt: 'l.posted_at', amount: 'l.amount', sku: 'l.sku', lineNo: 'l.line_no' };

function linePage(ctx: Ctx, request: Request, scope: Scope, shared: Scope | undefined, figure: Figure) {
  return page<LineDbRow, MoneyLineRow>(ctx, request, {
    row: MoneyLineRow,
    query: listQuery(linesOf(ctx, scope, shared, figure).select(LINE_COLUMNS)),
    sort: SORT,
    order: [['l.posted_at', 'desc']],
    key: "(l.source_doc_id::text || '-' || l.line_no || '-' || l.part)",
    map: lineRow,
  });
}

interface SumRow {
  currency: string;
  amount: string;
}

async function lineSums(ctx: Ctx, scope: Scope, figure: Figure): Promise<SumRow[]> {
  return linesOf(ctx, scope, scope, figure)
    .select(['l.currency', sql<string>`sum(l.amount)`.as('amount')])
    .groupBy('l.currency')
    .execute();
}

async function rollupSums(ctx: Ctx, scope: Scope, figure: Figure): Promise<SumRow[]> {
  const { rows } = await sql<SumRow>`
    SELECT p.currency, sum(${sql.raw(figureSql(figure))}) AS amount FROM profit.profit_daily AS p
     WHERE ${within(ctx, scope)} GROUP BY p.currency`.execute(ctx.db);
  return rows;
}

/** A figure against what is behind it, by currency; `belonging` is the figure by the days on which its money was posted. */
export function compared(
  title: string,
  rollup: readonly SumRow[],
  belonging: readonly SumRow[],
  lines: readonly SumRow[],
) {
  const find = (rows: readonly SumRow[], currency: string) =>
    rows.find((row) => row.currency === currency)?.amount ?? '0';
  const currencies = [...new Set([...rollup, ...belonging, ...lines].map((row) => row.currency))].toSorted();
  return currencies.map((currency) => {
    const figure = find(rollup, currency);
    const own = find(belonging, currency);
    const sum = find(lines, currency);
    return {
      title,
      currency,
      figure,
      lines: sum,
      late: new Decimal(figure).minus(own).toFixed(),
      gap: new Decimal(own).minus(sum).toFixed(),
    };
  });
}

/** The figure of the row against its own lines, and all shares of the store against the lines that were shared. */
async function proofOf(ctx: Ctx, scope: Scope, shared: Scope | undefined, figure: Figure) {
  const parts = figure.scope === 'BOTH' ? (['DIRECT', 'SHARE'] as const) : [figure.scope];
  const proof = [];
  for (const part of parts) {
    const one = { ...figure, scope: part };
    const all = part === 'SHARE' ? shared : scope;
    if (!all) continue;
    const title = part === 'SHARE' ? '店铺分摊合计' : '费用行合计';
    const figures = await rollupSums(ctx, all, one);
    const belonging = await rollupSums(ctx, { ...all, basis: 'BELONG' }, one);
    proof.push(...compared(title, figures, belonging, await lineSums(ctx, all, one)));
  }
  return proof;
}

const NET = NET_SALES_GROUPS.map((group) => `w.${group}`).join(' + ');

interface ShareDbRow {
  date: string;
  account_id: string;
  marketplace_id: string;
  currency: string;
  whole: string;
  part: string;
  weight: string | null;
}

/** How each day's money of the store was shared: the whole, the part of the row, and its weight in that month. */
async function sharesOf(ctx: Ctx, scope: Scope, figure: Figure): Promise<ShareDbRow[]> {
  const value = sql.raw(figureSql({ ...figure, scope: 'SHARE' }));
  const { rows } = await sql<ShareDbRow>`
    WITH days AS (
      SELECT p.date, p.account_id, p.marketplace_id, p.currency, sum(${value}) AS whole,
             sum(${value}) FILTER (WHERE ${ofGoods(scope, 'p')}) AS part
        FROM profit.profit_daily AS p
       WHERE ${within(ctx, { ...scope, skus: [], listings: undefined })} AND p.scope = 'SHARE'
       GROUP BY 1, 2, 3, 4 HAVING sum(${value}) FILTER (WHERE ${ofGoods(scope, 'p')}) <> 0
    )
    SELECT d.*, (
      SELECT sum(net) FILTER (WHERE mine) / nullif(sum(net), 0) FROM (
        SELECT sum(${sql.raw(NET)}) AS net, bool_or(${ofGoods(scope, 'w', 'd.date')}) AS mine
          FROM profit.profit_daily AS w
         WHERE w.company_id = ${ctx.companyId} AND w.account_id = d.account_id AND w.marketplace_id = d.marketplace_id
           AND w.currency = d.currency AND w.scope = 'DIRECT' AND w.date >= date_trunc('month', d.date)::date
           AND w.date < (date_trunc('month', d.date) + interval '1 month')
         GROUP BY w.sku HAVING sum(${sql.raw(NET)}) > 0) AS base) AS weight
      FROM days AS d ORDER BY d.date DESC, d.account_id, d.marketplace_id LIMIT ${MOST_PARTS}`.execute(ctx.db);
  return rows;
}

interface CostDbRow {
  date: string;
  account_id: string;
  marketplace_id: string;
  units: number;
  cost: string | null;
}

async function costsOf(ctx: Ctx, scope: Scope): Promise<CostDbRow[]> {
  const { rows } = await sql<CostDbRow>`
    SELECT p.date, p.account_id, p.marketplace_id, sum(p.units)::bigint AS units,
           CASE WHEN sum(p.cost_units) > 0 OR sum(p.cost_cny) <> 0 THEN sum(p.cost_cny) END AS cost
      FROM profit.profit_daily AS p
     WHERE ${within(ctx, scope)} AND (p.units <> 0 OR p.cost_units <> 0 OR p.cost_cny <> 0)
     GROUP BY 1, 2, 3 ORDER BY 1 DESC, 2, 3 LIMIT ${MOST_PARTS}`.execute(ctx.db);
  return rows;
}

/** Stored cost against the pieces sold times the cost that holds on each day, looked up once more. */
async function costProof(ctx: Ctx, scope: Scope) {
  const cost = unitCostOf(ctx.companyId, {
    accountId: sql.ref('p.account_id'),
    marketplaceId: sql.ref('p.marketplace_id'),
    sku: sql.ref('p.sku'),
    date: sql.ref('p.date'),
  });
  const belong: Scope = { ...scope, basis: 'BELONG' };
  const booked = await sql<{ stored: string }>`
    SELECT coalesce(sum(p.cost_cny), 0) AS stored FROM profit.profit_daily AS p
     WHERE ${within(ctx, scope)}`.execute(ctx.db);
  const { rows } = await sql<{ stored: string; again: string }>`
    SELECT coalesce(sum(p.cost_cny), 0) AS stored, coalesce(sum(p.units * c.unit_cost), 0) AS again
      FROM profit.profit_daily AS p
      ${cost}
     WHERE ${within(ctx, belong)}`.execute(ctx.db);
  const [row] = rows;
  const sums = (value: string | undefined): SumRow[] => [
    { currency: 'CNY', amount: new Decimal(value ?? 0).negated().toFixed() },
  ];
  return compared('件数 × 采购单价', sums(booked.rows[0]?.stored), sums(row?.stored), sums(row?.again));
}

const EMPTY = { records: [], total: 0 };

/** What a cell of the report is made of, with the proof that it adds up. */
export async function drillOf(ctx: Ctx, request: Request) {
  const { filter } = request;
  const scope = await rowScope(ctx, filter);
  const names = await storeNames(ctx);
  const store = (row: { account_id: string; marketplace_id: string }) => ({
    name: names.get(row.account_id) ?? '',
    country: countryOf(row.marketplace_id),
  });
  if (filter.figure === 'cogs') {
    if (!can(ctx, 'fin:cost:view')) throw forbidden('fin:cost:view');
    const costs = (await costsOf(ctx, scope)).map((row) => ({
      day: row.date,
      store: store(row),
      units: row.units,
      // The difference of a closed day may be one of cost alone.
      unitCost:
        row.cost === null || row.units === 0 ? null : new Decimal(row.cost).div(row.units).toDecimalPlaces(4).toFixed(),
      amount: row.cost === null ? null : new Decimal(row.cost).negated().toFixed(),
    }));
    return { lines: EMPTY, shares: [], costs, fees: [], proof: await costProof(ctx, scope) };
  }
  if (filter.figure === 'fees') return { lines: EMPTY, shares: [], costs: [], ...(await feeDrill(ctx, scope, store)) };
  const figure: Figure = FIGURES[(filter.figure ?? 'sales') as FigureKey];
  const shared = figure.scope === 'DIRECT' ? undefined : await sharedScope(ctx, scope);
  const shares = shared ? await sharesOf(ctx, scope, figure) : [];
  return {
    lines: await linePage(ctx, request, scope, shared, figure),
    shares: shares.map((row) => ({
      day: row.date,
      store: store(row),
      title: figure.title,
      currency: row.currency,
      whole: row.whole,
      part: row.part,
      // Advertising is borne by the SKUs that were advertised: there the part itself is the share.
      weight: rate(figure.groups.includes('ads') ? ratio(row.part, row.whole) : row.weight),
    })),
    costs: [],
    fees: [],
    proof: await proofOf(ctx, scope, shared, figure),
  };
}
