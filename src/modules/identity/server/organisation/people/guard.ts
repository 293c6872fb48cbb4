import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { rightsOf } from '../../data-scope.ts';
import { NO_RIGHTS, refuseBeyond, rightsOfCaller } from '../limits.ts';

export interface Target {
  id: string;
  name: string;
  account: string;
  user_type: string;
  is_disabled: boolean;
  version: number;
}

/** A person of the caller's company, locked against other changes. @throws AppError 404 */
export async function targetOf(ctx: Ctx, id: string): Promise<Target> {
  const row = await ctx.db
    .selectFrom('identity.member')
    .select(['id', 'name', 'account', 'user_type', 'is_disabled', 'version'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  if (!row) throw notFound();
  return row;
}

async function callerIsOwner(ctx: Ctx): Promise<boolean> {
  if (ctx.permissions === undefined) return true;
  const row = await ctx.db
    .selectFrom('identity.member')
    .select('user_type')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', ctx.userId)
    .executeTakeFirst();
  return row?.user_type === 'owner';
}

/** Owners are changed by owners only. */
export async function requireMayChange(ctx: Ctx, target: Target): Promise<void> {
  if (target.user_type === 'owner' && !(await callerIsOwner(ctx))) throw refused('不能修改主账号', 'B0162');
}

/**
 * Whoever can log in as somebody can do what that person can: passwords and accounts are changed by people who may as
 * much themselves. @throws AppError 403 A0303
 */
export async function requireNoMorePower(ctx: Ctx, target: Target): Promise<void> {
  await requireMayChange(ctx, target);
  const theirs = await rightsOf(ctx, target.id);
  refuseBeyond(ctx, await rightsOfCaller(ctx), NO_RIGHTS, theirs);
}

/** Refuses to leave the company without an owner who can log in. */
export async function requireAnotherOwner(ctx: Ctx, leaving: readonly string[]): Promise<void> {
  const rows = await ctx.db
    .selectFrom('identity.member')
    .select(['id', 'is_disabled'])
    .where('company_id', '=', ctx.companyId)
    .where('user_type', '=', 'owner')
    .where('deleted_at', 'is', null)
    // Two owners who remove each other at once must not both find the other.
    .forUpdate()
    .execute();
  if (!rows.some((row) => leaving.includes(row.id))) return;
  if (!rows.some((row) => !row.is_disabled && !leaving.includes(row.id))) throw refused('至少保留一个管理员', 'B0163');
}
