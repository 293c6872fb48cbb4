import type { Ctx } from './context.ts';
import type { OpenCtx } from './http/serve.ts';
import { inTenant } from './runtime.ts';

/** Ends a transaction without keeping anything of it. */
class NotKept<T> extends Error {
  readonly found: T;
  constructor(found: T) {
    super('not kept');
    this.found = found;
  }
}

/**
 * Does work in a transaction of its own that is kept only where `keep` says so of what the work answered: a trial of an import
 * does what writing would do, and so finds what writing would refuse.
 * @returns what the work answered, and whether it was kept
 */
export async function inTrial<T>(
  open: OpenCtx,
  work: (ctx: Ctx) => Promise<T>,
  keep: (found: T) => boolean,
): Promise<{ found: T; kept: boolean }> {
  const log = { requestId: open.requestId, ip: open.ip };
  const run = inTenant(
    open.runtime,
    open.principal,
    async (ctx) => {
      const found = await work(ctx);
      if (!keep(found)) throw new NotKept(found);
      return { found, kept: true };
    },
    log,
  );
  return run.catch((error: unknown) => {
    if (error instanceof NotKept) return { found: error.found as T, kept: false };
    throw error;
  });
}
