import { createHash } from 'node:crypto';
import type { Ctx } from './context.ts';
import { AppError } from './errors.ts';

export interface IdempotentCall {
  key: string;
  endpoint: string;
  body: unknown;
}

/**
 * Runs a mutating call once per key. The key's row is written first and belongs to the same transaction: a repeated
 * call waits for the first, then gets its answer; a first call that fails leaves no trace, so it can be tried again.
 * The same key with another body is refused with 409.
 */
export async function once<T>(ctx: Ctx, call: IdempotentCall | undefined, run: () => Promise<T>): Promise<T> {
  if (!call || ctx.userId === null) return run();
  const bodyHash = createHash('sha256')
    .update(JSON.stringify(call.body ?? null))
    .digest('hex');
  const taken = await ctx.db
    .insertInto('kit.idempotency')
    .values({
      company_id: ctx.companyId,
      user_id: ctx.userId,
      key: call.key,
      endpoint: call.endpoint,
      body_hash: bodyHash,
    })
    .onConflict((conflict) => conflict.doNothing())
    .returning('key')
    .executeTakeFirst();
  if (!taken) {
    const first = await ctx.db
      .selectFrom('kit.idempotency')
      .select(['body_hash', 'endpoint', 'answer'])
      .where('company_id', '=', ctx.companyId)
      .where('user_id', '=', ctx.userId)
      .where('key', '=', call.key)
      .executeTakeFirst();
    if (!first || first.body_hash !== bodyHash || first.endpoint !== call.endpoint) {
      throw new AppError(409, 409, '请求重复且内容不一致');
    }
    ctx.audited = true;
    return first.answer as T;
  }
  const answer = await run();
  await ctx.db
    .updateTable('kit.idempotency')
    .set({ answer: JSON.stringify(answer ?? null) })
    .where('company_id', '=', ctx.companyId)
    .where('user_id', '=', ctx.userId)
    .where('key', '=', call.key)
    .execute();
  return answer;
}
