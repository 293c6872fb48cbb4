import { sql } from 'kysely';
import { Decimal } from '#kit/contract/decimal.ts';
import type { Ctx } from '#kit/server/context.ts';
import type { LockedOffer } from '#modules/listing/server/index.ts';
import type { Bound } from './gather.ts';

/** Why a listing stands still. */
export interface Halt {
  code: 'person' | 'undo' | 'busy' | 'unconfirmed' | 'range' | 'cost' | 'stale' | 'gone';
  words: string;
}

/** These go away by themselves once their cause has: costs are entered, offers are read. */
export const HEALING: readonly string[] = ['cost', 'stale'];
const MOST_UNCONFIRMED = 3;

/** Stops bindings; those that stand still already keep their reason. Returns how many it stopped. */
export async function pause(ctx: Ctx, ids: readonly string[], { code, words }: Halt): Promise<number> {
  const { rows } = await sql`
    UPDATE repricing.binding SET pause_code = ${code}, pause_words = ${words}, paused_at = kit.now()
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[])
       AND (pause_code IS NULL OR pause_code = ANY (${[...HEALING]}::text[])) RETURNING id`.execute(ctx.db);
  return rows.length;
}

/** Lets bindings go on; `afresh`: what they did before counts no more. Returns how many stood still. */
export async function resume(ctx: Ctx, ids: readonly string[], afresh = false): Promise<number> {
  const { rows } = await sql`
    UPDATE repricing.binding
       SET pause_code = NULL, pause_words = '', paused_at = NULL,
           counts_from = CASE WHEN ${afresh} THEN kit.now() ELSE counts_from END
     WHERE company_id = ${ctx.companyId} AND id = ANY (${[...ids]}::uuid[]) AND pause_code IS NOT NULL
    RETURNING id`.execute(ctx.db);
  return rows.length;
}

/** How the last prices that were sent for a binding since it last began ended, and how many went within the hour. */
async function recent(ctx: Ctx, bindingId: string): Promise<{ hour: number; unconfirmed: number }> {
  const { rows } = await sql<{ hour: number; unconfirmed: number }>`
    SELECT (SELECT count(*) FROM repricing.run
             WHERE company_id = ${ctx.companyId} AND binding_id = ${bindingId} AND outcome IN ('sent', 'would')
               AND at > greatest(b.counts_from, kit.now() - interval '1 hour'))::int AS hour,
           (SELECT count(*) FILTER (WHERE settled = 'unconfirmed')
              FROM (SELECT settled FROM repricing.run
                     WHERE company_id = ${ctx.companyId} AND binding_id = ${bindingId} AND outcome = 'sent'
                       AND settled IN ('confirmed', 'unconfirmed') AND at > b.counts_from
                     ORDER BY at DESC, id DESC LIMIT ${MOST_UNCONFIRMED}) AS last)::int AS unconfirmed
      FROM repricing.binding AS b WHERE b.company_id = ${ctx.companyId} AND b.id = ${bindingId}`.execute(ctx.db);
  return rows[0] ?? { hour: 0, unconfirmed: 0 };
}

/** What stops a listing now; `missing` says what keeps its floor from being known. Null where nothing does. */
export async function haltOf(
  ctx: Ctx,
  { bound, offer, missing }: { bound: Bound; offer: LockedOffer; missing: string | null },
): Promise<Halt | null> {
  if (offer.state === 'GONE') return { code: 'gone', words: '商品已移除' };
  if (new Decimal(bound.minPrice).equals(bound.maxPrice)) return { code: 'range', words: '最低价等于最高价' };
  if (missing !== null) return { code: 'cost', words: missing };
  const { hour, unconfirmed } = await recent(ctx, bound.id);
  if (unconfirmed >= MOST_UNCONFIRMED) return { code: 'unconfirmed', words: `连续 ${MOST_UNCONFIRMED} 次调价未生效` };
  const { maxPerHour } = bound.settings;
  return hour > maxPerHour ? { code: 'busy', words: `一小时内调价超过 ${maxPerHour} 次` } : null;
}
