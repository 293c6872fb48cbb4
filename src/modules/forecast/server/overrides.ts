import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { clearOverrides, saveCare, saveOverride } from '../contract/overrides.ts';
import { HORIZON } from './figures.ts';
import { publish } from './publish.ts';
import { dayPlus } from './stocks.ts';

/** What a change names an item by, and the last day that its forecast knows. */
export interface ItemKey {
  id: string;
  account_id: string;
  pool: string;
  seller_sku: string;
  cutoff: string;
}

/** Items by id, their rows locked in one order. @throws notFound where one is not there */
async function itemsOf(ctx: Ctx, ids: readonly string[]): Promise<ItemKey[]> {
  const wanted = [...new Set(ids)];
  const { rows } = await sql<ItemKey>`
    SELECT id, account_id, pool, seller_sku, cutoff::text AS cutoff FROM forecast.item
     WHERE company_id = ${ctx.companyId} AND id = ANY (${wanted}::uuid[]) ORDER BY id FOR UPDATE`.execute(ctx.db);
  if (rows.length !== wanted.length) throw notFound('预测商品不存在或已不再预测，请刷新');
  return rows;
}

/** Why a change cannot end on a day, for an item whose forecast begins after `cutoff`; undefined where it can. */
export function whyNotUntil(to: string, cutoff: string): { reason: string; code: string } | undefined {
  const last = dayPlus(cutoff, HORIZON);
  if (to <= cutoff) return { reason: '结束日期已经过去，请选择未来的日期', code: 'B2201' };
  return to > last ? { reason: `结束日期不能超过 ${last}`, code: 'B2202' } : undefined;
}

/**
 * Changes the forecasts of items and publishes them at once. @throws B2201 where all days are over, B2202 where they lie behind
 * what is forecast
 */
export async function change(
  ctx: Ctx,
  { ids, override }: z.output<typeof saveOverride.body>,
): Promise<{ changed: number }> {
  const items = await itemsOf(ctx, ids);
  const { mode, from, to, value, reason } = override;
  const newest =
    items
      .map(({ cutoff }) => cutoff)
      .sort()
      .at(-1) ?? '';
  const problem = whyNotUntil(to, newest);
  if (problem) throw refused(problem.reason, problem.code);
  await sql`
    INSERT INTO forecast.override (company_id, account_id, pool, seller_sku, from_day, to_day, mode, value, reason, created_by, created_by_name)
    SELECT company_id, account_id, pool, seller_sku, ${from}::date, ${to}::date, ${mode}, ${value}::numeric, ${reason},
           ${ctx.userId}::uuid, ${ctx.userName}
      FROM forecast.item WHERE company_id = ${ctx.companyId} AND id = ANY (${items.map(({ id }) => id)}::uuid[])`.execute(
    ctx.db,
  );
  await publish(
    ctx,
    items.map(({ id }) => id),
  );
  await audit(ctx, {
    action: '人工干预预测',
    resource: 'forecast.item',
    resourceId: items.length === 1 ? (items[0]?.id ?? null) : null,
    after: { skus: items.map(({ seller_sku }) => seller_sku), ...override },
  });
  return { changed: items.length };
}

/** Takes changes back, and publishes what stands without them. */
export async function clear(
  ctx: Ctx,
  { ids = [], overrideIds = [] }: z.output<typeof clearOverrides.body>,
): Promise<{ cleared: number }> {
  const { rows } = await sql<{ id: string; item: string | null; sku: string }>`
    UPDATE forecast.override AS o SET cleared_at = kit.now(), cleared_by_name = ${ctx.userName}
      FROM (SELECT v.id, i.id AS item FROM forecast.override AS v
              LEFT JOIN forecast.item AS i ON i.company_id = v.company_id AND i.account_id = v.account_id AND i.pool = v.pool
               AND i.seller_sku = v.seller_sku
             WHERE v.company_id = ${ctx.companyId} AND v.cleared_at IS NULL
               AND (v.id = ANY (${overrideIds}::uuid[]) OR i.id = ANY (${ids}::uuid[]))) AS x
     WHERE o.company_id = ${ctx.companyId} AND o.id = x.id
    RETURNING o.id, x.item, o.seller_sku AS sku`.execute(ctx.db);
  const items = await itemsOf(
    ctx,
    rows.flatMap(({ item }) => item ?? []),
  );
  await publish(
    ctx,
    items.map(({ id }) => id),
  );
  await audit(ctx, {
    action: '清空预测干预',
    resource: 'forecast.item',
    after: { skus: [...new Set(rows.map(({ sku }) => sku))], count: rows.length },
  });
  return { cleared: rows.length };
}

/** Sets which model items keep and what they are like; the next run goes by it. */
export async function care(ctx: Ctx, input: z.output<typeof saveCare.body>): Promise<{ changed: number }> {
  const items = await itemsOf(ctx, input.ids);
  const { lockedModel, referenceSkus } = input;
  const own = items.find(({ seller_sku }) => referenceSkus?.includes(seller_sku));
  if (own) throw refused(`参考品不能是商品自己：${own.seller_sku}`, 'B2203');
  await sql`
    INSERT INTO forecast.care AS c (company_id, account_id, pool, seller_sku, locked_model, reference_skus, updated_by_name)
    SELECT company_id, account_id, pool, seller_sku, ${lockedModel ?? null}, ${referenceSkus ?? []}::text[], ${ctx.userName}
      FROM forecast.item WHERE company_id = ${ctx.companyId} AND id = ANY (${items.map(({ id }) => id)}::uuid[])
    ON CONFLICT (company_id, account_id, pool, seller_sku) DO UPDATE
       SET locked_model = CASE WHEN ${lockedModel !== undefined} THEN excluded.locked_model ELSE c.locked_model END,
           reference_skus = CASE WHEN ${referenceSkus !== undefined} THEN excluded.reference_skus ELSE c.reference_skus END,
           updated_at = kit.now(), updated_by_name = excluded.updated_by_name`.execute(ctx.db);
  await audit(ctx, {
    action: '设置预测模型与参考品',
    resource: 'forecast.item',
    resourceId: items.length === 1 ? (items[0]?.id ?? null) : null,
    after: { skus: items.map(({ seller_sku }) => seller_sku), lockedModel, referenceSkus },
  });
  return { changed: items.length };
}
