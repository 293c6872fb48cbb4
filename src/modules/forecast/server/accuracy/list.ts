import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { cutAs, type ListDef, listQuery, page, streamed } from '#kit/server/list/page.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { type AccuracyBy, type AccuracyFilter, AccuracyRow, type accuracySummary } from '../../contract/accuracy.ts';
import { DemandClass, Model } from '../../contract/fields.ts';
import { conditions } from '../list.ts';

/**
 * Measures of some rows `f`: errors of all days divided by all sales, so that they are no mean of ratios; coverage is a share of
 * forecasts. A measure of nothing sold is null.
 */
const MEASURES = {
  actual: 'sum(f.actual)',
  wape: 'sum(f.abs_published) / nullif(sum(f.actual), 0)',
  bias: 'sum(f.sign_published) / nullif(sum(f.actual), 0)',
  naive: 'sum(f.abs_naive) / nullif(sum(f.actual), 0)',
  seasonal: 'sum(f.abs_seasonal) / nullif(sum(f.actual), 0)',
  last_year: 'sum(f.abs_last_year) / nullif(sum(f.actual_last_year), 0)',
  better: '1 - sum(f.abs_published) / nullif(sum(f.abs_naive), 0)',
  added: '(sum(f.abs_model) - sum(f.abs_published)) / nullif(sum(f.actual), 0)',
  coverage80: '(count(*) FILTER (WHERE f.covered80))::numeric / nullif(count(*), 0)',
  coverage90: '(count(*) FILTER (WHERE f.covered90))::numeric / nullif(count(*), 0)',
  pinball: 'sum(f.pinball) / nullif(sum(f.actual), 0)',
} as const;
type Measured = Record<Exclude<keyof typeof MEASURES, 'actual'>, string | null> & { actual: number };

const measures = sql.raw(
  Object.entries(MEASURES)
    .map(([name, of]) => (name === 'actual' ? `coalesce(${of}, 0)::bigint AS actual` : `round(${of}, 4) AS ${name}`))
    .join(', '),
);

const shown = ({ last_year: lastYear, ...row }: Measured) => ({
  actual: row.actual,
  wape: row.wape,
  bias: row.bias,
  naive: row.naive,
  seasonal: row.seasonal,
  lastYear,
  better: row.better,
  added: row.added,
  coverage80: row.coverage80,
  coverage90: row.coverage90,
  pinball: row.pinball,
});

interface DbRow extends Measured {
  id: string;
  account_id: string;
  pool: string;
  seller_sku: string;
  marketplace_id: string;
  asin: string | null;
  class: string;
  model: string;
  origins: number;
  simulated: number;
}
interface Around {
  name: string | null;
  image: string | null;
}

/** Measured forecasts `f` of a filter, each with its item's id, search and site. */
function measured(ctx: Ctx, filter: AccuracyFilter): RawBuilder<unknown> {
  const { origins, ...goods } = filter;
  const all = conditions(ctx, goods);
  if (origins?.from) all.push(sql`f.origin >= ${origins.from}::date`);
  if (origins?.to) all.push(sql`f.origin <= ${origins.to}::date`);
  return sql`(
    SELECT a.*, i.id, i.marketplace_id, i.asin, i.search FROM forecast.accuracy AS a
      JOIN forecast.item AS i ON i.company_id = ${ctx.companyId} AND i.account_id = a.account_id AND i.pool = a.pool
       AND i.seller_sku = a.seller_sku
     WHERE a.company_id = ${ctx.companyId}) AS f WHERE ${sql.join(all, sql` AND `)}`;
}

const rowsOf = (ctx: Ctx, filter: AccuracyFilter) => sql<DbRow>`(
  SELECT f.id, f.account_id, f.pool, f.seller_sku, f.marketplace_id, f.asin, (array_agg(f.class ORDER BY f.origin DESC))[1] AS class,
         (array_agg(f.model ORDER BY f.origin DESC))[1] AS model, count(*)::int AS origins,
         (count(*) FILTER (WHERE f.simulated))::int AS simulated, ${measures}
    FROM ${measured(ctx, filter)} GROUP BY f.id, f.account_id, f.pool, f.seller_sku, f.marketplace_id, f.asin)`;

async function listOf(ctx: Ctx, filter: AccuracyFilter): Promise<ListDef<DbRow & Around, AccuracyRow>> {
  const stores = await storeNames(ctx);
  return {
    row: AccuracyRow,
    query: listQuery<DbRow & Around>(ctx.db.selectFrom(rowsOf(ctx, filter).as('f')).selectAll('f')),
    around: (rows) =>
      listQuery(
        cutAs<DbRow, 'f'>(ctx, rows, 'f')
          .leftJoin('listing.product as p', (join) => join.on(ofListing(ctx, 'f')))
          .selectAll('f')
          .select(['p.name', 'p.image']),
      ),
    sort: { actual: 'f.actual', wape: 'f.wape', bias: 'f.bias', better: 'f.better', added: 'f.added' },
    order: [['f.actual', 'desc']],
    key: 'f.id',
    map: (row) => ({
      id: row.id,
      product: { name: row.name ?? '', code: row.seller_sku, image: row.image, extra: row.asin },
      store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
      class: row.class as DemandClass,
      model: row.model as Model,
      origins: row.origins,
      simulated: row.simulated,
      ...shown(row),
    }),
  };
}

/** One page of items with how their forecasts did, those that sell most first. */
export async function accuracyPage(ctx: Ctx, request: PageRequest<AccuracyFilter>): Promise<PageOf<AccuracyRow>> {
  return page(ctx, request, await listOf(ctx, request.filter));
}

/** The same as a file. */
export function exportAccuracies(open: OpenCtx, request: ExportRequest<AccuracyFilter>): Promise<FileReply> {
  return download(open, async (ctx) => ({
    name: `预测准确率-${ctx.clock.today()}`,
    sheet: '预测准确率',
    format: request.format,
    columns: exportColumns(ctx, AccuracyRow, request.columns),
    rows: streamed(ctx, request, await listOf(ctx, request.filter)),
    audit: { action: '导出预测准确率', resource: 'forecast.item', filter: request.filter },
  }));
}

const KEY: Record<z.infer<typeof AccuracyBy>, string> = {
  class: 'f.class',
  model: 'f.model',
  origin: 'f.origin::text',
};
const NAMES = {
  class: DemandClass.meta()?.states ?? {},
  model: Model.meta()?.states ?? {},
  origin: {} as Record<string, { title: string }>,
};

/** All items of a filter together, and by class, model or origin. */
export async function summary(
  ctx: Ctx,
  { by, filter }: { by: z.infer<typeof AccuracyBy>; filter: AccuracyFilter },
): Promise<Reply<typeof accuracySummary>> {
  const { rows } = await sql<Measured & { key: string | null; items: number }>`
    SELECT ${sql.raw(KEY[by])} AS key, count(DISTINCT f.id)::int AS items, ${measures}
      FROM ${measured(ctx, filter)} GROUP BY GROUPING SETS ((), (${sql.raw(KEY[by])})) ORDER BY 1 NULLS FIRST`.execute(
    ctx.db,
  );
  const [all, ...parts] = rows;
  const names: Record<string, { title: string } | undefined> = NAMES[by];
  return {
    all: { items: all?.items ?? 0, ...shown(all ?? NOTHING) },
    parts: parts.map((row) => ({
      key: row.key ?? '',
      name: names[row.key ?? '']?.title ?? row.key ?? '',
      items: row.items,
      ...shown(row),
    })),
  };
}

const NOTHING: Measured = {
  actual: 0,
  wape: null,
  bias: null,
  naive: null,
  seasonal: null,
  last_year: null,
  better: null,
  added: null,
  coverage80: null,
  coverage90: null,
  pinball: null,
};
