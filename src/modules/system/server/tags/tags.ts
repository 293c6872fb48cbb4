import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { TagColor, TagRow } from '../../contract/tags.ts';
import { changed } from '../changes.ts';
import { moveUses, usesOf } from './users.ts';

const RESOURCE = 'system.tag';

type DbTag = Omit<TagRow, 'color' | 'status' | 'uses'> & { color: string; status: string };

function tags(ctx: Ctx) {
  return ctx.db
    .selectFrom('system.tag')
    .select(['id', 'group_id as groupId', 'name', 'color', 'status', 'sort', 'version'])
    .where('company_id', '=', ctx.companyId);
}

/** Every tag of the company with its uses. */
export async function tagRows(ctx: Ctx): Promise<TagRow[]> {
  const rows: DbTag[] = await tags(ctx).orderBy('sort').orderBy('name').execute();
  const uses = await usesOf(
    ctx,
    rows.map((row) => row.id),
  );
  return rows.map((row) => ({
    ...row,
    color: row.color as TagColor,
    status: row.status as TagRow['status'],
    uses: uses.get(row.id) ?? 0,
  }));
}

export interface TagName {
  id: string;
  name: string;
  color: TagColor;
  group: string;
}

/** Tags that may be given to something, in the order of their groups. */
export async function tagsInUse(ctx: Ctx): Promise<TagName[]> {
  const { rows } = await sql<TagName>`
    SELECT t.id, t.name, t.color, g.name AS "group" FROM system.tag t
      JOIN system.tag_group g ON g.company_id = t.company_id AND g.id = t.group_id
     WHERE t.company_id = ${ctx.companyId} AND t.status = 'active' AND g.status = 'active'
     ORDER BY g.sort, g.name, t.sort, t.name`.execute(ctx.db);
  return rows;
}

/** Names and colours of tags by id, out of use or not; ids of other companies are left out. */
export async function tagsOf(ctx: Ctx, ids: readonly string[]): Promise<Map<string, TagName>> {
  if (ids.length === 0) return new Map();
  const { rows } = await sql<TagName>`
    SELECT t.id, t.name, t.color, g.name AS "group" FROM system.tag t
      JOIN system.tag_group g ON g.company_id = t.company_id AND g.id = t.group_id
     WHERE t.company_id = ${ctx.companyId} AND t.id = ANY (${[...new Set(ids)]}::uuid[])`.execute(ctx.db);
  return new Map(rows.map((row) => [row.id, row]));
}

async function tagById(ctx: Ctx, id: string): Promise<DbTag> {
  // Merging and deleting the same tag at once: the second waits and finds it gone.
  const row = await tags(ctx).where('id', '=', id).forUpdate().executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

interface TagInput {
  name: string;
  color: string;
  sort: number;
  status: string;
}

async function requireFreeName(ctx: Ctx, groupId: string, name: string, except?: string): Promise<void> {
  let query = tags(ctx).where('group_id', '=', groupId).where('name', '=', name);
  if (except) query = query.where('id', '!=', except);
  if (await query.executeTakeFirst()) throw refused(`该标签组中已有标签「${name}」`, 'B0421');
}

/** @throws AppError 404 for an unknown group, B0421 for a name that the group has */
export async function insertTag(ctx: Ctx, { groupId, ...input }: TagInput & { groupId: string }): Promise<string> {
  const group = await ctx.db
    .selectFrom('system.tag_group')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', groupId)
    .executeTakeFirst();
  if (!group) throw notFound('标签组不存在或已删除');
  await requireFreeName(ctx, groupId, input.name);
  const row = await ctx.db
    .insertInto('system.tag')
    .values({ company_id: ctx.companyId, group_id: groupId, ...input })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: '新增标签', resource: RESOURCE, resourceId: row.id, after: input });
  return row.id;
}

export async function updateTag(
  ctx: Ctx,
  id: string,
  { version, ...input }: TagInput & { version?: number | undefined },
): Promise<void> {
  const before = await tagById(ctx, id);
  if (version !== undefined && version !== before.version) throw conflict();
  await requireFreeName(ctx, before.groupId, input.name, id);
  await ctx.db
    .updateTable('system.tag')
    .set({ ...input, version: sql<number>`version + 1` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  await audit(ctx, { action: '修改标签', resource: RESOURCE, resourceId: id, ...changed(before, input) });
}

async function drop(ctx: Ctx, id: string): Promise<void> {
  await ctx.db.deleteFrom('system.tag').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
}

/** @throws AppError B0422 while something carries the tag */
export async function deleteTag(ctx: Ctx, id: string): Promise<void> {
  const { name } = await tagById(ctx, id);
  const uses = (await usesOf(ctx, [id])).get(id) ?? 0;
  if (uses > 0) throw refused(`标签「${name}」正被${uses}条记录使用，请先合并到其他标签或停用`, 'B0422');
  await drop(ctx, id);
  await audit(ctx, { action: '删除标签', resource: RESOURCE, resourceId: id, before: { name } });
}

/** Moves every use of a tag to another one, in one transaction, and deletes it; answers how many were moved. */
export async function merge(ctx: Ctx, from: string, to: string): Promise<number> {
  if (from === to) throw refused('不能合并到标签自身', 'B0423');
  // In one order for everybody, so that two merges in opposite directions do not wait for each other.
  const found = new Map<string, DbTag>();
  for (const id of [from, to].sort()) found.set(id, await tagById(ctx, id));
  const moved = await moveUses(ctx, from, to);
  await drop(ctx, from);
  const before = { from: found.get(from)?.name };
  const after = { to: found.get(to)?.name, moved };
  await audit(ctx, { action: '合并标签', resource: RESOURCE, resourceId: from, before, after });
  return moved;
}
