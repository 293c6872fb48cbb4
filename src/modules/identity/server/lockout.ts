import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { refused, throttled } from '#kit/server/errors.ts';

const FAILURES_PER_LOCK = 5;
const FIRST_LOCK_MINUTES = 15;
const CAP_MINUTES = 24 * 60;
const IP_FAILURES = 30;
const IP_WINDOW_MINUTES = 10;

/**
 * Minutes that an account stays locked after its n-th consecutive failure inside 24 hours, 0 where that failure does
 * not lock: every fifth locks, 15 minutes doubled each time, capped at a day.
 */
export function lockMinutes(failures: number): number {
  if (failures === 0 || failures % FAILURES_PER_LOCK !== 0) return 0;
  return Math.min(CAP_MINUTES, FIRST_LOCK_MINUTES * 2 ** (failures / FAILURES_PER_LOCK - 1));
}

/**
 * Consecutive failures of an account inside 24 hours and how many minutes ago the last was; known and unknown accounts alike. A log-in
 * or a new password begins the count anew.
 */
export async function failuresOf(db: Db, account: string): Promise<{ count: number; minutesAgo: number }> {
  const { rows } = await sql<{ count: number; minutes_ago: number }>`
    SELECT count(*) AS count, coalesce(extract(epoch FROM kit.instant() - max(at)) / 60, 0)::float8 AS minutes_ago
      FROM identity.login_log
     WHERE account = ${account} AND NOT ok AND reason = 'password' AND at > kit.now() - interval '24 hours'
       AND at > coalesce(greatest(
         (SELECT max(at) FROM identity.login_log WHERE account = ${account} AND ok),
         (SELECT password_changed_at FROM identity.member WHERE account = ${account} AND deleted_at IS NULL)),
         '-infinity')`.execute(db);
  return { count: rows[0]?.count ?? 0, minutesAgo: rows[0]?.minutes_ago ?? 0 };
}

/** Failures in a row that came from one address within ten minutes, whichever accounts they were tried on. */
export async function failuresFrom(db: Db, ip: string): Promise<number> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (SELECT FROM identity.login_log
     WHERE ip = ${ip} AND NOT ok AND reason = 'password' AND at > kit.now() - make_interval(mins => ${IP_WINDOW_MINUTES})
       AND at > coalesce((SELECT max(at) FROM identity.login_log
             WHERE ip = ${ip} AND ok AND at > kit.now() - make_interval(mins => ${IP_WINDOW_MINUTES})), '-infinity')
     LIMIT ${IP_FAILURES}) AS f`.execute(db);
  return rows[0]?.n ?? 0;
}

/** Attempts on one account, and those from one address, are judged one after the other until the transaction ends. */
export async function queueFor(db: Db, account: string, ip: string): Promise<void> {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${account}, 3))`.execute(db);
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${ip}, 4))`.execute(db);
}

/** Refuses a log-in while its account is locked or its address failed too often. */
export async function refuseIfLocked(db: Db, account: string, ip: string): Promise<number> {
  const { count, minutesAgo } = await failuresOf(db, account);
  const minutes = lockMinutes(count);
  if (minutes > 0) {
    const left = Math.ceil(minutes - minutesAgo);
    if (left > 0) throw refused(`密码错误次数过多，请${left}分钟后再试`, 'B0101', { minutes: left });
  }
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (SELECT 1 FROM identity.login_log
     WHERE ip = ${ip} AND NOT ok AND at > kit.now() - make_interval(mins => ${IP_WINDOW_MINUTES}) LIMIT ${IP_FAILURES}) f`.execute(
    db,
  );
  if ((rows[0]?.n ?? 0) >= IP_FAILURES) throw throttled(IP_WINDOW_MINUTES * 60);
  return count;
}
