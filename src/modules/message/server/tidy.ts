import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';

const KEEP_DAYS = 180;
/** Rows of one statement, so that no transaction holds many locks for long. */
const BATCH = 5000;

/** Takes messages whose time is over out of all inboxes; the counters of those who had not read them go down. */
export async function expire(runtime: Pick<Runtime, 'connections'>): Promise<void> {
  await inSystem(
    runtime,
    async (db) => {
      const ended = await sql<{ company_id: string; id: string }>`
        UPDATE message.message SET ended_at = kit.now()
         WHERE ended_at IS NULL AND expires_at <= kit.now() RETURNING company_id, id`.execute(db);
      if (ended.rows.length === 0) return;
      await sql`
        DELETE FROM message.inbox i
         USING unnest(${ended.rows.map((row) => row.company_id)}::uuid[], ${ended.rows.map((row) => row.id)}::uuid[])
               AS ended (company_id, id)
         WHERE i.company_id = ended.company_id AND i.message_id = ended.id`.execute(db);
    },
    { timeoutMs: 0 },
  );
}

async function inBatches(
  runtime: Pick<Runtime, 'connections'>,
  one: (db: Db) => Promise<{ numAffectedRows?: bigint }>,
): Promise<number> {
  let total = 0;
  for (;;) {
    const { numAffectedRows } = await inSystem(runtime, one, { timeoutMs: 0 });
    const gone = Number(numAffectedRows ?? 0);
    total += gone;
    if (gone < BATCH) return total;
  }
}

/**
 * Deletes what was read more than 180 days ago and what is known of messages sent out before then, then the messages of that age that lie in no inbox any more. What
 * nobody read stays. Answers how many rows went.
 */
export async function purge(runtime: Pick<Runtime, 'connections'>, keepDays = KEEP_DAYS): Promise<number> {
  const inboxes = await inBatches(runtime, (db) =>
    sql`
      DELETE FROM message.inbox WHERE (company_id, user_id, message_id) IN (
        SELECT company_id, user_id, message_id FROM message.inbox
         WHERE is_read AND read_at < kit.now() - make_interval(days => ${keepDays}) LIMIT ${BATCH})`.execute(db),
  );
  const deliveries = await inBatches(runtime, (db) =>
    sql`
      DELETE FROM message.delivery WHERE (company_id, id) IN (
        SELECT company_id, id FROM message.delivery
         WHERE created_at < kit.now() - make_interval(days => ${keepDays}) LIMIT ${BATCH})`.execute(db),
  );
  // An announcement that still stands may yet find readers.
  const messages = await inBatches(runtime, (db) =>
    sql`
      DELETE FROM message.message WHERE (company_id, id) IN (
        SELECT m.company_id, m.id FROM message.message m
         WHERE m.created_at < kit.now() - make_interval(days => ${keepDays}) AND (m.ftype <> 1 OR m.ended_at IS NOT NULL)
           AND NOT EXISTS (SELECT FROM message.inbox i WHERE i.company_id = m.company_id AND i.message_id = m.id)
         LIMIT ${BATCH})`.execute(db),
  );
  return inboxes + deliveries + messages;
}

export const expireJob = job<object>('message.expire', (runtime) => expire(runtime));

export const purgeJob = job<object>('message.purge', async (runtime) => {
  await purge(runtime);
});
