import { sql } from 'kysely';
import { z } from 'zod';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { configOf } from '../settings.ts';
import { fingerprint } from './house.ts';

/** Of the job that asks for a new secret. */
export const ROTATE_JOB = 'marketplace.rotateSecret';

const Time = z.iso.datetime({ offset: true });
const NewSecret = z.object({
  notificationType: z.literal('APPLICATION_OAUTH_CLIENT_NEW_SECRET'),
  eventTime: Time,
  payload: z.object({
    applicationOAuthClientNewSecret: z.object({
      clientId: z.string(),
      newClientSecret: z.string().min(1),
      newClientSecretExpiryTime: Time,
      oldClientSecretExpiryTime: Time,
    }),
  }),
});
const Expiry = z.object({
  notificationType: z.literal('APPLICATION_OAUTH_CLIENT_SECRET_EXPIRY'),
  eventTime: Time,
  payload: z.object({
    applicationOAuthClientSecretExpiry: z.object({ clientId: z.string(), clientSecretExpiryTime: Time }),
  }),
});
const OfApplication = z.discriminatedUnion('notificationType', [NewSecret, Expiry]);
type OfApplication = z.infer<typeof OfApplication>;

/** A message of the queue that is about the application itself; undefined for any other. */
function readIt(body: string): OfApplication | undefined {
  try {
    return OfApplication.safeParse(JSON.parse(body)).data;
  } catch {
    return undefined;
  }
}

interface Fact {
  clientId: string;
  /** Undefined: only the end of the one in use is told. */
  secret?: string;
  expiresAt: string;
  toldAt: string;
  previousUntil?: string;
}

function factOf(told: OfApplication): Fact {
  const toldAt = told.eventTime;
  if (told.notificationType === 'APPLICATION_OAUTH_CLIENT_SECRET_EXPIRY') {
    const { clientId, clientSecretExpiryTime: expiresAt } = told.payload.applicationOAuthClientSecretExpiry;
    return { clientId, expiresAt, toldAt };
  }
  const fact = told.payload.applicationOAuthClientNewSecret;
  return {
    clientId: fact.clientId,
    secret: fact.newClientSecret,
    expiresAt: fact.newClientSecretExpiryTime,
    previousUntil: fact.oldClientSecretExpiryTime,
    toldAt,
  };
}

/** Messages come twice and in any order: what Amazon said last counts. */
async function keep(runtime: Runtime, { clientId, secret, expiresAt, previousUntil, toldAt }: Fact): Promise<void> {
  const follows = fingerprint(configOf(runtime).clientSecret);
  const sealed = secret === undefined ? null : runtime.secrets.encrypt(secret);
  await inSystem(runtime, async (db) => {
    await sql`
      INSERT INTO marketplace.application_secret AS s
        (client_id, secret_sealed, follows, expires_at, previous_until, told_at)
      VALUES (${clientId}, ${sealed}, ${follows}, ${expiresAt}, ${previousUntil ?? null}, ${toldAt})
      ON CONFLICT (client_id) DO UPDATE
         SET secret_sealed = coalesce(excluded.secret_sealed,
                                      CASE WHEN s.follows = excluded.follows THEN s.secret_sealed END),
             follows = excluded.follows, expires_at = excluded.expires_at, told_at = excluded.told_at,
             previous_until = coalesce(excluded.previous_until, s.previous_until),
             asked_at = CASE WHEN excluded.secret_sealed IS NULL THEN s.asked_at END
       WHERE s.follows <> excluded.follows OR excluded.told_at > s.told_at
          OR excluded.told_at = s.told_at AND excluded.secret_sealed IS NOT NULL`.execute(db);
    if (secret === undefined) await enqueue({ db }, ROTATE_JOB, {}, { key: ROTATE_JOB });
  });
}

/**
 * Takes a message about the application itself: a new secret, which is sealed and used from now on, or the end of the one in
 * use, for which a new one is asked for. Neither is written down as a notification or into a log. Whether it was one.
 */
export async function takeOfApplication(runtime: Runtime, body: string): Promise<boolean> {
  const told = readIt(body);
  if (!told) return false;
  const fact = factOf(told);
  if (fact.clientId === configOf(runtime).clientId) await keep(runtime, fact);
  else runtime.log.warn({ clientId: fact.clientId }, 'a secret of another application');
  return true;
}
