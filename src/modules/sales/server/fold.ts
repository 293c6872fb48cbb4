import type { Ctx } from '#kit/server/context.ts';
import { emit, event } from '#kit/server/events.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inTenant, systemPrincipal } from '#kit/server/runtime.ts';
import { lockMarked } from './locks.ts';
import { merge } from './merge.ts';
import type { Scope } from './scope.ts';
import { SKU_DAY, SLOT, STORE_DAY } from './tables.ts';

/**
 * Days of SKUs of an account were made anew in the transaction that tells it; `table` is a temporary table with their
 * marketplace_id, local_date and seller_sku (null for half hours).
 */
export const salesFolded = event<{ accountId: string; table: 'fold_mark' }>('sales.folded');

/** Marks that one transaction takes at most. */
const BATCH = 100_000;
const TIMEOUT_MS = 15 * 60_000;

/** Buckets named by the marks at hand; `named` says which rows of them, and `tie` what else ties a row to one. */
function marked(accountId: string, named: string, tie = (_alias: string, _slot: string) => 'true'): Scope {
  return {
    values: [accountId],
    keys: {
      from: `(SELECT marketplace_id, local_date${named})`,
      tie: (alias, slot) =>
        `${alias}.marketplace_id = k.marketplace_id AND ${alias}.local_date = k.local_date AND ${tie(alias, slot)}`,
    },
  };
}

const OF_SKUS = ', seller_sku FROM pg_temp.fold_mark WHERE seller_sku IS NOT NULL GROUP BY 1, 2, 3';
/** A day is looked up once, whatever number of its half hours is marked. */
const OF_SLOTS = `, array_agg(DISTINCT slot_start) AS slots FROM pg_temp.fold_mark
                  WHERE slot_start IS NOT NULL GROUP BY 1, 2`;
const OF_DAYS = ' FROM pg_temp.fold_mark WHERE slot_start IS NOT NULL GROUP BY 1, 2';

/**
 * Takes marks out of the table into pg_temp.fold_mark, leaving those that another folder holds. Returns how many. The
 * ids are indexed because the planner knows nothing of a table that fills and empties all the time: whichever side of
 * the deletion it walks, the other is found by its key.
 */
async function takeMarks(ctx: Ctx, accountId: string, limit: number): Promise<number> {
  const { client, companyId } = ctx;
  await client.query('DROP TABLE IF EXISTS pg_temp.fold_mark');
  await client.query(`CREATE TEMP TABLE fold_mark (id uuid PRIMARY KEY, account_id uuid, marketplace_id text,
    local_date date, seller_sku text, slot_start timestamptz) ON COMMIT DROP`);
  const { rowCount } = await client.query(
    `INSERT INTO fold_mark
     SELECT id, account_id, marketplace_id, local_date, seller_sku, slot_start FROM sales.dirty
      WHERE company_id = $1 AND account_id = $2 ORDER BY id LIMIT $3 FOR UPDATE SKIP LOCKED`,
    [companyId, accountId, limit],
  );
  if (!rowCount) return 0;
  await client.query('ANALYZE pg_temp.fold_mark');
  await client.query(
    `DELETE FROM sales.dirty AS d USING pg_temp.fold_mark AS f
      WHERE d.company_id = $1 AND d.account_id = $2 AND d.id = f.id`,
    [companyId, accountId],
  );
  return rowCount;
}

/**
 * Takes up to `limit` marks of an account and makes their buckets again from the orders as they are now. It is one
 * transaction: after a crash the marks are back. The locks are taken before the first reading of orders, so of two
 * folders on one bucket the later one sees the later state. Returns the number of marks taken.
 */
export async function foldOnce(ctx: Ctx, accountId: string, limit = BATCH): Promise<number> {
  const taken = await takeMarks(ctx, accountId, limit);
  if (taken === 0) return 0;
  await lockMarked(ctx);
  await merge(
    ctx,
    SKU_DAY,
    marked(accountId, OF_SKUS, (alias) => `${alias}.seller_sku = k.seller_sku`),
  );
  await merge(
    ctx,
    SLOT,
    marked(accountId, OF_SLOTS, (_alias, slot) => `${slot} = ANY (k.slots)`),
  );
  await merge(ctx, STORE_DAY, marked(accountId, OF_DAYS));
  await emit(ctx, salesFolded, { accountId, table: 'fold_mark' });
  return taken;
}

interface FoldPayload {
  companyId: string;
  accountId: string;
}

/** Folds all marks of an account, batch by batch. */
export const foldJob = job<FoldPayload>('sales.fold', async (runtime, { companyId, accountId }) => {
  for (;;) {
    const taken = await inTenant(runtime, systemPrincipal(companyId), (ctx) => foldOnce(ctx, accountId), {
      timeoutMs: TIMEOUT_MS,
    });
    if (taken < BATCH) return;
  }
});
