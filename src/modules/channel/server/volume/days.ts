import { sql } from 'kysely';
import { dayAfter } from '#kit/contract/day.ts';
import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { type Bundles, type volumeDays, WINDOWS } from '../../contract/volume.ts';
import { plainUnits, platformOf } from '../filter.ts';
import { counting } from './course.ts';

/** The last ninety days of a product up to today, the newest first, by platform. @throws notFound */
export async function daysOf(ctx: Ctx, id: string, bundles: Bundles): Promise<Reply<typeof volumeDays>> {
  const product = (await localProducts(ctx, [id])).get(id);
  if (!product) throw notFound('产品不存在或已删除');
  const to = ctx.clock.today();
  const from = dayAfter(to, -WINDOWS.u90);
  const { rows } = await sql<{ day: string; platform: string; sold: string; parts: string; units: string }>`
    SELECT k.day::text AS day, k.platform, coalesce(sum(k.units) FILTER (WHERE k.via = 'sold'), 0)::text AS sold,
           coalesce(sum(k.units) FILTER (WHERE k.via = 'part'), 0)::text AS parts,
           coalesce(sum(k.units) FILTER (WHERE ${counting({ bundles })}), 0)::text AS units
      FROM channel.sold_day AS k
     WHERE k.company_id = ${ctx.companyId} AND k.product_id = ${id} AND k.day BETWEEN ${from}::date AND ${to}::date
     GROUP BY k.day, k.platform ORDER BY k.day DESC, k.platform`.execute(ctx.db);
  return {
    product: product.cell,
    isBundle: product.structure === 'bundle',
    from,
    to,
    days: rows.map(({ day, platform, sold, parts, units }) => ({
      day,
      platform: platformOf(platform),
      sold: plainUnits(sold),
      parts: plainUnits(parts),
      units: plainUnits(units),
    })),
  };
}
