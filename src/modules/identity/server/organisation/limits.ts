import type { Ctx } from '#kit/server/context.ts';
import { AppError } from '#kit/server/errors.ts';
import { type Granted, granted, type MemberRights, rightsOf, unlimited } from '../data-scope.ts';

/** What the caller himself may do and reach; work of the system itself is not limited. */
export function rightsOfCaller(ctx: Ctx): Promise<MemberRights> {
  if (ctx.permissions === undefined || ctx.userId === null) return Promise.resolve(unlimited(ctx.runtime.codes));
  return rightsOf(ctx, ctx.userId);
}

export const NO_RIGHTS: MemberRights = { roles: [], own: [], dimensions: [] };

function holds(rights: MemberRights, code: string): boolean {
  return rights.roles.some((role) => role.codes.has(code));
}

function within(inner: Granted, outer: Granted): boolean {
  if (outer === null) return true;
  return inner !== null && [...inner].every((id) => outer.has(id));
}

/** A right that somebody is about to give although he lacks it: a code, or ids of a dimension under a code. */
export interface Excess {
  code: string;
  dimension?: string;
}

/**
 * The first right of `after` that is neither in `before` nor one of `mine`: nobody grants what he lacks himself. Code
 * by code and dimension by dimension, because the same store may be reached with one code and not with another.
 */
export function beyond(mine: MemberRights, before: MemberRights, after: MemberRights): Excess | undefined {
  const codes = new Set(after.roles.flatMap((role) => [...role.codes]));
  for (const code of codes) {
    const had = holds(before, code);
    const have = holds(mine, code);
    if (!had && !have) return { code };
    for (const dimension of after.dimensions) {
      const reach = granted(after, dimension, code);
      if (had && within(reach, granted(before, dimension, code))) continue;
      if (!have || !within(reach, granted(mine, dimension, code))) return { code, dimension };
    }
  }
  return undefined;
}

/** @throws AppError 403 A0303 naming the permission, where the caller would give more than he has */
export function refuseBeyond(ctx: Ctx, mine: MemberRights, before: MemberRights, after: MemberRights): void {
  const excess = beyond(mine, before, after);
  if (!excess) return;
  const titles = Object.assign({}, ...ctx.runtime.modules.map((module) => module.permissions ?? {}));
  const title = (titles as Record<string, string>)[excess.code] ?? excess.code;
  const message = excess.dimension ? `不能授予超出本人范围的数据权限：${title}` : `不能授予本人没有的权限：${title}`;
  throw new AppError(403, 403, message, { code: 'A0303', perm: excess.code, dimension: excess.dimension ?? null });
}
