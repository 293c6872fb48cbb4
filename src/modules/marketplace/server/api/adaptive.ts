import { sql } from 'kysely';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import type { BucketKey } from './buckets.ts';
import type { UsagePlan } from './limits.ts';

const MAX_BLOCK_SEC = 15 * 60;
/** Refusals that come so close together are one: calls that were on their way say nothing new. */
const ONE_REFUSAL_SEC = 2;
/** What a minute without a refusal adds, and how far from where it began a rate may get. */
const STEP = 0.1;
const CLEAN_SEC = 60;
const MOST = 8;
const LEAST = 1 / 64;

interface Refusal {
  /** How many times in a row this call was refused. */
  attempt: number;
  /** The shortest pause, ms. */
  baseMs: number;
  /** What Retry-After asks for, ms; 0 without it. */
  afterMs: number;
}

/**
 * The marketplace said 429 where it does not tell its limits: the bucket's rate is halved for all workers, and the bucket
 * is closed for a pause that doubles with each refusal, at least for as long as it asked. Answers the pause, ms.
 */
export async function slowDown(
  runtime: Pick<Runtime, 'connections'>,
  key: BucketKey,
  plan: UsagePlan,
  { attempt, baseMs, afterMs }: Refusal,
): Promise<number> {
  const jittered = (baseMs / 1000) * 2 ** Math.min(attempt, 8) * (1 + Math.random() * 0.2);
  const pause = Math.min(MAX_BLOCK_SEC, Math.max(jittered, afterMs / 1000));
  const again = sql`adapted_at > kit.instant() - make_interval(secs => ${ONE_REFUSAL_SEC})`;
  const slower = sql`CASE WHEN ${again} THEN rate ELSE greatest(rate / 2, ${plan.rate * LEAST}::float8) END`;
  return inSystem(runtime, async (db) => {
    // When the pause is over, one call may try: a slow bucket would otherwise wait for its token once more.
    const { rows } = await sql<{ wait: number }>`
      UPDATE marketplace.rate_bucket
         SET rate = ${slower}, adapted_at = kit.instant(), tokens = greatest(0, 1 - ${slower} * ${pause}::float8),
             refilled_at = kit.instant(), throttled = throttled + 1,
             blocked_until = greatest(blocked_until, kit.instant() + make_interval(secs => ${pause}))
       WHERE application_id = ${key.applicationId} AND seller_key = ${key.sellerKey} AND operation = ${key.operation}
      RETURNING extract(epoch FROM blocked_until - kit.instant())::float8 AS wait`.execute(db);
    return (rows[0]?.wait ?? pause) * 1000;
  });
}

const asked = new WeakMap<object, Map<string, number>>();

/** Whether this worker has not looked at a bucket for the time in which its rate can grow once. */
function isDue(runtime: object, key: BucketKey): boolean {
  const known = asked.get(runtime) ?? new Map<string, number>();
  asked.set(runtime, known);
  const name = `${key.applicationId}\n${key.sellerKey}\n${key.operation}`;
  const now = performance.now();
  if (now - (known.get(name) ?? -Infinity) < CLEAN_SEC * 1000) return false;
  known.set(name, now);
  return true;
}

/**
 * A call was answered: after each minute without a refusal the bucket's rate grows by a tenth of where it began. Asks the
 * database once a minute at most.
 */
export async function speedUp(runtime: Pick<Runtime, 'connections'>, key: BucketKey, plan: UsagePlan): Promise<void> {
  if (!isDue(runtime, key)) return;
  await inSystem(runtime, async (db) => {
    await sql`
      UPDATE marketplace.rate_bucket
         SET rate = CASE WHEN adapted_at IS NULL THEN rate
                         ELSE least(rate + ${plan.rate * STEP}::float8, ${plan.rate * MOST}::float8) END,
             adapted_at = kit.instant()
       WHERE application_id = ${key.applicationId} AND seller_key = ${key.sellerKey} AND operation = ${key.operation}
         AND rate < ${plan.rate * MOST}::float8
         AND (adapted_at > kit.instant() - make_interval(secs => ${CLEAN_SEC})) IS NOT TRUE`.execute(db);
  });
}
