import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound } from '#kit/server/errors.ts';
import { dropMessages } from '#modules/marketplace/server/index.ts';
import { type Terms, TermsKind } from '../../contract/terms.ts';
import { adjustTerms } from '../terms/adjust.ts';
import { adjust } from './adjust.ts';
import { callBack } from './call-back.ts';

interface Queued {
  id: string;
  feedId: string | null;
  messageId: number | null;
  writeId: string | null;
}

/** Calls back changes that have not left. @throws 409 where none of them can be */
export async function cancelChanges(ctx: Ctx, ids: readonly string[]): Promise<{ count: number }> {
  const { rows } = await sql<Queued>`
    SELECT id, feed_id AS "feedId", message_id AS "messageId", write_id AS "writeId" FROM listing.offer_change
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) AND status = 'queued'
     ORDER BY id FOR UPDATE`.execute(ctx.db);
  const messages = rows.flatMap(({ feedId, messageId }) => (feedId && messageId ? [{ feedId, messageId }] : []));
  const dropped = await dropMessages(ctx, messages);
  const gone: string[] = [];
  for (const { id, feedId, messageId, writeId } of rows) {
    const isGone = writeId ? await callBack(ctx, writeId) : dropped.includes(`${feedId} ${messageId}`);
    if (isGone) gone.push(id);
  }
  if (gone.length === 0) throw conflict('修改已经提交或已经结束，不能撤销');
  await ctx.db
    .updateTable('listing.offer_change')
    .set({ status: 'cancelled', problem: '提交前撤销' })
    .where('company_id', '=', ctx.companyId)
    .where('id', 'in', gone)
    .execute();
  await audit(ctx, { action: '撤销调价', resource: 'listing.offerChange', after: { ids: gone } });
  return { count: gone.length };
}

interface Past {
  listing_id: string;
  kind: string;
  old_value: string | null;
  old_terms: Terms | null;
  new_terms: Terms | null;
}

/** Wishes for what was before changes that took effect, as changes of their own. @throws 404; 409 where none did */
export async function revertChanges(
  ctx: Ctx,
  ids: readonly string[],
): Promise<{ changes: number; feeds: number; requests: number }> {
  const { rows } = await sql<Past>`
    SELECT listing_id, kind, old_value, old_terms, new_terms FROM listing.offer_change
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[])
       AND status IN ('confirmed', 'accepted', 'unconfirmed')
       AND (old_value IS NOT NULL OR kind NOT IN ('price', 'quantity'))
     ORDER BY id`.execute(ctx.db);
  if (rows.length === 0) throw notFound('没有可以恢复的修改');
  const wishes = new Map<string, { id: string; price?: string; quantity?: number }>();
  for (const { listing_id: id, kind, old_value } of rows) {
    if (kind !== 'price' && kind !== 'quantity') continue;
    const value = new Decimal(old_value ?? 0);
    const wish = wishes.get(id) ?? { id };
    wishes.set(id, kind === 'price' ? { ...wish, price: value.toFixed() } : { ...wish, quantity: value.toNumber() });
  }
  const reason = '恢复原价';
  const done = { changes: 0, feeds: 0, requests: 0 };
  if (wishes.size > 0) {
    const fed = await adjust(ctx, [...wishes.values()], { reason, confirmed: true, urgent: true });
    Object.assign(done, fed);
  }
  for (const kind of TermsKind.options) {
    const back = rows.filter((row) => row.kind === kind);
    if (back.length === 0) continue;
    const changes = back.map((row) => ({ id: row.listing_id, seen: row.new_terms, terms: row.old_terms }));
    const written = await adjustTerms(ctx, { kind, changes, reason });
    done.changes += written.changes;
    done.requests += written.requests;
  }
  return done;
}
