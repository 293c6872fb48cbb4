import { type SelectQueryBuilder, sql } from 'kysely';
import type { z } from 'zod';
import { columnsOf } from '#kit/contract/columns.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import { withoutFields } from '#kit/contract/totals.ts';
import { type Ctx, can } from '../context.ts';
import type { Database } from '../db/database.ts';
import { refused } from '../errors.ts';

// biome's `any` rule: the builder's table union differs per list and does not matter here.
export type Query<Row> = SelectQueryBuilder<never, never, Row>;

export interface ListDef<DbRow, Row> {
  /** Row schema of the contract: its permissions decide which fields leave the server. */
  row: z.ZodObject;
  /** All rows of the filter, without order and limit. */
  query: Query<DbRow>;
  /**
   * Adds what the rows of a page only show, after the page is cut: joins that neither find, count nor order rows. Its
   * rows keep the alias of `query`'s table, so that `sort`, `order` and `key` hold for both.
   */
  around?: (rows: Query<DbRow>) => Query<DbRow>;
  /** Sort key of the contract to SQL expression; nothing else can be sorted by. */
  sort: Record<string, string>;
  /** e.g. [['purchased_at', 'desc']] in SQL names; `last`: rows without the value come behind all others. */
  order: readonly (readonly [column: string, way: 'asc' | 'desc', nulls?: 'last'])[];
  /** Unique SQL column that breaks ties, so that pages never overlap. */
  key: string;
  map?: (row: DbRow) => Row;
  /** Rows counted exactly up to here; beyond it `total` says one more. Default 10,000. */
  countLimit?: number;
  /**
   * No index finds the rows of this filter, e.g. those with a word in the middle: they are found, ordered and counted in one reading,
   * by their key alone, and what a page shows is read by its keys. `key` must be one plain column.
   */
  once?: boolean;
  /** As many rows by less: they are counted by it where `query` works something out for every row. */
  counted?: Query<DbRow>;
  /** The exact number of rows, where something knows it without counting them; it may stand in the rows of the page. */
  count?: (rows: readonly DbRow[]) => Promise<number>;
  /** Sums over the whole filter, by field of the row; they may stand in the rows of the page. */
  totals?: (rows: readonly DbRow[]) => Promise<Record<string, string | number | null>>;
  /** How fresh the rows are. */
  asOf?: () => Promise<string | null>;
}

/**
 * A query as ListDef takes it. The type of a builder names every table it reads and alias it gave, another one for each list and
 * each condition; lists only add an order, a limit or a join of their own, which need none of that. That its rows are `Row`
 * is the word of whoever wrote the query, as it is with sql<Row>.
 */
export function listQuery<Row>(query: { compile(): { sql: string } }): Query<Row> {
  return query as unknown as Query<Row>;
}

/** A page that is cut already as the table `alias` of a query of its own, to which `around` joins what its rows show. */
export function cutAs<Row, A extends string>(ctx: Ctx, rows: Query<Row>, alias: A) {
  return ctx.db.selectFrom((rows as unknown as SelectQueryBuilder<Database, never, Row>).as(alias));
}

/** Fields of a row that the caller may not see. */
export function hiddenFields(ctx: Ctx, row: z.ZodObject): string[] {
  return columnsOf(row)
    .filter((column) => column.permission !== undefined && !can(ctx, column.permission))
    .map((column) => column.key);
}

/** A row without the fields that the caller may not see. */
export function stripped<Row>(row: Row, hidden: readonly string[]): Row {
  if (hidden.length === 0) return row;
  return Object.fromEntries(Object.entries(row as object).filter(([key]) => !hidden.includes(key))) as Row;
}

/** Puts the asked order on a list's query; a field outside the white list is refused. */
export function ordered<DbRow>(
  def: Pick<ListDef<DbRow, unknown>, 'query' | 'sort' | 'order' | 'key'>,
  request: Pick<PageRequest, 'sort' | 'order'>,
  hidden: readonly string[],
): Query<DbRow> {
  let query = def.query;
  let direction: 'asc' | 'desc' = def.order[0]?.[1] ?? 'asc';
  if (request.sort) {
    const column = Object.hasOwn(def.sort, request.sort) ? def.sort[request.sort] : undefined;
    if (!column || hidden.includes(request.sort)) throw refused(`不支持按「${request.sort}」排序`, 'B0030');
    direction = request.order ?? 'asc';
    query = query.orderBy(sql.raw(column), (order) => order[direction]().nullsLast());
  } else {
    for (const [column, way, nulls] of def.order) {
      query = query.orderBy(sql.raw(column), (order) => (nulls ? order[way]().nullsLast() : order[way]()));
    }
  }
  return query.orderBy(sql.raw(def.key), direction);
}

async function countOf<DbRow>(ctx: Ctx, query: Query<DbRow>, limit: number): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (${query
      .clearSelect()
      .select(sql`1`.as('one'))
      .limit(limit + 1)}) AS counted`.execute(ctx.db);
  return rows[0]?.n ?? 0;
}

const COUNT_LIMIT = 10_000;

/** Rows of one page in their order. */
function cut<DbRow>(
  def: ListDef<DbRow, unknown>,
  request: PageRequest,
  hidden: readonly string[],
  offset: number,
): Query<DbRow> {
  const rows = ordered(def, request, hidden).limit(request.pagesize).offset(offset);
  // A join need not keep the order of what it joins.
  return def.around ? ordered({ ...def, query: def.around(rows) }, request, hidden) : rows;
}

/** Keys of a page in their order, and how many rows there are, counted up to `limit` and one more. */
async function keysOf<DbRow>(
  ctx: Ctx,
  def: ListDef<DbRow, unknown>,
  request: PageRequest,
  hidden: readonly string[],
  limit: number,
): Promise<{ keys: string[]; found: number }> {
  const offset = (request.currentpage - 1) * request.pagesize;
  const bare = listQuery<{ key: string; found: number }>(
    def.query.clearSelect().select([sql.raw<string>(def.key).as('key'), sql<number>`count(*) OVER ()`.as('found')]),
  );
  const rows = await ordered({ ...def, query: bare }, request, hidden)
    .limit(request.pagesize)
    .offset(offset)
    .execute();
  // A page behind the last one has no row that could tell.
  const found = rows[0]?.found ?? (offset === 0 ? 0 : await countOf(ctx, def.query, limit));
  return { keys: rows.map(({ key }) => key), found: Math.min(found, limit + 1) };
}

/** Rows of a page and their number. */
async function found<DbRow>(
  ctx: Ctx,
  def: ListDef<DbRow, unknown>,
  request: PageRequest,
  hidden: readonly string[],
  limit: number,
): Promise<{ rows: DbRow[]; total: number }> {
  const offset = (request.currentpage - 1) * request.pagesize;
  if (def.once && !def.count) {
    const { keys, found: total } = await keysOf(ctx, def, request, hidden, limit);
    if (keys.length === 0) return { rows: [], total };
    const query = def.query.where(sql<boolean>`${sql.ref(def.key)} = ANY (${keys})`);
    return { rows: await cut({ ...def, query }, { ...request, pagesize: keys.length }, hidden, 0).execute(), total };
  }
  const rows = await cut(def, request, hidden, offset).execute();
  // A first page that is not full is its own count.
  const short = rows.length < request.pagesize && (rows.length > 0 || offset === 0);
  const counted = def.count ?? (() => countOf(ctx, def.counted ?? def.query, limit));
  return { rows, total: short ? offset + rows.length : await counted(rows) };
}

/** One page of a list: rows, count and, where declared, totals over the whole filter and freshness. */
export async function page<DbRow, Row = DbRow>(
  ctx: Ctx,
  request: PageRequest,
  def: ListDef<DbRow, Row>,
): Promise<PageOf<Row>> {
  const hidden = hiddenFields(ctx, def.row);
  const limit = def.countLimit ?? COUNT_LIMIT;
  const offset = (request.currentpage - 1) * request.pagesize;
  if (offset > limit) throw refused('页码过大，请缩小筛选范围', 'B0031');
  const { rows, total } = await found(ctx, def, request, hidden, limit);
  const totals = def.totals ? withoutFields(await def.totals(rows), hidden) : undefined;
  const asOf = def.asOf ? await def.asOf() : undefined;
  const map = def.map ?? ((row: DbRow) => row as unknown as Row);
  return {
    records: rows.map((row) => stripped(map(row), hidden)),
    total,
    ...(totals === undefined ? {} : { totals }),
    ...(asOf === undefined ? {} : { asOf }),
  };
}

/**
 * Rows of the whole filter one after the other from a server-side cursor, for exports. An order that is not allowed is
 * refused at once, before an answer has begun.
 */
export function streamed<DbRow, Row = DbRow>(
  ctx: Ctx,
  request: Pick<PageRequest, 'sort' | 'order'>,
  def: Pick<ListDef<DbRow, Row>, 'row' | 'query' | 'around' | 'sort' | 'order' | 'key' | 'map'>,
  batch = 2000,
): AsyncGenerator<Row> {
  const hidden = hiddenFields(ctx, def.row);
  const map = def.map ?? ((row: DbRow) => row as unknown as Row);
  const query = ordered({ ...def, query: def.around ? def.around(def.query) : def.query }, request, hidden);
  return (async function* () {
    for await (const row of query.stream(batch)) yield stripped(map(row), hidden);
  })();
}
