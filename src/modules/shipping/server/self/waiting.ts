import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { PageOf, PageRequest } from '#kit/contract/page.ts';
import type { Ctx } from '#kit/server/context.ts';
import { listQuery, page } from '#kit/server/list/page.ts';
import { containing } from '#kit/server/list/words.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { aboutNowThere } from '#modules/order/server/index.ts';
import { type ListingOf, listingKey, partsOfAllListings } from '#modules/product/server/index.ts';
import type { Urgency } from '../../contract/self/fields.ts';
import { type WaitingFilter, WaitingRow } from '../../contract/self/rows.ts';
import { urgencyOf } from './due.ts';
import { listingsOf } from './lines.ts';
import { openOfLine } from './open.ts';

interface Line {
  msku: string;
  open: number;
}

/** Lines of order `o` that lack something, the largest first; null where none does. */
const OPEN = sql<Line[] | null>`(
  SELECT jsonb_agg(jsonb_build_object('msku', x.msku, 'open', x.open) ORDER BY x.open DESC, x.msku)
    FROM (SELECT l.seller_sku AS msku, ${openOfLine()} AS open FROM "order".amazon_order_line l
           WHERE l.company_id = o.company_id AND l.selling_partner_id = o.selling_partner_id
             AND l.amazon_order_id = o.amazon_order_id AND l.superseded_by IS NULL AND l.order_item_id IS NOT NULL) AS x
   WHERE x.open > 0)`;

const urgency = (now: Date) => urgencyOf(sql.ref('o.latest_ship_at'), now, sql`false`);

function matching(ctx: Ctx, filter: WaitingFilter, now: Date) {
  let query = ctx.db
    .selectFrom('order.amazon_order as o')
    .where('o.company_id', '=', ctx.companyId)
    .where('o.status', 'in', ['UNSHIPPED', 'PARTIALLY_SHIPPED'])
    .where('o.fulfilled_by', '=', 'MERCHANT')
    .where('o.channel', '=', 'AMAZON')
    .where(sql<boolean>`${OPEN} IS NOT NULL`);
  if (filter.authid?.length) query = query.where('o.account_id', 'in', filter.authid);
  if (filter.urgency) query = query.where(sql<boolean>`${urgency(now)} = ${filter.urgency}`);
  const day = sql<string>`kit.day(o.purchased_at)`;
  if (filter.purchased?.from) query = query.where(day, '>=', filter.purchased.from);
  if (filter.purchased?.to) query = query.where(day, '<=', filter.purchased.to);
  if (filter.keyword) {
    const like = containing(filter.keyword);
    query = query.where(
      sql<boolean>`(o.amazon_order_id ILIKE ${like} OR EXISTS (
        SELECT FROM "order".amazon_order_line AS l
         WHERE l.company_id = o.company_id AND l.selling_partner_id = o.selling_partner_id
           AND l.amazon_order_id = o.amazon_order_id AND l.seller_sku ILIKE ${like}))`,
    );
  }
  return query;
}

function selected(ctx: Ctx, filter: WaitingFilter, now: Date) {
  return matching(ctx, filter, now).select([
    'o.selling_partner_id',
    'o.amazon_order_id',
    'o.account_id',
    'o.marketplace_id',
    'o.latest_ship_at',
    'o.purchased_at',
    'o.ship_country',
    'o.ship_state',
    'o.postal_prefix',
    'o.buyer_cancel_requested',
    OPEN.as('lines'),
    urgency(now).as('urgency'),
  ]);
}
type DbRow = Awaited<ReturnType<ReturnType<typeof selected>['execute']>>[number];

function toRow(row: DbRow, stores: ReadonlyMap<string, string>, now: Date): WaitingRow {
  const lines = row.lines ?? [];
  const [first] = lines;
  const left = row.latest_ship_at === null ? null : Date.parse(row.latest_ship_at) - now.getTime();
  return {
    id: `${row.selling_partner_id}~${row.amazon_order_id}`,
    order: row.amazon_order_id,
    store: { name: stores.get(row.account_id) ?? '—', country: countryOf(row.marketplace_id) },
    product: { name: first?.msku ?? '—', code: first?.msku ?? '—', more: Math.max(0, lines.length - 1) },
    open: lines.reduce((total, line) => total + line.open, 0),
    urgency: row.urgency as Urgency,
    hoursLeft: left === null ? null : new Decimal(left).div(3_600_000).toFixed(1),
    latestShipAt: row.latest_ship_at,
    country: row.ship_country ?? '',
    region: row.ship_state ?? '',
    postal: row.postal_prefix ?? '',
    unmatched: false,
    cancelAsked: row.buyer_cancel_requested,
    purchasedAt: row.purchased_at,
    accountId: row.account_id,
    marketplaceId: row.marketplace_id,
  };
}

/** Puts titles and pictures to the rows of a page, and says which hold something that is matched with no product. */
async function dressed(
  ctx: Ctx,
  rows: readonly WaitingRow[],
  lines: ReadonlyMap<string, Line[]>,
): Promise<WaitingRow[]> {
  const refsOf = ({ id, accountId, marketplaceId }: WaitingRow): ListingOf[] =>
    (lines.get(id) ?? []).map(({ msku }) => ({ accountId, marketplaceId, msku }));
  const refs = rows.flatMap(refsOf);
  const [parts, listings] = [await partsOfAllListings(ctx, refs), await listingsOf(ctx, refs)];
  return rows.map((row) => {
    const { accountId, marketplaceId, product } = row;
    const found = listings.get(listingKey({ accountId, marketplaceId, msku: product.code }));
    return {
      ...row,
      unmatched: refsOf(row).some((ref) => !parts.get(listingKey(ref))?.length),
      product: { ...product, name: found?.name || product.name, image: found?.image ?? null },
    };
  });
}

/** One page of orders that wait for a document, the least time left first. */
export async function waitingPage(ctx: Ctx, request: PageRequest<WaitingFilter>): Promise<PageOf<WaitingRow>> {
  const now = await aboutNowThere(ctx.runtime);
  const stores = await storeNames(ctx);
  const lines = new Map<string, Line[]>();
  const found = await page<DbRow, WaitingRow>(ctx, request, {
    row: WaitingRow,
    query: listQuery(selected(ctx, request.filter, now)),
    sort: { latestShipAt: 'o.latest_ship_at', purchasedAt: 'o.purchased_at' },
    order: [['o.latest_ship_at', 'asc']],
    key: 'o.amazon_order_id',
    map: (row) => {
      const made = toRow(row, stores, now);
      lines.set(made.id, row.lines ?? []);
      return made;
    },
  });
  return { ...found, records: await dressed(ctx, found.records, lines) };
}

/** How many orders wait, how many of them are late, and how many will be within hours. */
export async function waitingCount(ctx: Ctx): Promise<{ orders: number; late: number; hours: number }> {
  const now = await aboutNowThere(ctx.runtime);
  const row = await matching(ctx, {}, now)
    .select([
      sql<number>`count(*)::int`.as('orders'),
      sql<number>`(count(*) FILTER (WHERE ${urgency(now)} = 'late'))::int`.as('late'),
      sql<number>`(count(*) FILTER (WHERE ${urgency(now)} = 'hours'))::int`.as('hours'),
    ])
    .executeTakeFirst();
  return row ?? { orders: 0, late: 0, hours: 0 };
}

/** Numbers of orders without a document whose time to ship is nearly over, the first of them first. */
export async function dueOrders(ctx: Ctx, now: Date, most: number): Promise<string[]> {
  const rows = await matching(ctx, { urgency: 'hours' }, now)
    .select('o.amazon_order_id as number')
    .orderBy('o.latest_ship_at')
    .limit(most)
    .execute();
  return rows.map(({ number }) => number);
}
