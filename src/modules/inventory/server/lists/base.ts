import { type Kysely, type SelectQueryBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { type ListDef, page, streamed } from '#kit/server/list/page.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { siteOf } from '../query.ts';

/** Columns that all fact tables have. */
export interface Fact {
  company_id: string;
  account_id: string;
  day: string;
  row_id: string;
  stock: string;
  marketplace_id: string;
  seller_sku: string;
  fnsku: string;
  asin: string;
}

/** A row of a fact table with what its page shows beside it. */
export type Shown<Row> = Row & Omit<Fact, 'asin'> & { asin?: string } & { name: string | null; image: string | null };

export interface GoodsFilter {
  dates?: { from?: string | undefined; to?: string | undefined } | undefined;
  sites?: string[] | undefined;
  keyword?: string | undefined;
  skus?: string[] | undefined;
}

type Tables = { f: Fact };
export type Facts<Row = object> = SelectQueryBuilder<Tables, 'f', Row>;

/** What a keyword is looked for in. */
const NAMES = 'f.seller_sku, f.asin, f.fnsku';

/** Rows of a fact table `f` that the common part of a filter matches. `table` is written by the program. */
export function factsOf(ctx: Ctx, table: string, filter: GoodsFilter, names = NAMES): Facts {
  const db = ctx.db as unknown as Kysely<Tables>;
  let query = db
    .selectFrom(sql<Fact>`${sql.table(table)}`.as('f'))
    .where('f.company_id', '=', ctx.companyId) as unknown as Facts;
  const { dates, sites, keyword, skus } = filter;
  if (dates?.from) query = query.where('f.day', '>=', dates.from);
  if (dates?.to) query = query.where('f.day', '<=', dates.to);
  if (sites?.length) {
    query = query.where((eb) =>
      eb.or(
        sites
          .map(siteOf)
          .map((site) =>
            eb.and([eb('f.account_id', '=', site.accountId), eb('f.marketplace_id', '=', site.marketplaceId)]),
          ),
      ),
    );
  }
  if (skus?.length) query = query.where('f.seller_sku', 'in', skus);
  if (keyword) {
    const like = `%${keyword.trim().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where(sql<boolean>`concat_ws(' ', ${sql.raw(names)}) ILIKE ${like}`);
  }
  return query;
}

/** Keeps the rows whose column is one of some values; all of them where none is named. */
export function among<Q extends Facts>(query: Q, column: string, values: string | readonly string[] | undefined): Q {
  const list = typeof values === 'string' ? [values] : (values ?? []);
  return list.length === 0 ? query : (query.where(sql<boolean>`${sql.ref(`f.${column}`)} = ANY (${list})`) as Q);
}

/** Keeps the rows whose column contains a text. */
export function containing<Q extends Facts>(query: Q, column: string, text: string | undefined): Q {
  if (!text?.trim()) return query;
  const like = `%${text.trim().replace(/[\\%_]/g, '\\$&')}%`;
  return query.where(sql<boolean>`${sql.ref(`f.${column}`)} ILIKE ${like}`) as Q;
}

export interface FactList<Db, Row> {
  title: string;
  resource: string;
  row: z.ZodObject;
  query: Facts;
  /** How rows stand unless somebody asks otherwise; by day, newest first, where left out. */
  order?: readonly (readonly [column: string, way: 'asc' | 'desc', nulls?: 'last'])[];
  /** Field of the row to its column. */
  sort: Record<string, string>;
  /** Fields that are added up over the filter, and their columns. */
  sums: Record<string, string>;
  /** The same of amounts in the table's `currency`: added up for each currency by itself. */
  money?: Record<string, string>;
  map: (row: Shown<Db>, goods: Goods) => Row;
}

/** What a row shows of its product and store; spread into the row. */
export interface Goods {
  id: string;
  day: string;
  product: { name: string; code: string; image: string | null; extra: string | null };
  store: { name: string; country: string };
}

/** What a fact row shows of its product and store. */
export function goodsOf(row: Shown<{ title?: string }>, stores: ReadonlyMap<string, string>): Goods {
  const name = row.name ?? row.title ?? '';
  return {
    id: row.row_id,
    day: row.day,
    product: { name, code: row.seller_sku || row.fnsku, image: row.image, extra: row.asin || row.fnsku || null },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
  };
}

/** The listing of each row of a page, joined after the page is cut. */
export function withListing(ctx: Ctx, rows: unknown) {
  const cut = rows as SelectQueryBuilder<Tables, 'f', Fact>;
  return ctx.db
    .selectFrom(cut.as('f'))
    .leftJoin('listing.product as p', (join) =>
      join
        .onRef('p.company_id', '=', 'f.company_id')
        .onRef('p.account_id', '=', 'f.account_id')
        .onRef('p.marketplace_id', '=', 'f.marketplace_id')
        .onRef('p.seller_sku', '=', 'f.seller_sku'),
    )
    .selectAll('f')
    .select(['p.name', 'p.image']);
}

async function defOf<Db, Row>(ctx: Ctx, list: FactList<Db, Row>): Promise<ListDef<Shown<Db>, Row>> {
  const stores = await storeNames(ctx);
  type Query = ListDef<Shown<Db>, Row>['query'];
  const query = list.query.selectAll('f') as unknown as Query;
  return {
    row: list.row,
    query,
    around: (rows) => withListing(ctx, rows) as unknown as Query,
    sort: { product: 'f.seller_sku', ...list.sort },
    order: list.order ?? [['f.day', 'desc']],
    key: 'f.row_id',
    map: (row) => list.map(row, goodsOf(row as never, stores)),
  };
}

async function totalsOf<Db, Row>(ctx: Ctx, { query, sums, money = {} }: FactList<Db, Row>) {
  const bare = query.clearSelect();
  const counted = await bare
    .select(Object.entries(sums).map(([key, column]) => sql.raw<number>(`coalesce(sum(f.${column}), 0)`).as(key)))
    .executeTakeFirstOrThrow();
  const fields = Object.entries(money);
  if (fields.length === 0) return counted as Record<string, number>;
  const added = await bare
    .select(sql<string>`f.currency`.as('currency'))
    .select(fields.map(([key, column]) => sql.raw<string | null>(`sum(f.${column})::text`).as(key)))
    .groupBy(sql`f.currency`)
    .orderBy(sql`f.currency`)
    .execute();
  type Sums = { currency: string } & Record<string, string | null>;
  return { ...(counted as Record<string, number>), ...(await moneyTotals(ctx, added as Sums[], Object.keys(money))) };
}

/** One page of a fact list with the sums of its filter. */
export async function factPage<Db, Row>(ctx: Ctx, request: PageRequest, list: FactList<Db, Row>): Promise<PageOf<Row>> {
  const def = await defOf(ctx, list);
  return page(ctx, request, Object.keys(list.sums).length > 0 ? { ...def, totals: () => totalsOf(ctx, list) } : def);
}

export type Asked = {
  format: 'xlsx' | 'csv';
  columns?: unknown;
  sort?: string | undefined;
  order?: 'asc' | 'desc' | undefined;
  filter: unknown;
};

/** All rows of a filter as a file. */
export function factFile<Db, Row extends object>(
  open: OpenCtx,
  request: Asked,
  make: (ctx: Ctx) => FactList<Db, Row>,
): Promise<FileReply> {
  return download(open, async (ctx) => {
    const list = make(ctx);
    const def = (await defOf(ctx, list)) as unknown as ListDef<never, object>;
    return {
      name: list.title,
      sheet: list.title,
      format: request.format,
      columns: exportColumns(ctx, list.row, request.columns as never),
      rows: streamed(ctx, request, def),
      audit: { action: `导出${list.title}`, resource: list.resource, filter: request.filter },
    };
  });
}
