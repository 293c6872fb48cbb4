import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { type AnyRoute, serve } from '#kit/server/http/serve.ts';
import { addFavourite, listFavourites, removeFavourite } from '../contract/favourites.ts';

/** The drawer shows them one below the other. */
const LIMIT = 60;

async function mine(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('system.favourite')
    .select('path')
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', ctx.userId)
    .orderBy('created_at')
    .orderBy('path')
    .execute();
  return rows.map((row) => row.path);
}

async function add(ctx: Ctx, path: string): Promise<string[]> {
  if (ctx.userId === null) throw notFound();
  // Two at once must not pass the limit together.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${ctx.userId}, 3))`.execute(ctx.db);
  const known = await mine(ctx);
  if (known.includes(path)) return known;
  if (known.length >= LIMIT) throw refused(`最多收藏${LIMIT}个页面`, 'B0721');
  await ctx.db
    .insertInto('system.favourite')
    .values({ company_id: ctx.companyId, member_id: ctx.userId, path })
    .execute();
  return [...known, path];
}

async function remove(ctx: Ctx, path: string): Promise<string[]> {
  await ctx.db
    .deleteFrom('system.favourite')
    .where('company_id', '=', ctx.companyId)
    .where('member_id', '=', ctx.userId)
    .where('path', '=', path)
    .execute();
  return mine(ctx);
}

export const favouriteRoutes: AnyRoute[] = [
  serve(listFavourites, (ctx) => mine(ctx)),
  serve(addFavourite, (ctx, { body }) => add(ctx, body.path)),
  serve(removeFavourite, (ctx, { query }) => remove(ctx, query.path)),
];
