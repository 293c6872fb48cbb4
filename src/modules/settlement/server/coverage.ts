import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';

/**
 * Has what is told of an account's money decided by one at a time until the transaction ends: of two that each saw
 * nothing of the other, both would count. Held from before something ceases to count.
 */
export async function holdMoney(ctx: Ctx, accountId: string): Promise<void> {
  const key = `${ctx.companyId}:transactions:${accountId}`;
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${key}, 0))`.execute(ctx.db);
}

/**
 * The transactions of an account that still count, with what they are matched by. A table with indexes and statistics
 * of its own: of an account that has just arrived the planner knows nothing, and would walk all of them for each row.
 */
async function stageOpen(ctx: Ctx, accountId: string): Promise<void> {
  await sql`DROP TABLE IF EXISTS pg_temp.open_tx`.execute(ctx.db);
  await sql`
    CREATE TEMP TABLE open_tx ON COMMIT DROP AS
    SELECT id, external_id, status, settlement_id, event_group_id, order_id, shipment_id, currency, posted_at,
           marketplace_id, deferred_id, release_id, total
      FROM settlement.source_doc
     WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}
       AND kind = 'TRANSACTION' AND state = 'ACTIVE'`.execute(ctx.db);
  await sql`CREATE INDEX ON pg_temp.open_tx (external_id)`.execute(ctx.db);
  await sql`CREATE INDEX ON pg_temp.open_tx (order_id)`.execute(ctx.db);
  await sql`ANALYZE pg_temp.open_tx`.execute(ctx.db);
}

/**
 * The rules by which one event of money counts once, whatever order its readings arrive in. Among the transactions of
 * an account that still count it takes out
 * 1. a deferred one whose release is known: the release names it, or it names the release; else, where Amazon says that
 *    it was released and neither names the other, a released one of the same order, shipment and amount;
 * 2. one that a loaded settlement file contains: by the settlement id it carries; else by its event group, paired with
 *    a settlement through any transaction that carries both; else, when neither is known, by currency, store and the
 *    time at which it was released;
 * 3. a deferred one whose shipment already stands in a loaded file, although its release has not been read yet.
 * Only transactions that still count are looked at: the open money of a few weeks. Returns the ids taken out.
 */
export async function supersedeCovered(ctx: Ctx, accountId: string): Promise<string[]> {
  await holdMoney(ctx, accountId);
  await stageOpen(ctx, accountId);
  const { rows } = await sql<{ id: string }>`
    WITH paired AS (
      SELECT DISTINCT event_group_id, settlement_id FROM settlement.source_doc
       WHERE company_id = ${ctx.companyId} AND account_id = ${accountId}
         AND event_group_id IS NOT NULL AND settlement_id IS NOT NULL
    ), covered AS (
      SELECT o.id, 'RELEASED' AS why, r.id AS by
        FROM pg_temp.open_tx AS o
        JOIN settlement.source_doc AS r
          ON r.company_id = ${ctx.companyId} AND r.account_id = ${accountId} AND r.deferred_id = o.external_id
       WHERE o.status <> 'RELEASED' AND r.state <> 'QUARANTINED'
      UNION ALL
      SELECT o.id, 'RELEASED', r.id
        FROM pg_temp.open_tx AS o
        JOIN settlement.source_doc AS r
          ON r.company_id = ${ctx.companyId} AND r.account_id = ${accountId} AND r.kind = 'TRANSACTION'
         AND r.external_id = o.release_id
       WHERE o.status <> 'RELEASED' AND r.state <> 'QUARANTINED'
      UNION ALL
      SELECT o.id, 'RELEASED', r.id
        FROM pg_temp.open_tx AS o
        JOIN pg_temp.open_tx AS r USING (order_id)
       WHERE o.status = 'DEFERRED_RELEASED' AND o.release_id IS NULL AND r.status = 'RELEASED' AND r.deferred_id IS NULL
         AND r.total = o.total AND r.currency = o.currency AND r.posted_at >= o.posted_at
         AND (o.shipment_id IS NULL OR r.shipment_id IS NULL OR r.shipment_id = o.shipment_id)
      UNION ALL
      SELECT o.id, 'SETTLED', s.id
        FROM pg_temp.open_tx AS o
        LEFT JOIN paired AS p ON o.settlement_id IS NULL AND p.event_group_id = o.event_group_id
        JOIN settlement.settlement AS s
          ON s.company_id = ${ctx.companyId} AND s.account_id = ${accountId} AND s.superseded_at IS NULL
         AND CASE
               WHEN o.settlement_id IS NOT NULL THEN s.settlement_id = o.settlement_id
               WHEN p.settlement_id IS NOT NULL THEN s.settlement_id = p.settlement_id
               ELSE s.currency = o.currency AND o.posted_at >= s.start_at AND o.posted_at < s.end_at
                AND EXISTS (SELECT FROM settlement.fee_total AS t
                             WHERE t.company_id = ${ctx.companyId} AND t.source_doc_id = s.id
                               AND t.marketplace_id = o.marketplace_id)
             END
       WHERE o.status = 'RELEASED'
      UNION ALL
      SELECT o.id, 'SETTLED', s.id
        FROM pg_temp.open_tx AS o
        JOIN settlement.money_line AS l
          ON l.company_id = ${ctx.companyId} AND l.order_id = o.order_id AND l.account_id = ${accountId}
         AND l.source = 'SETTLEMENT' AND l.transaction_type = 'Order'
         AND (o.shipment_id IS NULL OR l.shipment_id IS NULL OR l.shipment_id = o.shipment_id)
        JOIN settlement.settlement AS s
          ON s.company_id = ${ctx.companyId} AND s.id = l.source_doc_id AND s.superseded_at IS NULL
       WHERE o.status <> 'RELEASED' AND o.order_id IS NOT NULL
    ), chosen AS (
      SELECT DISTINCT ON (id) id, why, by FROM covered ORDER BY id, why
    )
    UPDATE settlement.source_doc AS d
       SET state = 'SUPERSEDED', superseded_why = c.why, superseded_by = c.by, superseded_at = kit.now()
      FROM chosen AS c
     WHERE d.company_id = ${ctx.companyId} AND d.id = c.id
    RETURNING d.id`.execute(ctx.db);
  return rows.map((row) => row.id);
}
