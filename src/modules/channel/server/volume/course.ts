import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import { PLATFORMS } from '../../contract/fields.ts';
import type { VolumeFilter } from '../../contract/volume.ts';
import { narrowed, plainUnits, platformOf } from '../filter.ts';
import { presentSelect, readFrom } from '../rollup/pace.ts';

/** Days of the small line in a row, and of the shares of platforms. */
const DAYS = 30;

export const PLACES = { platform: 'k.platform', shop: 'k.shop_id', country: 'k.country', product: 'k.product_id' };

/** Which rows of sold_day `k` count. */
export const counting = (filter: Pick<VolumeFilter, 'bundles'>) =>
  filter.bundles === 'sold' ? sql`k.via = 'sold'` : sql`NOT k.is_bundle`;

interface Course {
  /** Units of each of the days, the last one yesterday, as text. */
  trend: string;
  /** 「亚马逊 80.00% · 独立站 20.00%」, the largest first. */
  mix: string;
}

/** How the last thirty days of products went, by id; days are counted back from the present day of each shop. */
export async function coursesOf(ctx: Ctx, ids: readonly string[], filter: VolumeFilter): Promise<Map<string, Course>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<{ id: string; platform: string; ago: number; units: string }>`
    WITH present AS MATERIALIZED (${await presentSelect(ctx)})
    SELECT k.product_id AS id, k.platform, d.today - k.day AS ago, sum(k.units)::text AS units
      FROM channel.sold_day AS k
      JOIN present AS d ON d.shop_id = k.shop_id AND d.country IN (k.country, '')
     WHERE k.company_id = ${ctx.companyId} AND k.product_id = ANY (${[...ids]}::uuid[]) AND k.day >= ${readFrom(ctx)}::date
       AND k.day >= d.today - ${sql.lit(DAYS)} AND k.day < d.today AND ${counting(filter)} ${narrowed(ctx, filter, PLACES)}
     GROUP BY 1, 2, 3`.execute(ctx.db);
  const byProduct = Map.groupBy(rows, ({ id }) => id);
  return new Map(
    [...byProduct].map(([id, of]) => {
      const sum = (some: readonly { units: string }[]) => Decimal.sum(0, ...some.map(({ units }) => units));
      const days = Array.from({ length: DAYS }, (_, n) => sum(of.filter(({ ago }) => ago === DAYS - n)));
      const all = sum(of);
      const shares = [...Map.groupBy(of, ({ platform }) => platformOf(platform))]
        .map(([platform, some]) => ({ platform, units: sum(some) }))
        .sort((a, b) => b.units.cmp(a.units));
      const mix = shares.map(
        ({ platform, units }) =>
          `${PLATFORMS[platform]} ${all.isZero() ? '—' : `${units.div(all).times(100).toFixed(2)}%`}`,
      );
      return [id, { trend: days.map((units) => plainUnits(units.toFixed(4))).join(' '), mix: mix.join(' · ') }];
    }),
  );
}
