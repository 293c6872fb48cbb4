import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { type CopyValue, copyRows } from '#kit/server/db/copy.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { LEAD, unpackedDays } from '../figures.ts';
import { type History, historiesOf } from '../history.ts';
import { forecastStock, TIMEOUT_MS } from '../parts.ts';
import { dayPlus, daysBetween, type Stock, stocksOf } from '../stocks.ts';
import { errorsOf, MEASURED_DAYS, type Said } from './errors.ts';

/** Origins before an account's first forecast from which it is tried afterwards, so that accuracy is known from the first day. */
const SIMULATED = 3;
/** Days that such a forecast needs to know: two months and more, of which one is held back to try models on. */
const LEAST_DAYS = 42 + LEAD;
/** Items that are measured in one go. */
const AT_ONCE = 2_000;

const COLUMNS = [
  'company_id',
  'account_id',
  'pool',
  'seller_sku',
  'origin',
  'days',
  'simulated',
  'class',
  'model',
  'actual',
  'abs_model',
  'sign_model',
  'abs_published',
  'sign_published',
  'abs_naive',
  'abs_seasonal',
  'abs_last_year',
  'actual_last_year',
  'pinball',
  'covered80',
  'covered90',
] as const;

interface Measured {
  history: History;
  origin: string;
  class: string;
  model: string;
  simulated: boolean;
  said: Said;
}

const four = (value: number | null): string | null => (value === null ? null : value.toFixed(4));

/** The row of a forecast that can be held against what was sold; undefined where nothing of its days is known. */
function rowOf(ctx: Ctx, stock: Stock, one: Measured): CopyValue[] | undefined {
  const { history, origin, said } = one;
  const at = history.demand.length - daysBetween(origin, stock.cutoff);
  const errors = errorsOf(history.demand, at, said);
  if (errors.days === 0) return undefined;
  return [
    ctx.companyId,
    stock.accountId,
    stock.pool,
    history.sku,
    origin,
    errors.days,
    one.simulated,
    one.class,
    one.model,
    four(errors.actual),
    four(errors.absModel),
    four(errors.signModel),
    four(errors.absPublished),
    four(errors.signPublished),
    four(errors.absNaive),
    four(errors.absSeasonal),
    four(errors.absLastYear),
    four(errors.actualLastYear),
    four(errors.pinball),
    errors.covered80,
    errors.covered90,
  ];
}

async function store(ctx: Ctx, stock: Stock, measured: readonly Measured[]): Promise<void> {
  const rows = measured.flatMap((one) => {
    const row = rowOf(ctx, stock, one);
    return row ? [row] : [];
  });
  if (rows.length === 0) return;
  await sql`CREATE TEMP TABLE measured (LIKE forecast.accuracy) ON COMMIT DROP`.execute(ctx.db);
  await copyRows(ctx, `measured (${COLUMNS.join(', ')})`, rows);
  // What was measured once stays: the same forecast held against the same days says the same.
  await sql`INSERT INTO forecast.accuracy SELECT * FROM measured ON CONFLICT DO NOTHING`.execute(ctx.db);
}

interface Kept {
  sku: string;
  origin: string;
  class: string;
  model: string;
  mean: number[];
  published: number[] | null;
  distances: number[];
}

/** Kept forecasts of a stock whose days are all known by now and that nobody has measured yet. */
async function dueOf(ctx: Ctx, stock: Stock): Promise<Kept[]> {
  const { rows } = await sql<Kept>`
    SELECT k.seller_sku AS sku, k.origin::text AS origin, k.class, k.model, k.mean, k.published, k.distances FROM forecast.kept AS k
     WHERE k.company_id = ${ctx.companyId} AND k.account_id = ${stock.accountId} AND k.pool = ${stock.pool}
       AND k.origin <= ${dayPlus(stock.cutoff, -MEASURED_DAYS)}::date
     ORDER BY k.origin, k.seller_sku LIMIT ${AT_ONCE}`.execute(ctx.db);
  return rows;
}

/** Measures kept forecasts that are due, then lets them go. Returns how many there were. */
async function measureKept(ctx: Ctx, stock: Stock): Promise<number> {
  const due = await dueOf(ctx, stock);
  if (due.length === 0) return 0;
  const histories = await historiesOf(ctx, stock, [...new Set(due.map(({ sku }) => sku))]);
  const bySku = new Map(histories.map((one) => [one.sku, one]));
  const measured = due.flatMap((one): Measured[] => {
    const history = bySku.get(one.sku);
    if (!history) return [];
    const mean = unpackedDays(one.mean);
    const published = one.published ? unpackedDays(one.published) : mean;
    return [{ ...one, history, simulated: false, said: { mean, published, distances: one.distances } }];
  });
  // Origin by origin: a SKU may be due from several.
  for (const same of Map.groupBy(measured, ({ origin }) => origin).values()) {
    await store(ctx, stock, same);
    await sql`DROP TABLE IF EXISTS measured`.execute(ctx.db);
  }
  await sql`
    DELETE FROM forecast.kept
     WHERE company_id = ${ctx.companyId} AND account_id = ${stock.accountId} AND pool = ${stock.pool}
       AND (seller_sku, origin) IN (SELECT * FROM unnest(${due.map(({ sku }) => sku)}::text[], ${due.map(({ origin }) => origin)}::date[]))`.execute(
    ctx.db,
  );
  return due.length;
}

async function isNew(ctx: Ctx, { accountId, pool }: Stock): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM forecast.accuracy WHERE company_id = ${ctx.companyId} AND account_id = ${accountId} AND pool = ${pool} LIMIT 1`.execute(
    ctx.db,
  );
  return rows.length === 0;
}

/** Makes forecasts as they would have been made some weeks ago, and measures them. */
async function simulate(runtime: Runtime, companyId: string, stock: Stock): Promise<void> {
  for (let n = 1; n <= SIMULATED; n += 1) {
    const back = n * MEASURED_DAYS;
    const origin = dayPlus(stock.cutoff, -back);
    if (daysBetween(stock.from, origin) < LEAST_DAYS) return;
    await forecastStock({ runtime, companyId, stock, back }, async (part) => {
      const measured = part.map(({ history, forecast }): Measured => {
        const { mean, distances, class: kind, model } = forecast;
        return { history, origin, class: kind, model, simulated: true, said: { mean, published: mean, distances } };
      });
      await inTenant(runtime, systemPrincipal(companyId), (ctx) => store(ctx, stock, measured), {
        timeoutMs: TIMEOUT_MS,
      });
    });
  }
}

/**
 * Holds an account's past forecasts against what was sold since. A stock that was never measured is tried from some weeks ago,
 * with what was known then.
 */
export async function measure(runtime: Runtime, companyId: string, accountId: string): Promise<void> {
  const principal = systemPrincipal(companyId);
  const inCompany = <T>(work: (ctx: Ctx) => Promise<T>) =>
    inTenant(runtime, principal, work, { timeoutMs: TIMEOUT_MS });
  for (const stock of await inCompany((ctx) => stocksOf(ctx, accountId))) {
    while ((await inCompany((ctx) => measureKept(ctx, stock))) > 0);
    if (await inCompany((ctx) => isNew(ctx, stock))) await simulate(runtime, companyId, stock);
  }
}
