import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import { type Ctx, can } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { QueryFieldItem, QueryFieldVersion } from '../contract.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MAX_VERSIONS = 30;
const MAX_SHARED = 30;
const DEFAULT_NAME = '我的方案';
const RESOURCE = 'system.query_version';
/** Who administers what others see also keeps what they share. */
const ADMIN = 'sys:role:edit';

interface Row {
  id: string;
  name: string;
  query_name: string;
  items: unknown;
  member_id: string;
  member_name: string | null;
  is_shared: boolean;
  is_used: boolean;
}

/** Versions that the caller may use: his own and those that are shared. */
function within(ctx: Ctx) {
  return ctx.db
    .selectFrom('system.query_version as v')
    .leftJoin('system.query_use as u', (join) =>
      join
        .onRef('u.company_id', '=', 'v.company_id')
        .onRef('u.version_id', '=', 'v.id')
        .on('u.member_id', '=', ctx.userId ?? ''),
    )
    .select(['v.id', 'v.name', 'v.query_name', 'v.items', 'v.member_id', 'v.member_name', 'v.is_shared'])
    .select((eb) => eb('u.version_id', 'is not', null).as('is_used'))
    .where('v.company_id', '=', ctx.companyId)
    .where((eb) => eb.or([eb('v.member_id', '=', ctx.userId), eb('v.is_shared', '=', true)]));
}

const isMine = (ctx: Ctx, row: Row): boolean => row.member_id === ctx.userId;
const isEditable = (ctx: Ctx, row: Row): boolean => isMine(ctx, row) || can(ctx, ADMIN);

function versionOf(ctx: Ctx, row: Row): QueryFieldVersion {
  return {
    id: row.id,
    name: row.name,
    queryname: row.query_name,
    isUsed: row.is_used,
    items: row.items as QueryFieldItem[],
    isShared: row.is_shared,
    isMine: isMine(ctx, row),
    ownerName: isMine(ctx, row) ? null : row.member_name,
    isEditable: isEditable(ctx, row),
  };
}

async function rowById(ctx: Ctx, id: string): Promise<Row> {
  const row = (await within(ctx).where('v.id', '=', id).executeTakeFirst()) as Row | undefined;
  if (!row) throw notFound('列方案不存在或已删除');
  return row;
}

/** A version that the caller may change. @throws AppError 404, B0202 for one that a colleague shares */
async function editable(ctx: Ctx, id: string): Promise<Row> {
  const row = await rowById(ctx, id);
  if (isEditable(ctx, row)) return row;
  const owner = row.member_name ?? '其他成员';
  throw refused(`列方案「${row.name}」由${owner}共享，只有创建人或管理员可以修改，请另存为自己的方案`, 'B0202');
}

async function putToUse(ctx: Ctx, queryName: string, id: string): Promise<void> {
  await ctx.db
    .insertInto('system.query_use')
    .values({ company_id: ctx.companyId, member_id: ctx.userId ?? '', query_name: queryName, version_id: id })
    .onConflict((on) => on.columns(['company_id', 'member_id', 'query_name']).doUpdateSet({ version_id: id }))
    .execute();
}

/** Own and shared versions of a list, by name. */
export async function versionsOf(ctx: Ctx, queryName: string): Promise<QueryFieldVersion[]> {
  const rows = (await within(ctx)
    .where('v.query_name', '=', queryName)
    .orderBy('v.name')
    .orderBy('v.id')
    .execute()) as Row[];
  return rows.map((row) => versionOf(ctx, row));
}

/** The version that the caller uses for a list; null: the list's own columns. */
export async function usedOf(ctx: Ctx, queryName: string): Promise<QueryFieldVersion | null> {
  return (await versionsOf(ctx, queryName)).find((version) => version.isUsed) ?? null;
}

/** @throws AppError 404 */
export async function byId(ctx: Ctx, id: string): Promise<QueryFieldVersion> {
  return versionOf(ctx, await rowById(ctx, id));
}

/** Writes the items of an own version of this name, making it if need be, and puts it to use. Answers its id. */
export async function put(ctx: Ctx, queryName: string, name: string, items: QueryFieldItem[]): Promise<string> {
  if (ctx.userId === null) throw notFound();
  // Two saves at once must not both find room for one more.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${ctx.userId}|${queryName}`}, 2))`.execute(ctx.db);
  const { others } = await ctx.db
    .selectFrom('system.query_version')
    .select((eb) => eb.fn.countAll<number>().as('others'))
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', ctx.userId)
    .where('query_name', '=', queryName)
    .where('name', '!=', name)
    .executeTakeFirstOrThrow();
  if (others >= MAX_VERSIONS) throw refused(`每个列表最多保存${MAX_VERSIONS}个方案`, 'B0201');
  const row = await ctx.db
    .insertInto('system.query_version')
    .values({
      company_id: ctx.companyId,
      member_id: ctx.userId,
      query_name: queryName,
      name,
      items: JSON.stringify(items),
    })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'member_id', 'query_name', 'name'])
        .doUpdateSet({ items: JSON.stringify(items), updated_at: sql<string>`kit.now()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await putToUse(ctx, queryName, row.id);
  return row.id;
}

async function rewrite(ctx: Ctx, row: Row, items: QueryFieldItem[]): Promise<string> {
  await ctx.db
    .updateTable('system.query_version')
    .set({ items: JSON.stringify(items), updated_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', row.id)
    .execute();
  await putToUse(ctx, row.query_name, row.id);
  return row.id;
}

/**
 * Writes a version by its id, or by the name of a list: then the own one in use, or a first own one. Who uses a
 * colleague's gets one of his own that way.
 * @throws AppError 404, B0202 for one that a colleague shares
 */
export async function save(ctx: Ctx, key: string, items: QueryFieldItem[]): Promise<string> {
  if (UUID.test(key)) return rewrite(ctx, await editable(ctx, key), items);
  const used = await usedOf(ctx, key);
  return put(ctx, key, used?.isMine ? used.name : DEFAULT_NAME, items);
}

/** @throws AppError 404, also for a version of another list */
export async function choose(ctx: Ctx, queryName: string, id: string | null): Promise<void> {
  if (id !== null) {
    const row = await rowById(ctx, id);
    if (row.query_name !== queryName) throw notFound('列方案不存在或已删除');
    return putToUse(ctx, queryName, id);
  }
  await ctx.db
    .deleteFrom('system.query_use')
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', ctx.userId)
    .where('query_name', '=', queryName)
    .execute();
}

/** Whoever used it has the list's own columns afterwards. @throws AppError 404, B0202 for one that a colleague shares */
export async function remove(ctx: Ctx, id: string): Promise<void> {
  const row = await editable(ctx, id);
  await ctx.db
    .deleteFrom('system.query_version')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  if (!row.is_shared) return;
  await audit(ctx, { action: '删除共享列方案', resource: RESOURCE, resourceId: id, before: { name: row.name } });
}

/** @throws AppError 404, B0202 for one that a colleague shares, B0203 where thirty are shared already */
export async function share(ctx: Ctx, id: string, shared: boolean): Promise<void> {
  const row = await editable(ctx, id);
  if (row.is_shared === shared) return;
  // Two who share at once must not both find room for one more.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${ctx.companyId}|${row.query_name}`}, 2))`.execute(ctx.db);
  const { others } = await ctx.db
    .selectFrom('system.query_version')
    .select((eb) => eb.fn.countAll<number>().as('others'))
    .where('company_id', '=', ctx.companyId)
    .where('query_name', '=', row.query_name)
    .where('is_shared', '=', true)
    .executeTakeFirstOrThrow();
  if (shared && others >= MAX_SHARED) throw refused(`每个列表最多共享${MAX_SHARED}个方案`, 'B0203');
  await ctx.db
    .updateTable('system.query_version')
    .set({ is_shared: shared, ...(shared ? { member_name: ctx.userName } : {}) })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .execute();
  if (!shared) {
    await ctx.db
      .deleteFrom('system.query_use')
      .where('company_id', '=', ctx.companyId)
      .where('version_id', '=', id)
      .where('member_id', '!=', row.member_id)
      .execute();
  }
  const action = shared ? '共享列方案' : '取消共享列方案';
  await audit(ctx, { action, resource: RESOURCE, resourceId: id, after: { name: row.name } });
}
