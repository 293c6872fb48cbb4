import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import type { QueryFieldItem, QueryFieldVersion } from '../contract.ts';
import {
  deleteVersion,
  loadFields,
  myVersions,
  saveVersion,
  saveVersionWithName,
  usedVersion,
  versionById,
} from '../contract.ts';
import { catalogueOf } from './catalogue.ts';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;
const MAX_VERSIONS = 30;
const DEFAULT_NAME = '我的方案';

function mine(ctx: Ctx) {
  return ctx.db
    .selectFrom('system.query_version')
    .select(['id', 'name', 'query_name', 'is_used', 'items'])
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', ctx.userId);
}

function versionOf(row: {
  id: string;
  name: string;
  query_name: string;
  is_used: boolean;
  items: unknown;
}): QueryFieldVersion {
  return {
    id: row.id,
    name: row.name,
    queryname: row.query_name,
    isUsed: row.is_used,
    items: row.items as QueryFieldItem[],
  };
}

async function putToUse(ctx: Ctx, queryName: string, id: string): Promise<void> {
  const rows = ctx.db
    .updateTable('system.query_version')
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', ctx.userId)
    .where('query_name', '=', queryName);
  await rows.set({ is_used: false }).where('is_used', '=', true).where('id', '!=', id).execute();
  await rows.set({ is_used: true }).where('id', '=', id).execute();
}

/** Writes the items of a version of this name, making it if need be, and puts it to use. */
async function put(ctx: Ctx, queryName: string, name: string, items: QueryFieldItem[]): Promise<string> {
  if (ctx.userId === null) throw notFound();
  // Two saves at once must not both put theirs to use.
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
        .doUpdateSet({ items: JSON.stringify(items), updated_at: sql<string>`now()` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  await putToUse(ctx, queryName, row.id);
  return row.id;
}

async function byId(ctx: Ctx, id: string): Promise<QueryFieldVersion> {
  const row = await mine(ctx).where('id', '=', id).executeTakeFirst();
  if (!row) throw notFound('列方案不存在或已删除');
  return versionOf(row);
}

async function save(ctx: Ctx, key: string, items: QueryFieldItem[]): Promise<string> {
  if (UUID.test(key)) {
    const version = await byId(ctx, key);
    return put(ctx, version.queryname, version.name, items);
  }
  const used = await mine(ctx).where('query_name', '=', key).where('is_used', '=', true).executeTakeFirst();
  return put(ctx, key, used?.name ?? DEFAULT_NAME, items);
}

export const queryFieldRoutes: AnyRoute[] = [
  serve(myVersions, async (ctx, { query }) =>
    (await mine(ctx).where('query_name', '=', query.queryname).orderBy('name').execute()).map(versionOf),
  ),
  serve(usedVersion, async (ctx, { query }) => {
    const row = await mine(ctx)
      .where('query_name', '=', query.queryname)
      .where('is_used', '=', true)
      .executeTakeFirst();
    return row ? versionOf(row) : null;
  }),
  serve(versionById, (ctx, { query }) => byId(ctx, query.id)),
  serve(loadFields, async (ctx, { query }) => catalogueOf(ctx, query.queryname)),
  serve(deleteVersion, async (ctx, { query }) => {
    const gone = await ctx.db
      .deleteFrom('system.query_version')
      .where('company_id', '=', ctx.companyId)
      .where('member_id', '=', ctx.userId)
      .where('id', '=', query.versionid)
      .returning('id')
      .executeTakeFirst();
    if (!gone) throw notFound('列方案不存在或已删除');
    return 'success' as const;
  }),
  serve(saveVersionWithName, (ctx, { body }) => put(ctx, body.queryname, body.versionname, body.fieldlist)),
  serve(saveVersion, (ctx, { params, body }) => save(ctx, params.id, body)),
];
