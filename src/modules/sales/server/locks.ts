import type { Ctx } from '#kit/server/context.ts';

/**
 * Two advisory locks, both until the end of the transaction. Whoever folds marks shares the lock of each store and
 * holds those of its days; whoever rebuilds a store holds its lock alone. Both ask for stores first and in the order of
 * their keys, so nobody waits in a circle.
 *
 * Days hash into a fixed number of locks: a history of years would otherwise fill the server's lock table. Two days
 * that meet in one lock wait for each other and nothing else.
 */
const DAY_LOCKS = 256;

const store = (account: string, marketplace: string) =>
  `hashtextextended(concat_ws('|', 'sales.store', $1::text, ${account}::text, ${marketplace}::text), 0)`;

/** Locks the stores (shared) and the days of the marks in pg_temp.fold_mark. */
export async function lockMarked(ctx: Ctx): Promise<void> {
  await ctx.client.query(
    `SELECT pg_advisory_xact_lock_shared(k) FROM (
       SELECT DISTINCT ${store('account_id', 'marketplace_id')} AS k FROM pg_temp.fold_mark ORDER BY k OFFSET 0) AS keys`,
    [ctx.companyId],
  );
  await ctx.client.query(
    `SELECT pg_advisory_xact_lock(k) FROM (
       SELECT DISTINCT (hashtextextended('sales.day|' || $1::text, 0) & ~${DAY_LOCKS - 1}::bigint)
              | (hashtextextended(concat_ws('|', account_id, marketplace_id, local_date), 0) & ${DAY_LOCKS - 1}) AS k
         FROM (SELECT DISTINCT account_id, marketplace_id, local_date FROM pg_temp.fold_mark) AS days
        ORDER BY k OFFSET 0) AS keys`,
    [ctx.companyId],
  );
}

/** Locks a store against everybody who folds or rebuilds it. Orders go on arriving meanwhile. */
export async function lockStore(ctx: Ctx, accountId: string, marketplaceId: string): Promise<void> {
  await ctx.client.query(`SELECT pg_advisory_xact_lock(${store('$2', '$3')})`, [
    ctx.companyId,
    accountId,
    marketplaceId,
  ]);
}
