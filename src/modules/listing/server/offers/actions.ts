import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { dropMessages } from '#modules/marketplace/server/index.ts';
import { adjust } from './adjust.ts';

/** Calls back changes whose feed has not been built. @throws 409 where none of them can be */
export async function cancelChanges(ctx: Ctx, ids: readonly string[]): Promise<{ count: number }> {
  const { rows } = await sql<{ id: string; feedId: string; messageId: number }>`
    SELECT id, feed_id AS "feedId", message_id AS "messageId" FROM listing.offer_change
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) AND status = 'queued'
     ORDER BY id FOR UPDATE`.execute(ctx.db);
  const dropped = await dropMessages(ctx, rows);
  if (dropped.length === 0) throw conflict('修改已经提交或已经结束，不能撤销');
  const gone = rows.filter(({ feedId, messageId }) => dropped.includes(`${feedId} ${messageId}`)).map(({ id }) => id);
  await ctx.db
    .updateTable('listing.offer_change')
    .set({ status: 'cancelled', problem: '提交前撤销' })
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', gone)
    .execute();
  await audit(ctx, { action: '撤销调价', resource: 'listing.offerChange', after: { ids: gone } });
  return { count: gone.length };
}

/** Wishes for what was before changes that took effect, as changes of their own. @throws 404; 409 where none did */
export async function revertChanges(ctx: Ctx, ids: readonly string[]): Promise<{ changes: number; feeds: number }> {
  const rows = await ctx.db
    .selectFrom('listing.offer_change')
    .select(['listing_id', 'kind', 'old_value'])
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', [...ids])
    .where('status', 'in', ['confirmed', 'accepted', 'unconfirmed'])
    .where('old_value', 'is not', null)
    .execute();
  if (rows.length === 0) throw notFound('没有可以恢复的修改');
  const wishes = new Map<string, { id: string; price?: string; quantity?: number }>();
  for (const { listing_id: id, kind, old_value } of rows) {
    const value = new Decimal(old_value ?? 0);
    const wish = wishes.get(id) ?? { id };
    wishes.set(id, kind === 'price' ? { ...wish, price: value.toFixed() } : { ...wish, quantity: value.toNumber() });
  }
  return adjust(ctx, [...wishes.values()], { reason: '恢复原价', confirmed: true, urgent: true });
}
