import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { TagGroup } from '../../contract/tags.ts';
import { changed } from '../changes.ts';
import { tagRows } from './tags.ts';

const RESOURCE = 'system.tag_group';

function groups(ctx: Ctx) {
  return ctx.db
    .selectFrom('system.tag_group')
    .select(['id', 'name', 'description', 'sort', 'status', 'version'])
    .where('company_id', '=', ctx.companyId);
}

/** The groups in their order, each with its tags. */
export async function groupRows(ctx: Ctx): Promise<TagGroup[]> {
  const rows = await groups(ctx).orderBy('sort').orderBy('name').execute();
  const tags = await tagRows(ctx);
  return rows.map((row) => ({
    ...row,
    status: row.status as TagGroup['status'],
    tags: tags.filter((tag) => tag.groupId === row.id),
  }));
}

interface GroupInput {
  name: string;
  description: string;
  sort: number;
  status: string;
}

async function requireFreeName(ctx: Ctx, name: string, except?: string): Promise<void> {
  let query = groups(ctx).where('name', '=', name);
  if (except) query = query.where('id', '!=', except);
  if (await query.executeTakeFirst()) throw refused(`标签组「${name}」已存在`, 'B0424');
}

export async function insertGroup(ctx: Ctx, input: GroupInput): Promise<string> {
  await requireFreeName(ctx, input.name);
  const row = await ctx.db
    .insertInto('system.tag_group')
    .values({ company_id: ctx.companyId, ...input })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: '新增标签组', resource: RESOURCE, resourceId: row.id, after: input });
  return row.id;
}

async function groupById(ctx: Ctx, id: string) {
  const row = await groups(ctx).where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

export async function updateGroup(
  ctx: Ctx,
  id: string,
  { version, ...input }: GroupInput & { version?: number | undefined },
): Promise<void> {
  const before = await groupById(ctx, id);
  if (version !== undefined && version !== before.version) throw conflict();
  await requireFreeName(ctx, input.name, id);
  await ctx.db
    .updateTable('system.tag_group')
    .set({ ...input, version: sql<number>`version + 1` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, { action: '修改标签组', resource: RESOURCE, resourceId: id, ...changed(before, input) });
}

/** @throws AppError B0425 while the group has tags */
export async function deleteGroup(ctx: Ctx, id: string): Promise<void> {
  const { name } = await groupById(ctx, id);
  const { n } = await ctx.db
    .selectFrom('system.tag')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('company_id', '=', ctx.companyId)
    .where('group_id', '=', id)
    .executeTakeFirstOrThrow();
  if (n > 0) throw refused(`标签组「${name}」中还有${n}个标签，请先删除`, 'B0425');
  await ctx.db.deleteFrom('system.tag_group').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
  await audit(ctx, { action: '删除标签组', resource: RESOURCE, resourceId: id, before: { name } });
}
