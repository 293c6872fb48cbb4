import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { CategoryRow } from '../../contract/accounts.ts';

/** What money is earned by and spent on, by name. */
export async function categories(ctx: Ctx): Promise<CategoryRow[]> {
  const rows = await ctx.db
    .selectFrom('finance.category')
    .select(['id', 'name', 'direction', 'disabled'])
    .where('company_id', '=', ctx.companyId)
    .orderBy('direction')
    .orderBy('name')
    .execute();
  return rows.map((row) => ({ ...row, direction: row.direction as 'IN' | 'OUT' }));
}

type Input = Omit<CategoryRow, 'id'> & { id?: string | undefined };

/** Adds or changes one. The direction of one in use stays. @throws refused B0912 for a name that is taken */
export async function saveCategoryOf(ctx: Ctx, { id, name, direction, disabled }: Input): Promise<{ id: string }> {
  const all = await categories(ctx);
  const before = id === undefined ? undefined : all.find((one) => one.id === id);
  if (id !== undefined && !before) throw notFound();
  const way = before?.direction ?? direction;
  if (all.some((one) => one.name === name && one.direction === way && one.id !== id)) {
    throw refused(`收支项【${name}】已存在`, 'B0912');
  }
  const values = { name, direction: way, disabled };
  const saved = before
    ? await ctx.db
        .updateTable('finance.category')
        .set(values)
        .where('company_id', '=', ctx.companyId)
        .where('id', '=', before.id)
        .returning('id')
        .executeTakeFirstOrThrow()
    : await ctx.db
        .insertInto('finance.category')
        .values({ company_id: ctx.companyId, ...values })
        .returning('id')
        .executeTakeFirstOrThrow();
  await audit(ctx, { action: '保存收支项', resource: 'finance.category', resourceId: saved.id, before, after: values });
  return saved;
}

/** @throws refused B0913 unless the category exists, is in use and goes that way */
export async function requireCategory(ctx: Ctx, id: string | undefined, direction: 'IN' | 'OUT'): Promise<void> {
  if (id === undefined) return;
  const found = (await categories(ctx)).find((one) => one.id === id);
  if (!found || found.disabled || found.direction !== direction)
    throw refused('收支项不存在、已停用或方向不符', 'B0913');
}
