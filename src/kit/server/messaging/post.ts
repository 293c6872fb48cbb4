import { sql } from 'kysely';
import { type CronItem, type EnqueueContext, type JobDef, job } from '../jobs/define.ts';
import { enqueue } from '../jobs/enqueue.ts';
import { inSystem } from '../runtime.ts';
import { deliver } from './deliver.ts';
import type { Message } from './message.ts';

const TRIES = 3;
/** Days that messages stay in the outbox. */
export const OUTBOX_DAYS = 30;

/** Sends a message after the caller's transaction commits, tried three times in the background. Not for codes. */
export function post(ctx: EnqueueContext, message: Message): Promise<void> {
  return enqueue(ctx, 'kit.message', message, { maxAttempts: TRIES });
}

const send = job<Message>('kit.message', deliver);

const purge = job<object>('kit.purgeOutbox', async (runtime) => {
  await inSystem(runtime, (db) =>
    db
      .deleteFrom('kit.outbox')
      .where('at', '<', sql<string>`kit.now() - make_interval(days => ${OUTBOX_DAYS})`)
      .execute(),
  );
});

/** Background work behind messages. */
export const messageJobs: readonly JobDef[] = [send, purge];
export const messageCrons: readonly CronItem[] = [{ pattern: '17 3 * * *', job: 'kit.purgeOutbox' }];
