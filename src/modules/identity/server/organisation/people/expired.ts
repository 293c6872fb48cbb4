import { sql } from 'kysely';
import { emit } from '#kit/server/events.ts';
import { type CronItem, job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { memberLeft } from './state.ts';

/** Accounts whose last day is over where their company is, and whose end it has not been told of. */
const ENDED = sql`m.expire_date < (kit.now() AT TIME ZONE c.time_zone)::date AND m.deleted_at IS NULL AND NOT m.is_disabled
  AND m.expiry_told IS DISTINCT FROM m.expire_date`;

/**
 * Passes on what waits for people whose accounts have ended by their date, as for those who are disabled. An account that
 * was given a later date and ends again is told of again. Answers how many.
 */
export async function passOnExpired(runtime: Runtime): Promise<number> {
  const companies = await inSystem(
    runtime,
    async (db) =>
      (
        await sql<{ id: string }>`
          SELECT DISTINCT c.company_id AS id FROM identity.member AS m
            JOIN identity.company AS c ON c.company_id = m.company_id
           WHERE c.status = 'active' AND ${ENDED}`.execute(db)
      ).rows,
    { readOnly: true },
  );
  let told = 0;
  for (const { id } of companies) {
    told += await inTenant(runtime, systemPrincipal(id), async (ctx) => {
      const { rows } = await sql<{ id: string }>`
        UPDATE identity.member AS m SET expiry_told = m.expire_date FROM identity.company AS c
         WHERE m.company_id = ${id} AND c.company_id = m.company_id AND ${ENDED}
        RETURNING m.id`.execute(ctx.db);
      for (const member of rows) await emit(ctx, memberLeft, { memberId: member.id });
      return rows.length;
    });
  }
  return told;
}

export const expiredJob = job<object>('identity.expired', async (runtime) => void (await passOnExpired(runtime)));

/** Every hour: companies' days end at different hours. */
export const expiredCron: CronItem = { pattern: '10 * * * *', job: expiredJob.name };
