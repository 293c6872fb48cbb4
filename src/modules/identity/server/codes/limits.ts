import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { throttled } from '#kit/server/errors.ts';

const COOL_DOWN_SEC = 60;
const PER_HOUR = 5;
const PER_DAY = 10;
const PER_ADDRESS = 20;
const HOUR_SEC = 3600;
const DAY_SEC = 24 * HOUR_SEC;

/**
 * Seconds until a target may get its next code, 0 where it may now: 60 s after the last, 5 within an hour, 10 within a
 * day. `ages` are those of the codes of the last day in seconds, youngest first.
 */
export function waitFor(ages: readonly number[]): number {
  const until = (nth: number, windowSec: number) => {
    const age = ages[nth - 1];
    return age === undefined ? 0 : windowSec - age;
  };
  return Math.max(0, until(1, COOL_DOWN_SEC), until(PER_HOUR, HOUR_SEC), until(PER_DAY, DAY_SEC));
}

/** Refuses (429) a code that comes too soon or too often; the target stays locked until the transaction ends. */
export async function refuseTooMany(db: Db, target: string): Promise<void> {
  // Two requests at once must not both find room.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${target}, 2))`.execute(db);
  const { rows } = await sql<{ age: number }>`
    SELECT extract(epoch FROM kit.instant() - created_at)::float8 AS age FROM identity.verify_code
     WHERE target = ${target} AND created_at > kit.instant() - interval '1 day'
     ORDER BY created_at DESC LIMIT ${PER_DAY}`.execute(db);
  const seconds = waitFor(rows.map((row) => row.age));
  if (seconds > 0) throw throttled(seconds);
}

/** Whether an address asked for so many codes within the hour that it has to prove first that a person asks. */
export async function isSuspicious(db: Db, ip: string): Promise<boolean> {
  const { rows } = await sql<{ n: number }>`
    SELECT count(*) AS n FROM (SELECT FROM identity.verify_code
     WHERE ip = ${ip} AND created_at > kit.instant() - interval '1 hour' LIMIT ${PER_ADDRESS}) AS asked`.execute(db);
  return (rows[0]?.n ?? 0) >= PER_ADDRESS;
}
