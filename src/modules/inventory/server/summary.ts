import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import type { StockSummary } from '../contract.ts';
import { type Filter, filtered, freshness, TABS } from './query.ts';
import { velocityOf } from './velocity.ts';

const FIELDS = [
  'skus',
  'fulfillable',
  'inbound',
  'reserved',
  'unsellable',
  'researching',
  'onHand',
  'total',
  'out',
] as const;
type Sums = Record<(typeof FIELDS)[number], number> & { low: number | null };

const sumOf = (column: string) => sql.raw<number>(`coalesce(sum(s.${column}), 0)`);

async function bySite(ctx: Ctx, filter: Filter) {
  return filtered(ctx, filter)
    .select([
      's.account_id',
      's.marketplace_id',
      (eb) => eb.fn.countAll<number>().as('skus'),
      sumOf('fulfillable').as('fulfillable'),
      sumOf('inbound').as('inbound'),
      sumOf('reserved').as('reserved'),
      sumOf('unsellable').as('unsellable'),
      sumOf('researching').as('researching'),
      sumOf('on_hand').as('onHand'),
      sumOf('total').as('total'),
      sql.raw<number>(`count(*) FILTER (WHERE ${TABS.out})`).as('out'),
      sql.raw<number>(`count(*) FILTER (WHERE ${TABS.low})`).as('low'),
    ])
    .groupBy(['s.account_id', 's.marketplace_id'])
    .orderBy('s.account_id')
    .orderBy('s.marketplace_id')
    .execute();
}

/** Sums over a filter and by site; the former are made of the latter, so they agree. */
export async function stockSummary(ctx: Ctx, filter: Filter): Promise<StockSummary> {
  const rows = await bySite(ctx, filter);
  const stores = await storeNames(ctx);
  const { known } = velocityOf(ctx);
  const sum = (field: keyof Sums) => rows.reduce((total, row) => total + (row[field] ?? 0), 0);
  const sums = Object.fromEntries(FIELDS.map((field) => [field, sum(field)])) as Omit<Sums, 'low'>;
  return {
    ...sums,
    low: known ? sum('low') : null,
    sites: rows.map(({ account_id, marketplace_id, ...figures }) => ({
      ...figures,
      low: known ? figures.low : null,
      site: `${marketplace_id}-${account_id}`,
      store: { name: stores.get(account_id) ?? '', country: countryOf(marketplace_id) },
    })),
    asOf: await freshness(ctx),
  };
}
