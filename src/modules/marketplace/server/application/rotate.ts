import { sql } from 'kysely';
import { job } from '#kit/server/jobs/define.ts';
import { inSystem, inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { LIVE_STATUSES } from '../auth/accounts.ts';
import { callGrantless } from '../notifications/grantless.ts';
import { remindOfSecret } from '../reminders.ts';
import { configOf } from '../settings.ts';
import { ROTATE_JOB } from './notice.ts';

/** A secret is changed when it has so many days left; the new one should come within minutes. */
const CHANGE_DAYS = 30;
/** What was asked for and has not come after so many hours is asked for once more. */
const AGAIN_HOURS = 24;
/** With so many days left and no new one people are told. */
const TELL_DAYS = 7;

interface Due {
  days_left: number;
  expires_on: string;
  wanted: boolean;
}

/** The end of the secret in use, where Amazon has told of it; `wanted`: a new one is to be asked for now, and is noted so. */
async function due(runtime: Runtime): Promise<Due | undefined> {
  const { clientId } = configOf(runtime);
  return inSystem(runtime, async (db) => {
    const { rows } = await sql<Due>`
      UPDATE marketplace.application_secret AS s
         SET asked_at = CASE WHEN w.wanted THEN kit.now() ELSE s.asked_at END
        FROM (SELECT client_id, coalesce(asked_at < kit.now() - make_interval(hours => ${AGAIN_HOURS}), true) AS wanted
                FROM marketplace.application_secret WHERE client_id = ${clientId}
                 AND expires_at < kit.now() + make_interval(days => ${CHANGE_DAYS}) FOR UPDATE) AS w
       WHERE s.client_id = w.client_id
      RETURNING floor(extract(epoch FROM s.expires_at - kit.now()) / 86400)::int AS days_left,
                to_char(s.expires_at AT TIME ZONE 'UTC', 'YYYY-MM-DD') AS expires_on, w.wanted`.execute(db);
    return rows[0];
  });
}

/** Tells every company that has a living store, once a day. */
async function tell(runtime: Runtime, { days_left, expires_on }: Due): Promise<void> {
  const companies = await inSystem(runtime, (db) =>
    db
      .selectFrom('marketplace.seller_account')
      .select('company_id')
      .distinct()
      .where('status', '=', sql<string>`ANY (${[...LIVE_STATUSES]}::text[])`)
      .execute(),
  );
  for (const { company_id } of companies) {
    await inTenant(runtime, systemPrincipal(company_id), (ctx) => remindOfSecret(ctx, days_left, expires_on));
  }
}

/**
 * Has the application's secret changed before it ends: every night, and when Amazon says that the end is near. The new one
 * comes through the queue. What Amazon refuses is tried again a day later, and told while there is time.
 */
export const rotateJob = job<object>(ROTATE_JOB, async (runtime) => {
  if (!runtime.config.marketplace) return;
  const secret = await due(runtime);
  if (!secret) return;
  if (secret.days_left <= TELL_DAYS) await tell(runtime, secret);
  if (!secret.wanted) return;
  await callGrantless(runtime, 'na', {
    operation: 'rotateApplicationClientSecret',
    method: 'POST',
    path: '/applications/2023-11-30/clientSecret',
    scope: 'client_credential:rotation',
  }).catch((error: unknown) => {
    runtime.log.error({ err: error, expires: secret.expires_on }, 'the secret of the application was not changed');
  });
});
