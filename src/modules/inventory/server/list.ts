import { type Selectable, sql } from 'kysely';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { Database } from '#kit/server/db/database.ts';
import { type ListDef, listQuery, page, type Query } from '#kit/server/list/page.ts';
import { ofListing } from '#modules/listing/server/index.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { LOW_DAYS, StockRow, type StockState } from '../contract.ts';
import { asksSales, COVER, type Filter, filtered, freshness, SUMS, soldOf, stockOf, TABS } from './query.ts';
import { velocityOf } from './velocity.ts';

const COLUMNS = [
  's.id',
  's.account_id',
  's.marketplace_id',
  's.seller_sku',
  's.condition',
  's.asin',
  's.fnsku',
  's.total',
  's.on_hand',
  's.fulfillable',
  's.inbound',
  's.inbound_working',
  's.inbound_shipped',
  's.inbound_receiving',
  's.reserved',
  's.reserved_customer',
  's.reserved_transfer',
  's.reserved_processing',
  's.unsellable',
  's.researching',
  's.stated_total',
  's.last_updated_at',
] as const;
/** What a row shows beside; both are joined to the rows of a page alone where nothing else asks for them. */
const LISTING = ['p.name', 'p.image'] as const;
const SOLD = [sql.raw<number | null>('u.units30').as('units30'), sql.raw<string | null>(COVER).as('cover')];

/** The query of the list with its computed columns. */
function rowsOf(ctx: Ctx, filter: Filter) {
  return filtered(ctx, filter)
    .select([...COLUMNS, ...LISTING])
    .select(SOLD);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof rowsOf>['executeTakeFirstOrThrow']>>;

function stateOf(row: DbRow): StockState {
  if (row.fulfillable === 0) return 'OUT';
  return row.cover !== null && Number(row.cover) < LOW_DAYS ? 'LOW' : 'ENOUGH';
}

/** A stored row as lists show it. `sales` says whether sales figures exist: without them no SKU is known to sell nothing. */
function rowOf(row: DbRow, stores: ReadonlyMap<string, string>, sales: boolean): StockRow {
  return {
    id: row.id,
    product: { name: row.name ?? '', code: row.seller_sku, image: row.image, extra: row.asin },
    store: { name: stores.get(row.account_id) ?? '', country: countryOf(row.marketplace_id) },
    state: stateOf(row),
    total: row.total,
    onHand: row.on_hand,
    fulfillable: row.fulfillable,
    inbound: row.inbound,
    inboundWorking: row.inbound_working,
    inboundShipped: row.inbound_shipped,
    inboundReceiving: row.inbound_receiving,
    reserved: row.reserved,
    reservedCustomer: row.reserved_customer,
    reservedTransfer: row.reserved_transfer,
    reservedProcessing: row.reserved_processing,
    unsellable: row.unsellable,
    researching: row.researching,
    units30: sales ? (row.units30 ?? 0) : null,
    coverDays: row.cover,
    lastUpdatedAt: row.last_updated_at,
    condition: row.condition,
    asin: row.asin,
    fnsku: row.fnsku,
    statedTotal: row.stated_total,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
    sellerSku: row.seller_sku,
  };
}

const SORT = {
  product: 's.seller_sku',
  ...Object.fromEntries(Object.entries(SUMS).map(([key, column]) => [key, `s.${column}`])),
  units30: 'u.units30',
  coverDays: COVER,
  lastUpdatedAt: 's.last_updated_at',
};

/** How the list of a filter is read, for pages and for exports. */
export async function stockList(ctx: Ctx, filter: Filter): Promise<ListDef<DbRow, StockRow>> {
  const stores = await storeNames(ctx);
  const { known } = velocityOf(ctx);
  return {
    row: StockRow,
    query: listQuery(rowsOf(ctx, filter)),
    sort: SORT,
    order: [['s.total', 'desc']],
    key: 's.id',
    map: (row) => rowOf(row, stores, known),
  };
}

/** So many rows of a filter that a page of them comes soon along the order of the list. */
const MANY = 500;
/** So few rows are named one by one. */
const FEW = 5_000;
const BY_SALES: readonly (string | undefined)[] = ['units30', 'coverDays'];

/** The same for a page: what was sold is only reckoned for its rows, unless rows are found or ordered by it. */
async function pagedStock(
  ctx: Ctx,
  { filter, sort }: PageRequest<Filter>,
  { n, ids }: Pick<Sums, 'n' | 'ids'>,
): Promise<ListDef<DbRow, StockRow>> {
  // Those that run out were found with their sums: what all others sold is not reckoned once more.
  if (ids && n < FEW) return stockList(ctx, { ids });
  const list = await stockList(ctx, filter);
  if (asksSales(filter) || BY_SALES.includes(sort)) return list;
  const query = listQuery<DbRow>(stockOf(ctx, filter, n >= MANY).select(COLUMNS));
  return { ...list, query, around: (rows) => around(ctx, rows) };
}

function around(ctx: Ctx, rows: Query<DbRow>): Query<DbRow> {
  // Rows and what was sold of them are both of the page, which is cut once.
  const shown = ctx.db
    .with(
      (cte) => cte('cut').materialized(),
      () => sql<Selectable<Database['inventory.fba_stock']>>`(${rows})`,
    )
    .selectFrom('cut as s')
    .leftJoin('listing.product as p', (join) => join.on(ofListing(ctx, 's')))
    .leftJoin(soldOf(ctx, sql`SELECT cut.seller_sku FROM cut`).as('u'), (join) =>
      join
        .onRef('u.account_id', '=', 's.account_id')
        .onRef('u.marketplace_id', '=', 's.marketplace_id')
        .onRef('u.seller_sku', '=', 's.seller_sku'),
    )
    .select([...COLUMNS, ...LISTING])
    .select(SOLD);
  return listQuery(shown);
}

interface Sums {
  n: number;
  /** The rows themselves where what was sold decides which they are. */
  ids: string[] | undefined;
  totals: Record<string, number>;
}

/** Rows of the whole filter and their sums by field, from one reading. */
async function sumsOf(ctx: Ctx, filter: Filter): Promise<Sums> {
  const sums = Object.entries(SUMS).map(([key, column]) => sql.raw<number>(`coalesce(sum(s.${column}), 0)`).as(key));
  const rows = asksSales(filter) ? filtered(ctx, filter) : stockOf(ctx, filter);
  const ids = sql<string[] | null>`${asksSales(filter) ? sql`coalesce(array_agg(s.id), '{}')` : sql`NULL`}`;
  const { n, found, ...totals } = await rows
    .select((eb) => [eb.fn.countAll<number>().as('n'), ids.as('found'), ...sums])
    .executeTakeFirstOrThrow();
  return { n, ids: found ?? undefined, totals: totals as Record<string, number> };
}

/** One page of stock with the sums of everything that the filter matches. */
export async function stockPage(ctx: Ctx, request: PageRequest<Filter>): Promise<PageOf<StockRow>> {
  const sums = await sumsOf(ctx, request.filter);
  const list = await pagedStock(ctx, request, sums);
  return page(ctx, request, {
    ...list,
    count: async () => sums.n,
    totals: async () => sums.totals,
    asOf: () => freshness(ctx),
  });
}

/** One row by its id, or undefined for anybody else's. */
export async function stockRow(ctx: Ctx, id: string): Promise<StockRow | undefined> {
  const row = await rowsOf(ctx, {}).where('s.id', '=', id).executeTakeFirst();
  return row && rowOf(row, await storeNames(ctx), velocityOf(ctx).known);
}

/** Rows by tab under the other filters; `low` is absent where no sales figures exist. */
export async function stockCounts(ctx: Ctx, filter: Filter): Promise<Record<string, number>> {
  const count = (tab: keyof typeof TABS) => sql.raw<number>(`count(*) FILTER (WHERE ${TABS[tab]})`).as(tab);
  const { low, ...rest } = await filtered(ctx, { ...filter, tab: undefined })
    .select([(eb) => eb.fn.countAll<number>().as('all'), count('out'), count('low'), count('unsellable')])
    .executeTakeFirstOrThrow();
  return velocityOf(ctx).known ? { ...rest, low: low ?? 0 } : (rest as Record<string, number>);
}
