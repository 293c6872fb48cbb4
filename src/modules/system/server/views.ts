import { sql } from 'kysely';
import type { ViewContent } from '#kit/contract/list-view.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import type { View } from '../contract/views.ts';

const MAX_VIEWS = 50;
const RESOURCE = 'system.list_view';
const GONE = '视图不存在或已删除';

interface Row {
  id: string;
  name: string;
  query_name: string;
  content: unknown;
  member_id: string;
  member_name: string | null;
  is_shared: boolean;
  is_default: boolean;
  version: number;
}

/** Views that the caller may open: his own and those that are shared. */
function within(ctx: Ctx) {
  return ctx.db
    .selectFrom('system.list_view as v')
    .leftJoin('system.list_view_default as d', (join) =>
      join
        .onRef('d.company_id', '=', 'v.company_id')
        .onRef('d.view_id', '=', 'v.id')
        .on('d.member_id', '=', ctx.userId ?? ''),
    )
    .select(['v.id', 'v.name', 'v.query_name', 'v.content', 'v.member_id', 'v.member_name', 'v.is_shared', 'v.version'])
    .select(sql<boolean>`d.view_id IS NOT NULL`.as('is_default'))
    .where('v.company_id', '=', ctx.companyId)
    .where((eb) => eb.or([eb('v.member_id', '=', ctx.userId), eb('v.is_shared', '=', true)]));
}

function viewOf(ctx: Ctx, row: Row): View {
  const isMine = row.member_id === ctx.userId;
  return {
    id: row.id,
    name: row.name,
    queryname: row.query_name,
    content: row.content as ViewContent,
    isShared: row.is_shared,
    isMine,
    ownerName: isMine ? null : row.member_name,
    isDefault: row.is_default,
    version: row.version,
  };
}

async function rowById(ctx: Ctx, id: string): Promise<Row> {
  const row: Row | undefined = await within(ctx).where('v.id', '=', id).executeTakeFirst();
  if (!row) throw notFound(GONE);
  return row;
}

/** A view of the caller's own. @throws AppError 404, B0206 for one that a colleague shares */
async function ownById(ctx: Ctx, id: string): Promise<Row> {
  const row = await rowById(ctx, id);
  if (row.member_id === ctx.userId) return row;
  throw refused(`视图「${row.name}」由${row.member_name ?? '其他成员'}共享，只有创建人可以修改或删除`, 'B0206');
}

/** Own views of a list first, then those of colleagues, each by name. */
export async function viewsOf(ctx: Ctx, queryName: string): Promise<View[]> {
  const rows: Row[] = await within(ctx)
    .where('v.query_name', '=', queryName)
    .orderBy((eb) => eb('v.member_id', '=', ctx.userId), 'desc')
    .orderBy('v.name')
    .orderBy('v.id')
    .execute();
  return rows.map((row) => viewOf(ctx, row));
}

/** The views with which the caller's lists open. */
export async function defaultsOf(ctx: Ctx): Promise<View[]> {
  const rows: Row[] = await within(ctx).where('d.view_id', 'is not', null).orderBy('v.query_name').execute();
  return rows.map((row) => viewOf(ctx, row));
}

/** Two saves of one list at once must not both find room, or a name free. */
async function lock(ctx: Ctx, queryName: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${`${ctx.companyId}|${queryName}`}, 4))`.execute(ctx.db);
}

/** Refuses a name that another own view of the list has, and a shared view too many. */
async function requireFree(ctx: Ctx, queryName: string, name: string, isShared: boolean, self?: string) {
  const others = (await within(ctx).where('v.query_name', '=', queryName).execute()).filter(({ id }) => id !== self);
  const mine = others.filter(({ member_id }) => member_id === ctx.userId);
  if (mine.some((row) => row.name === name)) throw refused(`已有名为「${name}」的视图，请换一个名称`, 'B0204');
  if (mine.length >= MAX_VIEWS) throw refused(`每个列表最多保存${MAX_VIEWS}个视图`, 'B0205');
  if (isShared && others.filter((row) => row.is_shared).length >= MAX_VIEWS)
    throw refused(`每个列表最多共享${MAX_VIEWS}个视图`, 'B0205');
}

interface NewView {
  queryname: string;
  name: string;
  isShared: boolean;
  content: ViewContent;
}

/** Keeps filters and order of a list under a name and answers the view's id. @throws AppError B0204, B0205 */
export async function addView(ctx: Ctx, { queryname, name, isShared, content }: NewView): Promise<string> {
  if (ctx.userId === null) throw notFound();
  await lock(ctx, queryname);
  await requireFree(ctx, queryname, name, isShared);
  const { id } = await ctx.db
    .insertInto('system.list_view')
    .values({
      company_id: ctx.companyId,
      member_id: ctx.userId,
      member_name: ctx.userName,
      query_name: queryname,
      name,
      is_shared: isShared,
      content: JSON.stringify(content),
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, { action: '保存视图', resource: RESOURCE, resourceId: id, after: { name, isShared } });
  return id;
}

interface Change {
  version: number;
  name?: string | undefined;
  isShared?: boolean | undefined;
  content?: ViewContent | undefined;
}

/** Whoever opened his list with a view that is not shared any more finds the list as it is made. */
async function takeBack(ctx: Ctx, row: Row): Promise<void> {
  await ctx.db
    .deleteFrom('system.list_view_default')
    .where('company_id', '=', ctx.companyId)
    .where('view_id', '=', row.id)
    .where('member_id', '!=', row.member_id)
    .execute();
}

/** Changes an own view. @throws AppError 404; 409 where it was changed meanwhile; B0204, B0205, B0206 */
export async function changeView(ctx: Ctx, id: string, { version, content, ...change }: Change): Promise<void> {
  const row = await ownById(ctx, id);
  const { name = row.name, isShared = row.is_shared } = change;
  await lock(ctx, row.query_name);
  await requireFree(ctx, row.query_name, name, isShared && !row.is_shared, id);
  const done = await ctx.db
    .updateTable('system.list_view')
    .set({
      name,
      is_shared: isShared,
      member_name: ctx.userName,
      version: sql<number>`version + 1`,
      updated_at: sql<string>`kit.now()`,
      ...(content ? { content: JSON.stringify(content) } : {}),
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('version', '=', version)
    .returning('id')
    .executeTakeFirst();
  if (!done) throw conflict();
  if (row.is_shared && !isShared) await takeBack(ctx, row);
  await audit(ctx, {
    action: '修改视图',
    resource: RESOURCE,
    resourceId: id,
    before: { name: row.name, isShared: row.is_shared },
    after: { name, isShared },
  });
}

/** Deletes an own view. @throws AppError 404, B0206 */
export async function removeView(ctx: Ctx, id: string): Promise<void> {
  const row = await ownById(ctx, id);
  await ctx.db.deleteFrom('system.list_view').where('company_id', '=', ctx.companyId).where('id', '=', id).execute();
  await audit(ctx, {
    action: '删除视图',
    resource: RESOURCE,
    resourceId: id,
    before: { name: row.name, isShared: row.is_shared },
  });
}

/** The caller's list opens with a view from now on; null: as it is made. @throws AppError 404, also for a view of another list */
export async function setDefault(ctx: Ctx, queryName: string, id: string | null): Promise<void> {
  if (ctx.userId === null) throw notFound();
  if (id === null) {
    await ctx.db
      .deleteFrom('system.list_view_default')
      .where('company_id', '=', ctx.companyId)
      .where('member_id', '=', ctx.userId)
      .where('query_name', '=', queryName)
      .execute();
    return;
  }
  if ((await rowById(ctx, id)).query_name !== queryName) throw notFound(GONE);
  await ctx.db
    .insertInto('system.list_view_default')
    .values({ company_id: ctx.companyId, member_id: ctx.userId, query_name: queryName, view_id: id })
    .onConflict((on) => on.columns(['company_id', 'member_id', 'query_name']).doUpdateSet({ view_id: id }))
    .execute();
}
