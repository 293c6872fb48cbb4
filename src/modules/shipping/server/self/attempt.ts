import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { AppError } from '#kit/server/errors.ts';

/** What came of it, or the refusal. */
export type Attempt<T> = { done: T } | { refused: AppError };

/**
 * Does work that may be refused with one code; then all that it wrote is undone, and the transaction goes on. Any other
 * error is thrown.
 */
export async function attempt<T>(ctx: Ctx, code: string, work: () => Promise<T>): Promise<Attempt<T>> {
  await sql`SAVEPOINT attempt`.execute(ctx.db);
  try {
    const done = await work();
    await sql`RELEASE SAVEPOINT attempt`.execute(ctx.db);
    return { done };
  } catch (error) {
    const told = error instanceof AppError ? (error.data as { code?: unknown } | null)?.code : undefined;
    if (!(error instanceof AppError) || told !== code) throw error;
    await sql`ROLLBACK TO SAVEPOINT attempt`.execute(ctx.db);
    return { refused: error };
  }
}
