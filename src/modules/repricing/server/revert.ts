import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { revertChanges } from '#modules/listing/server/index.ts';
import { pause } from './halt.ts';

/**
 * Wishes for the prices before some decisions, through the price queue, and pauses their listings: else the rule would decide
 * the same once more. Of one listing the oldest of the decisions counts. @throws 404 where none of them took effect
 */
export async function revertRuns(ctx: Ctx, ids: readonly string[]): Promise<{ changes: number }> {
  const { rows } = await sql<{ change_id: string; binding_id: string; sku: string }>`
    SELECT DISTINCT ON (listing_id) change_id, binding_id, seller_sku AS sku FROM repricing.run
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) AND outcome = 'sent' AND change_id IS NOT NULL
     ORDER BY listing_id, at, id`.execute(ctx.db);
  if (rows.length === 0) throw notFound('没有可以恢复的调价');
  const { changes } = await revertChanges(
    ctx,
    rows.map((row) => row.change_id),
  );
  await pause(
    ctx,
    rows.map((row) => row.binding_id),
    { code: 'undo', words: `${ctx.userName} 恢复了原价` },
  );
  const skus = rows.map((row) => row.sku);
  await audit(ctx, { action: '恢复智能调价前的价格', resource: 'repricing.rule', after: { skus } });
  return { changes };
}
