import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import {
  type BalanceFilter,
  BalanceRow,
  type LedgerProof,
  type MovementFilter,
  MovementRow,
} from '../../contract/ledger.ts';
import { among, type FactList, type Facts, factsOf, withText } from './base.ts';

interface Movement {
  happened_at: string | null;
  event: string;
  reference: string;
  quantity: number;
  centre: string;
  disposition: string;
  reason: string;
  country: string;
  reconciled: number | null;
  unreconciled: number | null;
}

function movementsOf(ctx: Ctx, filter: MovementFilter): Facts {
  const { events, dispositions, reasons, centre, reference } = filter;
  let query = factsOf(ctx, 'inventory.ledger_event', filter);
  query = among(query, 'event', events);
  query = among(query, 'disposition', dispositions);
  query = among(query, 'reason', reasons);
  query = withText(query, 'centre', centre);
  return withText(query, 'reference', reference);
}

/** The list of movements of a filter. */
export const movementList = (ctx: Ctx, filter: MovementFilter): FactList<Movement, MovementRow> => ({
  title: 'FBA库存明细',
  resource: 'inventory.ledger',
  row: MovementRow,
  query: movementsOf(ctx, filter),
  order: [
    ['f.day', 'desc'],
    ['f.happened_at', 'desc'],
  ],
  sort: { day: 'f.day', quantity: 'f.quantity', event: 'f.event', happenedAt: 'f.happened_at' },
  sums: { quantity: 'quantity' },
  map: (row, goods) => ({
    ...goods,
    happenedAt: row.happened_at,
    event: row.event,
    quantity: row.quantity,
    disposition: row.disposition,
    reason: row.reason,
    centre: row.centre,
    reference: row.reference,
    country: row.country,
    reconciled: row.reconciled,
    unreconciled: row.unreconciled,
    fnsku: row.fnsku,
  }),
});

interface Balance {
  disposition: string;
  starting: number;
  in_transit: number;
  receipts: number;
  shipments: number;
  customer_returns: number;
  vendor_returns: number;
  transfers: number;
  found: number;
  lost: number;
  damaged: number;
  disposed: number;
  other: number;
  unknown: number;
  ending: number;
  expected: number;
}

function balancesOf(ctx: Ctx, filter: BalanceFilter): Facts {
  const query = among(factsOf(ctx, 'inventory.ledger_day', filter), 'disposition', filter.dispositions);
  if (filter.odd === undefined) return query;
  return query.where(sql<boolean>`(f.expected <> f.ending) = ${filter.odd}`);
}

const MOVED = {
  receipts: 'receipts',
  shipments: 'shipments',
  customerReturns: 'customer_returns',
  vendorReturns: 'vendor_returns',
  transfers: 'transfers',
  found: 'found',
  lost: 'lost',
  damaged: 'damaged',
  disposed: 'disposed',
} as const;

/** The list of daily balances of a filter. Balances of several days are not added up: only what moved is. */
export const balanceList = (ctx: Ctx, filter: BalanceFilter): FactList<Balance, BalanceRow> => ({
  title: 'FBA每日库存',
  resource: 'inventory.ledgerDay',
  row: BalanceRow,
  query: balancesOf(ctx, filter),
  order: [
    ['f.day', 'desc'],
    ['f.seller_sku', 'asc'],
  ],
  sort: {
    day: 'f.day',
    starting: 'f.starting',
    ending: 'f.ending',
    inTransit: 'f.in_transit',
    ...Object.fromEntries(Object.entries(MOVED).map(([key, column]) => [key, `f.${column}`])),
  },
  sums: MOVED,
  map: (row, goods) => ({
    ...goods,
    disposition: row.disposition,
    starting: row.starting,
    receipts: row.receipts,
    shipments: row.shipments,
    customerReturns: row.customer_returns,
    vendorReturns: row.vendor_returns,
    transfers: row.transfers,
    found: row.found,
    lost: row.lost,
    damaged: row.damaged,
    disposed: row.disposed,
    other: row.other + row.unknown,
    ending: row.ending,
    inTransit: row.in_transit,
    gap: row.expected - row.ending,
    fnsku: row.fnsku,
  }),
});

interface BalanceSums {
  day: string;
  sellable: number;
  unsellable: number;
  inTransit: number;
  /** Stocks that have told this day. */
  stocks: number;
}

/** Days at either end that some stocks have not told: their day begins later, or their reports begin later. */
function trimmed(days: readonly BalanceSums[]): readonly BalanceSums[] {
  const stocksOn = (at: number): number => days.at(at)?.stocks ?? 0;
  let [from, to] = [0, days.length];
  while (from < 2 && stocksOn(from) < stocksOn(from + 1)) from += 1;
  while (to > days.length - 2 && to - from > 1 && stocksOn(to - 1) < stocksOn(to - 2)) to -= 1;
  return days.slice(from, to);
}

/**
 * Closing balances by day, oldest first. A day at either end that some of the stocks have not told is left out: Tokyo's
 * morning alone would look like a loss of everything else.
 */
export async function balanceChart(
  ctx: Ctx,
  filter: BalanceFilter,
): Promise<{ day: string; sellable: number; unsellable: number; inTransit: number }[]> {
  const days = (await balancesOf(ctx, filter)
    .select([
      'f.day',
      sql.raw<number>("coalesce(sum(f.ending) FILTER (WHERE f.disposition = 'SELLABLE'), 0)").as('sellable'),
      sql.raw<number>("coalesce(sum(f.ending) FILTER (WHERE f.disposition <> 'SELLABLE'), 0)").as('unsellable'),
      sql.raw<number>('coalesce(sum(f.in_transit), 0)').as('inTransit'),
      sql.raw<number>('count(DISTINCT (f.account_id, f.stock))').as('stocks'),
    ])
    .groupBy('f.day')
    .orderBy('f.day')
    .execute()) as BalanceSums[];
  return trimmed(days).map(({ stocks: _, ...day }) => day);
}

const PLACE = 'f.account_id, f.stock, f.seller_sku, f.fnsku, f.asin, f.disposition, f.location';

/**
 * Balances of a filter at the beginning and at the end of its days: of each product, disposition and place the first
 * opening and the last closing balance of what the reports hold.
 */
async function boundsOf(ctx: Ctx, filter: BalanceFilter): Promise<{ starting: number; ending: number } | undefined> {
  const rows = balancesOf(ctx, filter).select([
    sql.raw<number>('f.starting').as('starting'),
    sql.raw<number>('f.ending').as('ending'),
    sql.raw<number>(`row_number() OVER (PARTITION BY ${PLACE} ORDER BY f.day)`).as('first'),
    sql.raw<number>(`row_number() OVER (PARTITION BY ${PLACE} ORDER BY f.day DESC)`).as('last'),
  ]);
  const found = await sql<{ starting: number; ending: number; n: number }>`
    SELECT coalesce(sum(b.starting) FILTER (WHERE b.first = 1), 0) AS starting,
           coalesce(sum(b.ending) FILTER (WHERE b.last = 1), 0) AS ending, count(*) AS n
      FROM (${rows}) AS b`.execute(ctx.db);
  const [bounds] = found.rows;
  return bounds && bounds.n > 0 ? bounds : undefined;
}

/** Opening balance + movements = closing balance; see `LedgerProof`. */
export async function ledgerProof(ctx: Ctx, filter: MovementFilter): Promise<LedgerProof> {
  const byEvent = (await movementsOf(ctx, filter)
    .select([sql.raw<string>('f.event').as('event'), sql.raw<number>('sum(f.quantity)').as('quantity')])
    .groupBy(sql`f.event`)
    .orderBy(sql`f.event`)
    .execute()) as { event: string; quantity: number }[];
  const moved = byEvent.reduce((sum, one) => sum + one.quantity, 0);
  const { events, reasons, centre, reference, ...goods } = filter;
  const isPart = events?.length || reasons?.length || centre || reference;
  const bounds = isPart ? undefined : await boundsOf(ctx, goods);
  return {
    starting: bounds?.starting ?? null,
    ending: bounds?.ending ?? null,
    moved,
    difference: bounds ? bounds.starting + moved - bounds.ending : null,
    byEvent,
  };
}
