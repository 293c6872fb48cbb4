import type { Ctx, Principal } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { inTenant } from '#kit/server/runtime.ts';
import { companiesTakenIn } from '#modules/identity/server/index.ts';

/** Reads the log of a company that the caller's has taken in: it stayed there, under its seals. 404 for any other. */
async function inLogOf<T>(ctx: Ctx, companyId: string, read: (there: Ctx) => Promise<T>): Promise<T> {
  const taken = await companiesTakenIn(ctx);
  if (!taken.some(({ id }) => id === companyId)) throw notFound();
  const { userName, permissions } = ctx;
  const reader: Principal = { sessionId: null, companyId, userId: null, userName, permissions };
  return inTenant(ctx.runtime, reader, read, { readOnly: true });
}

/** Reads the caller's own log, or that of a company that his has taken in. */
export function inLog<T>(ctx: Ctx, companyId: string | undefined, read: (there: Ctx) => Promise<T>): Promise<T> {
  return companyId === undefined || companyId === ctx.companyId ? read(ctx) : inLogOf(ctx, companyId, read);
}

/** The same for something that stands in one of these logs, whichever it is: the own one first. 404 where in none. */
export async function inAnyLog<T>(ctx: Ctx, find: (there: Ctx) => Promise<T | undefined>): Promise<T> {
  const own = await find(ctx);
  if (own !== undefined) return own;
  for (const { id } of await companiesTakenIn(ctx)) {
    const found = await inLogOf(ctx, id, find);
    if (found !== undefined) return found;
  }
  throw notFound();
}

/** An export is a row of the log that it is taken from, and a closed one takes no more rows. */
export function refuseClosed(companyId: string | undefined, own: string): void {
  if (companyId !== undefined && companyId !== own)
    throw refused('已迁入公司的操作日志仅支持查看，不支持导出', 'B0219');
}
