import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { lostSelect, type SeenPeriod } from '#modules/listing/server/index.ts';
import { FALLEN, type RankFilter } from '../../contract/ranks.ts';
import { listingConditions } from '../filter.ts';

const PERIODS: Record<NonNullable<RankFilter['period']>, SeenPeriod> = {
  today: { days: 1, endsAgo: 0 },
  days7: { days: 7, endsAgo: 1 },
  days14: { days: 14, endsAgo: 1 },
  days30: { days: 30, endsAgo: 1 },
};

/** Over which days of each site shares of the Buy Box are told; the last seven whole days where nothing is chosen. */
export const periodOf = ({ period = 'days7' }: RankFilter): SeenPeriod => PERIODS[period];

/** That a row `o` is about the product of the listing `m`. */
export const OF_PRODUCT = sql`o.account_id = m.account_id AND o.marketplace_id = m.marketplace_id AND o.asin = m.asin`;

/** That a rank of the listing `m` fell by more than the filter's percentage in a week. */
export const fallen = ({ fall = FALLEN }: RankFilter): RawBuilder<unknown> => sql`m.fall_bp > ${fall * 100}::bigint`;

/** That we offer the product of the listing `m` without having its Buy Box. */
const lost = (ctx: Ctx) => sql`EXISTS (SELECT FROM (${lostSelect(ctx)}) AS o WHERE ${OF_PRODUCT})`;

/** The FROM item `m` of the listings on sale that a filter names, as "… AS m WHERE …". */
export function rankedListings(ctx: Ctx, filter: RankFilter, joined: RawBuilder<unknown> = sql``): RawBuilder<unknown> {
  const { sites, owners, keyword, skus } = filter;
  const all = [listingConditions(ctx, { sites, owners, keyword, skus, state: ['ACTIVE'] })];
  if (filter.tab === 'lost' || filter.lost === true) all.push(lost(ctx));
  if (filter.lost === false) all.push(sql`NOT ${lost(ctx)}`);
  if (filter.tab === 'fallen' || filter.fall !== undefined) all.push(fallen(filter));
  return sql`analysis.listing_metric AS m ${joined} WHERE ${sql.join(all, sql` AND `)}`;
}
