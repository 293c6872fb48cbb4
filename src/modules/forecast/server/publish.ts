import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { arrayText, outlook, packedDays, publishedOf, type StoredOverride, unpackedDays } from './figures.ts';

interface Row {
  id: string;
  cutoff: string;
  mean: number[];
  distances: number[];
  overrides: (StoredOverride & { sold: number })[];
}

/** Makes what is published of items (by id) anew from their models and the changes that stand, in the caller's transaction. */
export async function publish(ctx: Ctx, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await sql<Row>`
    SELECT i.id, i.cutoff::text AS cutoff, i.mean, i.distances, coalesce(o.list, '[]') AS overrides
      FROM forecast.item AS i
      LEFT JOIN LATERAL (
        SELECT jsonb_agg(jsonb_build_object('id', o.id, 'from', o.from_day, 'to', o.to_day, 'mode', o.mode, 'value', o.value::text,
                 'sold', CASE WHEN o.mode = 'MONTH' AND o.from_day <= i.cutoff THEN (
                   SELECT coalesce(sum(greatest(0, s.units - s.zero_price_units) + s.mcf_units), 0) FROM sales.sku_day AS s
                    WHERE s.company_id = i.company_id AND s.account_id = i.account_id AND s.seller_sku = i.seller_sku
                      AND s.local_date BETWEEN o.from_day AND i.cutoff AND s.marketplace_id = ANY (i.sites)
                      AND s.fulfilled_by = i.fulfilled_by) ELSE 0 END) ORDER BY o.id) AS list
          FROM forecast.override AS o
         WHERE o.company_id = i.company_id AND o.account_id = i.account_id AND o.pool = i.pool AND o.seller_sku = i.seller_sku
           AND o.cleared_at IS NULL) AS o ON true
     WHERE i.company_id = ${ctx.companyId} AND i.id = ANY (${ids}::uuid[])`.execute(ctx.db);
  const made = rows.map(({ id, cutoff, mean, distances, overrides }) => {
    const model = unpackedDays(mean);
    const sold = (day: string) => overrides.find(({ from }) => from === day)?.sold ?? 0;
    const published = publishedOf(model, cutoff, overrides, sold);
    return {
      id,
      published: published && arrayText(packedDays(published)),
      ...outlook(published ?? model, distances, cutoff),
    };
  });
  await sql`
    UPDATE forecast.item AS i
       SET published = m.published::int[], next30 = m.next30, p80 = m.p80, p90 = m.p90, p95 = m.p95, month1 = m.month1,
           month2 = m.month2, month3 = m.month3, as_of = kit.now()
      FROM json_to_recordset(${JSON.stringify(made)}::json)
        AS m (id uuid, published text, next30 bigint, p80 bigint, p90 bigint, p95 bigint, month1 bigint, month2 bigint, month3 bigint)
     WHERE i.company_id = ${ctx.companyId} AND i.id = m.id`.execute(ctx.db);
}
