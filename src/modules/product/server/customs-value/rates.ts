import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { RateForm } from '../../contract/customs-value.ts';
import { auditChange } from '../catalogue/shared.ts';

const RESOURCE = 'product.declaredRate';

/** Shares of the company: those of all countries and categories first. */
export async function rateRows(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('product.declared_rate as r')
    .leftJoin('product.category as c', (join) =>
      join.onRef('c.company_id', '=', 'r.company_id').onRef('c.id', '=', 'r.category_id'),
    )
    .select([
      'r.id',
      'r.country',
      'r.category_id as categoryId',
      'c.name as category',
      'r.version',
      'r.updated_by_name as updatedBy',
    ])
    .select(sql<string>`trim_scale(r.rate)::text`.as('rate'))
    .where('r.company_id', '=', ctx.companyId)
    .orderBy('c.name', (order) => order.asc().nullsFirst())
    .orderBy('r.country')
    .execute();
  return rows;
}

async function requireCategory(ctx: Ctx, id: string | null): Promise<void> {
  if (id === null) return;
  const row = await ctx.db
    .selectFrom('product.category')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('品类不存在或已删除');
}

/** @throws notFound, conflict, refused B0770 where the country and category have a share already */
export async function saveRate(
  ctx: Ctx,
  { id, version, ...input }: RateForm & { id?: string | undefined; version?: number | undefined },
): Promise<string> {
  await requireCategory(ctx, input.categoryId);
  const rows = await rateRows(ctx);
  const same = rows.find((row) => row.country === input.country && row.categoryId === input.categoryId);
  if (same && same.id !== id) throw refused('该目的国与品类已有申报比例，请修改原有的一行', 'B0770');
  const values = {
    country: input.country,
    category_id: input.categoryId,
    rate: input.rate,
    updated_by_name: ctx.userName,
  };
  if (!id) {
    const made = await ctx.db
      .insertInto('product.declared_rate')
      .values({ company_id: ctx.companyId, ...values })
      .onConflict((on) => on.doNothing())
      .returning('id')
      .executeTakeFirst();
    if (!made) throw refused('该目的国与品类已有申报比例，请修改原有的一行', 'B0770');
    await audit(ctx, { action: '新增申报比例', resource: RESOURCE, resourceId: made.id, after: input });
    return made.id;
  }
  const before = rows.find((row) => row.id === id);
  if (!before) throw notFound('申报比例不存在或已删除');
  const done = await ctx.db
    .updateTable('product.declared_rate')
    .set({ ...values, version: sql<number>`version + 1`, updated_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('version', '=', version ?? before.version)
    .executeTakeFirst();
  if (done.numUpdatedRows === 0n) throw conflict('申报比例已被他人修改，请刷新');
  await auditChange(ctx, { action: '修改申报比例', resource: RESOURCE, resourceId: id }, before, input);
  return id;
}

/** @throws notFound */
export async function deleteRate(ctx: Ctx, id: string): Promise<void> {
  const gone = await ctx.db
    .deleteFrom('product.declared_rate')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning(['country', 'rate'])
    .executeTakeFirst();
  if (!gone) throw notFound('申报比例不存在或已删除');
  await audit(ctx, { action: '删除申报比例', resource: RESOURCE, resourceId: id, before: gone });
}
