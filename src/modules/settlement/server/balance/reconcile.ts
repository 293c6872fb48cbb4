import { type RawBuilder, sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/**
 * Finds the settlement that each closed group of an account became: by a transaction that carries the ids of both; until
 * one is known by currency and end, of several the one with Amazon's own total. A group without one loses what it had.
 */
async function pair(ctx: Ctx, accountId: string): Promise<void> {
  await sql`
    UPDATE settlement.event_group AS g
       SET settlement_doc = f.doc, marketplace_id = coalesce(f.marketplace_id, g.marketplace_id)
      FROM (
        SELECT g.id, s.id AS doc, s.marketplace_id
          FROM settlement.event_group AS g
          LEFT JOIN LATERAL (
            SELECT d.settlement_id FROM settlement.source_doc AS d
             WHERE d.company_id = g.company_id AND d.account_id = g.account_id AND d.event_group_id = g.group_id
               AND d.settlement_id IS NOT NULL LIMIT 1) AS named ON true
          LEFT JOIN LATERAL (
            SELECT s.id, s.marketplace_id FROM settlement.settlement AS s
             WHERE s.company_id = g.company_id AND s.account_id = g.account_id AND s.superseded_at IS NULL
               AND CASE WHEN named.settlement_id IS NOT NULL THEN s.settlement_id = named.settlement_id
                        ELSE s.currency = g.currency
                         AND s.end_at BETWEEN g.end_at - interval '1 hour' AND g.end_at + interval '1 hour' END
             ORDER BY (s.total_amount = g.total) DESC NULLS LAST, abs(extract(epoch FROM s.end_at - g.end_at)), s.id
             LIMIT 1) AS s ON true
         WHERE g.company_id = ${ctx.companyId} AND g.account_id = ${accountId} AND g.processing = 'closed'
      ) AS f
     WHERE g.company_id = ${ctx.companyId} AND g.id = f.id AND g.settlement_doc IS DISTINCT FROM f.doc`.execute(ctx.db);
}

/** Writes our sum and the verdict of the closed groups that `which` (on alias g) lets through. */
async function judgeClosed(ctx: Ctx, accountId: string, which: RawBuilder<unknown>): Promise<void> {
  await sql`
    UPDATE settlement.event_group AS g
       SET ours = f.ours, deferred = NULL, checked_at = kit.now(),
           verdict = CASE WHEN f.reason IS NULL OR f.reason = 'empty' THEN 'agreed'
                          WHEN f.reason IN ('amount', 'noFile') THEN 'differs' ELSE 'ongoing' END,
           reason = f.reason
      FROM (
        SELECT g.id, l.ours,
               CASE WHEN g.total IS NULL THEN 'noTotal'
                    WHEN g.settlement_doc IS NOT NULL THEN CASE WHEN l.ours IS DISTINCT FROM g.total THEN 'amount' END
                    WHEN g.end_at > g.read_at - interval '3 days' THEN 'awaitsFile'
                    WHEN g.total = 0 AND coalesce(g.beginning, 0) = 0 THEN 'empty'
                    ELSE 'noFile' END AS reason
          FROM settlement.event_group AS g
          LEFT JOIN LATERAL (
            SELECT sum(l.amount) AS ours FROM settlement.money_line AS l
             WHERE l.company_id = g.company_id AND l.source_doc_id = g.settlement_doc) AS l ON true
         WHERE g.company_id = ${ctx.companyId} AND g.account_id = ${accountId} AND g.processing = 'closed' AND ${which}
      ) AS f
     WHERE g.company_id = ${ctx.companyId} AND g.id = f.id`.execute(ctx.db);
}

/**
 * Holds the closed groups of an account against its settlements, line by line: all of them, the one of a settlement that
 * came or changed, or a single one.
 */
export async function reconcileClosed(
  ctx: Ctx,
  accountId: string,
  only: { settlementDoc?: string; id?: string } = {},
): Promise<void> {
  await pair(ctx, accountId);
  const { settlementDoc, id } = only;
  const conditions = [
    ...(settlementDoc === undefined ? [] : [sql<boolean>`g.settlement_doc = ${settlementDoc}::uuid`]),
    ...(id === undefined ? [] : [sql<boolean>`g.id = ${id}::uuid`]),
  ];
  await judgeClosed(ctx, accountId, conditions.length > 0 ? sql.join(conditions, sql` AND `) : sql`true`);
}

/**
 * Holds the open groups of an account against the transactions that were posted until Amazon's balance was read. Amazon
 * shows some of them up to two days late, so an open group is never called a difference.
 */
export async function reconcileOpen(ctx: Ctx, accountId: string): Promise<void> {
  await sql`
    UPDATE settlement.event_group AS g
       SET ours = f.ours, deferred = f.deferred, marketplace_id = f.marketplace_id, settlement_doc = NULL,
           verdict = 'ongoing', checked_at = kit.now(),
           reason = CASE WHEN g.total IS NULL THEN 'noTotal' WHEN g.total = f.ours THEN 'current' ELSE 'moving' END
      FROM (
        SELECT g.id, t.ours, coalesce(t.marketplace_id, g.marketplace_id) AS marketplace_id, w.deferred
          FROM settlement.event_group AS g
          CROSS JOIN LATERAL (
            SELECT coalesce(sum(d.total), 0) AS ours, min(d.marketplace_id) AS marketplace_id
              FROM settlement.source_doc AS d
             WHERE d.company_id = g.company_id AND d.account_id = g.account_id AND d.event_group_id = g.group_id
               AND d.kind = 'TRANSACTION' AND d.state = 'ACTIVE' AND d.settlement_id IS NULL AND d.status = 'RELEASED'
               AND d.posted_at <= g.read_at) AS t
          CROSS JOIN LATERAL (
            SELECT coalesce(sum(d.total), 0) AS deferred FROM settlement.source_doc AS d
             WHERE d.company_id = g.company_id AND d.account_id = g.account_id AND d.currency = g.currency
               AND d.kind = 'TRANSACTION' AND d.state = 'ACTIVE' AND d.settlement_id IS NULL AND d.status = 'DEFERRED'
               AND d.marketplace_id = coalesce(t.marketplace_id, g.marketplace_id)) AS w
         WHERE g.company_id = ${ctx.companyId} AND g.account_id = ${accountId} AND g.processing = 'open'
      ) AS f
     WHERE g.company_id = ${ctx.companyId} AND g.id = f.id`.execute(ctx.db);
}
