import { sql } from 'kysely';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import type { UsagePlan } from './limits.ts';

export interface BucketKey {
  applicationId: string;
  /** sellingPartnerId and region: the limit's scope. */
  sellerKey: string;
  operation: string;
}

const MAX_BLOCK_SEC = 15 * 60;
/** A call may be on its way for so long without finding the marketplace's own bucket emptier than ours. */
const ON_THE_WAY_SEC = 2;
/** Whether bucket `b` is not closed after a refusal; the tokens in it by now. */
const OPEN = sql`(b.blocked_until > kit.instant()) IS NOT TRUE`;
const NOW_IN_IT = sql`least(b.burst,
  b.tokens + b.rate * greatest(0, extract(epoch FROM kit.instant() - b.refilled_at)))`;

/**
 * Takes one token, or says in how many ms one will be there. All workers share the bucket: it is one row, changed by
 * one statement, on the product's clock as the database tells it. tokens = min(burst, tokens + rate x seconds since the last change). With a
 * `reserve` the token is given only if so many stay behind.
 *
 * The marketplace counts a call when it arrives, not when it leaves: its full bucket gains nothing while the call is on
 * its way, ours would. So a bucket that was full begins to fill again only when the call has surely arrived (or when a
 * half of it would be full), and ours is never fuller than the real one.
 */
export async function takeToken(
  runtime: Pick<Runtime, 'connections'>,
  key: BucketKey,
  plan: UsagePlan,
  reserve = 0,
): Promise<number> {
  const least = sql`${1 + reserve}::float8`;
  const held = Math.min(ON_THE_WAY_SEC, plan.burst / 2 / plan.rate);
  return inSystem(
    runtime,
    async (db) => {
      const { rows } = await sql<{ taken: boolean; wait: number }>`
      INSERT INTO marketplace.rate_bucket AS b (application_id, seller_key, operation, rate, burst, tokens, refilled_at)
      VALUES (${key.applicationId}, ${key.sellerKey}, ${key.operation}, ${plan.rate}, ${plan.burst}, ${plan.burst} - 1,
              kit.instant() + make_interval(secs => ${held}))
      ON CONFLICT (application_id, seller_key, operation) DO UPDATE SET
        tokens = CASE WHEN ${OPEN} AND ${NOW_IN_IT} >= ${least} THEN ${NOW_IN_IT} - 1 ELSE b.tokens END,
        refilled_at = CASE
          WHEN ${OPEN} AND ${NOW_IN_IT} >= ${least}
          THEN greatest(b.refilled_at, kit.instant() + make_interval(secs =>
                 greatest(0, ${NOW_IN_IT} - b.burst + least(b.rate * ${ON_THE_WAY_SEC}::float8, b.burst / 2)) / b.rate))
          ELSE b.refilled_at END
      RETURNING
        old.tokens IS NULL OR (new.tokens, new.refilled_at) IS DISTINCT FROM (old.tokens, old.refilled_at) AS taken,
        greatest(
          extract(epoch FROM new.blocked_until - kit.instant()),
          (${least} - new.tokens) / new.rate - extract(epoch FROM kit.instant() - new.refilled_at), 0)::float8 AS wait`.execute(
        db,
      );
      const row = rows[0];
      return !row || row.taken ? 0 : Math.max(50, row.wait * 1000);
    },
    { prepared: true },
  );
}

/** The slowest bucket gives a token in three minutes; a pause before one is at most so many of the shortest pauses of 2 s. */
const LONGEST_TOKEN = 90;

/** The marketplace said 429: the bucket is closed for max(1/rate, 2 s) x 2^n with some jitter; then one call may try. */
export async function blockBucket(
  runtime: Pick<Runtime, 'connections'>,
  key: BucketKey,
  attempt: number,
  baseMs: number,
): Promise<number> {
  return inSystem(runtime, async (db) => {
    const factor = 2 ** Math.min(attempt, 8) * (1 + Math.random() * 0.2);
    const base = baseMs / 1000;
    // When the pause is over, one call may try: a slow bucket would otherwise wait for its token once more.
    const pause = sql`least(${MAX_BLOCK_SEC}::float8,
      greatest(least(1 / rate, ${base}::float8 * ${LONGEST_TOKEN}::float8), ${base}::float8) * ${factor}::float8)`;
    const { rows } = await sql<{ wait: number }>`
      UPDATE marketplace.rate_bucket
         SET tokens = greatest(0, 1 - rate * ${pause}), refilled_at = kit.instant(), throttled = throttled + 1,
             blocked_until = kit.instant() + make_interval(secs => ${pause})
       WHERE application_id = ${key.applicationId} AND seller_key = ${key.sellerKey} AND operation = ${key.operation}
      RETURNING extract(epoch FROM blocked_until - kit.instant())::float8 AS wait`.execute(db);
    return (rows[0]?.wait ?? 2) * 1000;
  });
}

/** The rate that an answer's header states replaces the plan's. */
export async function learnRate(runtime: Pick<Runtime, 'connections'>, key: BucketKey, rate: number): Promise<void> {
  await inSystem(
    runtime,
    async (db) => {
      await sql`UPDATE marketplace.rate_bucket SET rate = ${rate}
      WHERE application_id = ${key.applicationId} AND seller_key = ${key.sellerKey} AND operation = ${key.operation}
        AND rate IS DISTINCT FROM ${rate}`.execute(db);
    },
    { prepared: true },
  );
}

/** How long one token of a bucket that has been used takes to come, ms. */
export async function paceOf(runtime: Pick<Runtime, 'connections'>, key: BucketKey): Promise<number> {
  return inSystem(runtime, async (db) => {
    const { rows } = await sql<{ ms: number }>`
      SELECT 1000 / rate AS ms FROM marketplace.rate_bucket
       WHERE application_id = ${key.applicationId} AND seller_key = ${key.sellerKey} AND operation = ${key.operation}`.execute(
      db,
    );
    return rows[0]?.ms ?? 0;
  });
}
