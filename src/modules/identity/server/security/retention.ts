import { sql } from 'kysely';
import { type CronItem, job } from '#kit/server/jobs/define.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';

/** Rows of one transaction. */
const BATCH = 10_000;

/** Forgets log-ins of more than 24 months ago, of all companies and of none. Answers how many. */
export async function forgetLogins(runtime: Pick<Runtime, 'connections'>, batch = BATCH): Promise<number> {
  for (let total = 0; ; ) {
    const gone = await inSystem(runtime, async (db) => {
      const { rows } = await sql<{ n: string }>`SELECT identity.purge_login_log(${batch}) AS n`.execute(db);
      return Number(rows[0]?.n ?? 0);
    });
    total += gone;
    if (gone < batch) return total;
  }
}

export const purgeLogins = job<object>('identity.purgeLogins', async (runtime) => void (await forgetLogins(runtime)));

/** Every night at 03:40 in China. */
export const purgeLoginsCron: CronItem = { pattern: '40 19 * * *', job: purgeLogins.name };
