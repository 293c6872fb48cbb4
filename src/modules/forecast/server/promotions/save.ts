import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { siteOf } from '#modules/listing/server/index.ts';
import type { copyPromotions, dropPromotions, savePromotion } from '../../contract/promotions.ts';

/** Whole weeks, so that weekdays stay. */
const YEAR_DAYS = 364;
const RESOURCE = 'forecast.promotion';

/**
 * Puts a promotion into the calendar, or changes the one with `id`. @throws B2204 where the store does not sell on the site,
 * conflict where somebody else changed it meanwhile
 */
export async function save(
  ctx: Ctx,
  { id, version, promotion }: z.output<typeof savePromotion.body>,
): Promise<{ id: string }> {
  const { name, kind, site, expected = null, from, to } = promotion;
  const { marketplaceId: marketplace, accountId: account } = siteOf(site);
  const skus = [...new Set(promotion.skus)].sort();
  const known = await sql`
    SELECT 1 FROM marketplace.seller_marketplace
     WHERE company_id = ${ctx.companyId} AND account_id = ${account}::uuid AND marketplace_id = ${marketplace}`.execute(
    ctx.db,
  );
  if (known.rows.length === 0) throw refused('店铺/站点不存在或已停用，请重新选择', 'B2204');
  const values = sql`
    ${account}::uuid, ${marketplace}, ${name}, ${kind}, ${from}::date, ${to}::date, ${skus}::text[], ${expected}::numeric, ${ctx.userName}`;
  const names = sql.raw('account_id, marketplace_id, name, kind, from_day, to_day, skus, expected, updated_by_name');
  const { rows } = id
    ? await sql<{ id: string }>`
        UPDATE forecast.promotion SET (${names}) = ROW (${values}), updated_at = kit.now(), version = version + 1
         WHERE company_id = ${ctx.companyId} AND id = ${id} AND version = ${version ?? 0}
        RETURNING id`.execute(ctx.db)
    : await sql<{ id: string }>`
        INSERT INTO forecast.promotion (company_id, ${names}) VALUES (${ctx.companyId}, ${values}) RETURNING id`.execute(
        ctx.db,
      );
  const [row] = rows;
  if (!row) throw conflict();
  await audit(ctx, { action: '保存促销活动', resource: RESOURCE, resourceId: row.id, after: { ...promotion, skus } });
  return row;
}

/** @throws notFound where one of some promotions is not there */
async function requireAll(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const { rows } = await sql`
    SELECT 1 FROM forecast.promotion WHERE company_id = ${ctx.companyId} AND id = ANY (${ids}::uuid[]) ORDER BY id FOR UPDATE`.execute(
    ctx.db,
  );
  if (rows.length !== new Set(ids).size) throw notFound('促销活动不存在或已删除，请刷新');
}

/** Takes promotions out of the calendar. @throws notFound where one is not there */
export async function drop(ctx: Ctx, { ids }: z.output<typeof dropPromotions.body>): Promise<{ count: number }> {
  await requireAll(ctx, ids);
  const { rows } = await sql<{ name: string }>`
    DELETE FROM forecast.promotion WHERE company_id = ${ctx.companyId} AND id = ANY (${ids}::uuid[]) RETURNING name`.execute(
    ctx.db,
  );
  await audit(ctx, { action: '删除促销活动', resource: RESOURCE, after: { count: rows.length } });
  return { count: rows.length };
}

/** Plans promotions for the next year; what is planned already stays as it is. @throws notFound where one is not there */
export async function copy(ctx: Ctx, { ids }: z.output<typeof copyPromotions.body>): Promise<{ count: number }> {
  await requireAll(ctx, ids);
  const { rows } = await sql`
    INSERT INTO forecast.promotion (company_id, account_id, marketplace_id, name, kind, from_day, to_day, skus, expected, updated_by_name)
    SELECT company_id, account_id, marketplace_id, name, kind, from_day + ${YEAR_DAYS}::int, to_day + ${YEAR_DAYS}::int, skus, expected, ${ctx.userName}
      FROM forecast.promotion AS p
     WHERE company_id = ${ctx.companyId} AND id = ANY (${ids}::uuid[])
       AND NOT EXISTS (SELECT FROM forecast.promotion AS n
                        WHERE n.company_id = p.company_id AND n.account_id = p.account_id AND n.marketplace_id = p.marketplace_id
                          AND n.name = p.name AND n.from_day = p.from_day + ${YEAR_DAYS}::int)
    RETURNING id`.execute(ctx.db);
  await audit(ctx, { action: '复制促销活动', resource: RESOURCE, after: { count: rows.length } });
  return { count: rows.length };
}
