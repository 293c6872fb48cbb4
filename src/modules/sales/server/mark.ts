import { sql } from 'kysely';
import type { Ctx } from '#kit/server/context.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { slotOf } from './measures.ts';

/** Pause before a fold, in which further deliveries join it. */
const GATHER_MS = 300;

/** Queues the folding of an account's marks; asked again before it began, it is still queued once. */
export async function queueFold(ctx: Pick<Ctx, 'db' | 'companyId' | 'runtime'>, accountId: string): Promise<void> {
  const key = `sales.fold:${ctx.companyId}:${accountId}`;
  await enqueue(
    ctx,
    'sales.fold',
    { companyId: ctx.companyId, accountId },
    { key, keyMode: 'preserve_run_at', queue: key, runAt: new Date(ctx.runtime.clock.ms() + GATHER_MS) },
  );
}

/**
 * Marks the buckets of orders that changed, in the transaction that changed them. `table` is a temporary table with
 * account_id, marketplace_id, local_date, seller_sku and slot (any instant of it): the old and the new keys.
 * The job is keyed by account: accounts are folded beside each other.
 */
export async function markTouched(ctx: Ctx, { table }: { table: string }): Promise<void> {
  const touched = sql.table(`pg_temp.${table}`);
  await sql`
    INSERT INTO sales.dirty (company_id, account_id, marketplace_id, local_date, seller_sku, slot_start)
    SELECT DISTINCT ${ctx.companyId}::uuid, account_id, marketplace_id, local_date, seller_sku, NULL::timestamptz
      FROM ${touched}
    UNION ALL
    SELECT DISTINCT ${ctx.companyId}::uuid, account_id, marketplace_id, local_date, NULL::text,
           ${sql.raw(slotOf('slot'))} FROM ${touched}`.execute(ctx.db);
  const { rows } = await sql<{ id: string }>`SELECT DISTINCT account_id AS id FROM ${touched} ORDER BY 1`.execute(
    ctx.db,
  );
  for (const account of rows) await queueFold(ctx, account.id);
}
