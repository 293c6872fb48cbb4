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

/**
 * Takes one token, or says in how many ms one will be there. All workers share the bucket: it is one row, changed by
 * one statement on the database's clock. tokens = min(burst, tokens + rate x seconds since the last change). With a
 * `reserve` the token is given only if so many stay behind.
 */
export async function takeToken(
  runtime: Pick<Runtime, 'connections'>,
  key: BucketKey,
  plan: UsagePlan,
  reserve = 0,
): Promise<number> {
  const least = 1 + reserve;
  return inSystem(runtime, async (db) => {
    const { rows } = await sql<{ taken: boolean; wait: number }>`
      INSERT INTO marketplace.rate_bucket AS b (application_id, seller_key, operation, rate, burst, tokens)
      VALUES (${key.applicationId}, ${key.sellerKey}, ${key.operation}, ${plan.rate}, ${plan.burst}, ${plan.burst} - 1)
      ON CONFLICT (application_id, seller_key, operation) DO UPDATE SET
        tokens = CASE
          WHEN b.blocked_until > clock_timestamp() THEN b.tokens
          WHEN least(b.burst, b.tokens + b.rate * extract(epoch FROM clock_timestamp() - b.refilled_at)) >= ${least}::float8
          THEN least(b.burst, b.tokens + b.rate * extract(epoch FROM clock_timestamp() - b.refilled_at)) - 1
          ELSE b.tokens END,
        refilled_at = CASE
          WHEN b.blocked_until > clock_timestamp() THEN b.refilled_at
          WHEN least(b.burst, b.tokens + b.rate * extract(epoch FROM clock_timestamp() - b.refilled_at)) >= ${least}::float8
          THEN clock_timestamp()
          ELSE b.refilled_at END
      RETURNING
        old.tokens IS NULL OR new.refilled_at > old.refilled_at AS taken,
        greatest(
          extract(epoch FROM new.blocked_until - clock_timestamp()),
          (${least}::float8 - new.tokens) / new.rate - extract(epoch FROM clock_timestamp() - new.refilled_at), 0)::float8 AS wait`.execute(
      db,
    );
    const row = rows[0];
    return !row || row.taken ? 0 : Math.max(50, row.wait * 1000);
  });
}

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
      greatest(least(1 / rate, ${base}::float8 * 30), ${base}::float8) * ${factor}::float8)`;
    const { rows } = await sql<{ wait: number }>`
      UPDATE marketplace.rate_bucket
         SET tokens = greatest(0, 1 - rate * ${pause}), refilled_at = clock_timestamp(), throttled = throttled + 1,
             blocked_until = clock_timestamp() + make_interval(secs => ${pause})
       WHERE application_id = ${key.applicationId} AND seller_key = ${key.sellerKey} AND operation = ${key.operation}
      RETURNING extract(epoch FROM blocked_until - clock_timestamp())::float8 AS wait`.execute(db);
    return (rows[0]?.wait ?? 2) * 1000;
  });
}

/** The rate that an answer's header states replaces the plan's. */
export async function learnRate(runtime: Pick<Runtime, 'connections'>, key: BucketKey, rate: number): Promise<void> {
  await inSystem(runtime, async (db) => {
    await sql`UPDATE marketplace.rate_bucket SET rate = ${rate}
      WHERE application_id = ${key.applicationId} AND seller_key = ${key.sellerKey} AND operation = ${key.operation}
        AND rate IS DISTINCT FROM ${rate}`.execute(db);
  });
}
