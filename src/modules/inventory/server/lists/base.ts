import { type RawBuilder, sql } from 'kysely';
import type { z } from 'zod';
import type { ExportRequest, PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Totals } from '#kit/contract/totals.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { FileReply, OpenCtx } from '#kit/server/http/serve.ts';
import { download } from '#kit/server/list/download.ts';
import { exportColumns } from '#kit/server/list/export.ts';
import { moneyTotals } from '#kit/server/list/mixed.ts';
import { type ListDef, page, type Query, streamed } from '#kit/server/list/page.ts';
import { relation } from '#kit/server/list/relation.ts';
import { containing } from '#kit/server/list/words.ts';
import { ofListing } from '#modules/listing/server/index.ts';
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

const factTable = (ctx: Ctx, table: string) => ctx.db.selectFrom(sql<Fact>`${sql.table(table)}`.as('f'));
/** Rows of a fact table, under the alias `f`. */
export type Facts = ReturnType<typeof factTable>;

/** What a keyword is looked for in. */
const NAMES = 'f.seller_sku, f.asin, f.fnsku';

/** Rows of a fact table `f` that the common part of a filter matches. `table` is written by the program. */
export function factsOf(ctx: Ctx, table: string, filter: GoodsFilter, names = NAMES): Facts {
  let query = factTable(ctx, table).where('f.company_id', '=', ctx.companyId);
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
    const like = containing(keyword);
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
export function withText<Q extends Facts>(query: Q, column: string, text: string | undefined): Q {
  if (!text?.trim()) return query;
  const like = containing(text);
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
export function goodsOf<Db>(row: Shown<Db> & { title?: unknown }, stores: ReadonlyMap<string, string>): Goods {
  const name = row.name ?? (typeof row.title === 'string' ? row.title : '');
  return {
    id: row.row_id,
    day: row.day,
    product: { name, code: row.seller_sku || row.fnsku, image: row.image, extra: row.asin || row.fnsku || null },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
  };
}

/** The listing of each row of a page, joined after the page is cut; rows name it by account, marketplace and SKU. */
export function withListing<Row>(ctx: Ctx, rows: Query<Row>): Query<Row> {
  return relation(
    ctx,
    sql<Row>`
    SELECT f.*, p.name, p.image FROM (${rows}) AS f
      LEFT JOIN listing.product AS p ON ${ofListing(ctx, 'f')}`,
  );
}

/** All columns of facts as a SELECT. */
export const allOf = <Row>(query: Facts): RawBuilder<Row> => sql<Row>`${query.selectAll('f')}`;

async function defOf<Db, Row>(ctx: Ctx, list: FactList<Db, Row>): Promise<ListDef<Shown<Db>, Row>> {
  const stores = await storeNames(ctx);
  return {
    row: list.row,
    query: relation(ctx, allOf<Shown<Db>>(list.query)),
    around: (rows) => withListing(ctx, rows),
    sort: { product: 'f.seller_sku', ...list.sort },
    order: list.order ?? [['f.day', 'desc']],
    key: 'f.row_id',
    map: (row) => list.map(row, goodsOf(row, stores)),
  };
}

interface Sums {
  total: number;
  totals: Totals;
}

/** Number of rows and sums of a filter from one reading: whole numbers over all rows, amounts for each currency by itself. */
async function sumsOf<Db, Row>(ctx: Ctx, { query, sums, money = {} }: FactList<Db, Row>): Promise<Sums> {
  const [numbers, fields] = [Object.entries(sums), Object.entries(money)];
  const bare = query
    .clearSelect()
    .select(sql<string>`count(*)::text`.as('rows'))
    .select([
      ...numbers.map(([key, column]) => sql.raw<number>(`coalesce(sum(f.${column}), 0)`).as(key)),
      ...fields.map(([key, column]) => sql.raw<string | null>(`sum(f.${column})::text`).as(key)),
    ]);
  if (fields.length === 0) {
    const { rows, ...totals } = (await bare.executeTakeFirstOrThrow()) as Record<string, number>;
    return { total: Number(rows), totals };
  }
  const each = (await bare
    .select(sql<string>`f.currency`.as('currency'))
    .groupBy(sql`f.currency`)
    .orderBy(sql`f.currency`)
    .execute()) as ({ currency: string } & Record<string, string | null>)[];
  const whole = numbers.map(([key]) => [key, each.reduce((all, row) => all + Number(row[key]), 0)]);
  return {
    total: each.reduce((all, row) => all + Number(row.rows), 0),
    totals: { ...Object.fromEntries(whole), ...(await moneyTotals(ctx, each, Object.keys(money))) },
  };
}

/** One page of a fact list with the sums of its filter. */
export async function factPage<Db, Row>(ctx: Ctx, request: PageRequest, list: FactList<Db, Row>): Promise<PageOf<Row>> {
  const def = await defOf(ctx, list);
  if (Object.keys(list.sums).length === 0) return page(ctx, request, def);
  // Whoever adds up all rows has counted them.
  let all: Promise<Sums> | undefined;
  const ofAll = () => {
    all ??= sumsOf(ctx, list);
    return all;
  };
  return page(ctx, request, {
    ...def,
    count: async () => (await ofAll()).total,
    totals: async () => (await ofAll()).totals,
  });
}

/** All rows of a filter as a file. */
export function factFile<Db, Row extends object>(
  open: OpenCtx,
  request: ExportRequest,
  make: (ctx: Ctx) => FactList<Db, Row>,
): Promise<FileReply> {
  return download(open, async (ctx) => {
    const list = make(ctx);
    return {
      name: list.title,
      sheet: list.title,
      format: request.format,
      columns: exportColumns(ctx, list.row, request.columns),
      rows: streamed(ctx, request, await defOf(ctx, list)),
      audit: { action: `导出${list.title}`, resource: list.resource, filter: request.filter },
    };
  });
}
