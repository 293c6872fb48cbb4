import { sql } from 'kysely';
import { type CronItem, job } from '#kit/server/jobs/define.ts';
import { inSystem } from '#kit/server/runtime.ts';

/** Forgets what no limit asks for any more: codes after a day, everything else once it is over. */
export const purgeCodes = job<object>('identity.purgeCodes', async (runtime) => {
  await inSystem(runtime, async (db) => {
    await db
      .deleteFrom('identity.verify_code')
      .where('created_at', '<', sql<string>`kit.now() - interval '25 hours'`)
      .execute();
    await db
      .deleteFrom('identity.captcha_client')
      .where('seen_at', '<', sql<string>`kit.now() - interval '1 hour'`)
      .execute();
    for (const table of [
      'identity.captcha_challenge',
      'identity.captcha_pass',
      'identity.oauth_record',
      'identity.oauth_grant',
    ] as const) {
      await db.deleteFrom(table).where('expires_at', '<', sql<string>`kit.now()`).execute();
    }
  });
});

export const purgeCron: CronItem = { pattern: '*/10 * * * *', job: purgeCodes.name };
