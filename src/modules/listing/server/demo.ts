import { sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import { currencyScale, Decimal, round } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { adjust } from './offers/adjust.ts';
import { floorsOf } from './offers/floors.ts';
import { adjustTerms } from './terms/adjust.ts';
import { siteToday } from './terms/known.ts';

interface Sold {
  id: string;
  marketplaceId: string;
  currency: string;
  price: string;
}

/** Listings of the demo that are on sale by who sends them, the last by SKU first: readers begin at the other end. */
async function sold(ctx: Ctx, fulfilledBy: 'AMAZON' | 'MERCHANT', count: number): Promise<Sold[]> {
  const { rows } = await sql<Sold>`
    SELECT id, marketplace_id AS "marketplaceId", currency, price::text AS price FROM listing.listing
     WHERE company_id = ${ctx.companyId} AND fulfilled_by = ${fulfilledBy} AND state = 'ACTIVE' AND price IS NOT NULL
       AND (${fulfilledBy} = 'MERCHANT' OR sale IS NULL)
     ORDER BY currency = 'USD' DESC, seller_sku DESC LIMIT ${count}`.execute(ctx.db);
  return rows;
}

const times = ({ price, currency }: Sold, share: string) =>
  round(new Decimal(price).times(share), currencyScale(currency));

/** Prices that somebody at the demo works on: one goes up, one is on sale for two weeks, one is asked for below what it costs. */
export async function demoPrices(ctx: Ctx): Promise<void> {
  const [dearer, reduced] = await sold(ctx, 'AMAZON', 2);
  if (!dearer || !reduced) return;
  await adjust(ctx, [{ id: dearer.id, price: times(dearer, '1.05') }], { reason: '对手缺货', confirmed: false });
  const from = siteToday(ctx, reduced.marketplaceId);
  const terms = { price: times(reduced, '0.9'), from, to: dayAfter(from, 13) };
  await adjustTerms(ctx, { kind: 'sale', changes: [{ id: reduced.id, seen: null, terms }], reason: '两周促销' });
  const own = await sold(ctx, 'MERCHANT', 20);
  const floors = await floorsOf(
    ctx,
    own.map(({ id }) => id),
  );
  const cleared = own.find(({ id }) => floors.has(id));
  if (!cleared) return;
  const price = times({ ...cleared, price: floors.get(cleared.id) ?? '0' }, '0.9');
  await adjust(ctx, [{ id: cleared.id, price }], { reason: '换季清仓', confirmed: true });
}
