import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import type { Secrets } from '#kit/server/secrets.ts';
import { hashOf } from '../sessions.ts';
import { SsoProblem } from './problem.ts';

/** Time to log in at the provider. */
const FLOW_SECONDS = 600;
const PURGE = 100;
const KEEP_DAYS = 8;

/** What only we know of a log-in that is under way. */
export interface Flow {
  nonce: string;
  verifier: string;
}

/** One cleaner at a time: two of them could wait for each other. */
async function purge(db: Db): Promise<void> {
  const { rows } = await sql<{ mine: boolean }>`
    SELECT pg_try_advisory_xact_lock(hashtextextended('identity.sso_flow', 5)) AS mine`.execute(db);
  if (!rows[0]?.mine) return;
  await sql`
    DELETE FROM identity.sso_flow WHERE state_hash IN (
      SELECT state_hash FROM identity.sso_flow WHERE expires_at < kit.now() LIMIT ${PURGE})`.execute(db);
  // Tokens say who somebody is; they are not kept longer than a session can last.
  await sql`
    DELETE FROM identity.sso_session WHERE (company_id, session_id) IN (
      SELECT company_id, session_id FROM identity.sso_session
       WHERE created_at < kit.now() - make_interval(days => ${KEEP_DAYS}) LIMIT ${PURGE})`.execute(db);
}

/** Keeps a log-in that begins; `holder` is the secret of the browser that began it. */
export async function openFlow(db: Db, secrets: Secrets, state: string, holder: string, flow: Flow): Promise<void> {
  await purge(db);
  await db
    .insertInto('identity.sso_flow')
    .values({
      state_hash: hashOf(state),
      holder_hash: hashOf(holder),
      sealed: secrets.encrypt(JSON.stringify(flow)),
      expires_at: sql`kit.now() + make_interval(secs => ${FLOW_SECONDS})`,
    })
    .execute();
}

/** Uses up a log-in under way: in time, and brought by the browser that began it. @throws SsoProblem "state" */
export async function takeFlow(db: Db, secrets: Secrets, state: string, holder: string): Promise<Flow> {
  const row = await db
    .deleteFrom('identity.sso_flow')
    .where('state_hash', '=', hashOf(state))
    .where('holder_hash', '=', hashOf(holder))
    .where('expires_at', '>', sql<string>`kit.now()`)
    .returning('sealed')
    .executeTakeFirst();
  if (!row) throw new SsoProblem('state');
  return JSON.parse(secrets.decrypt(row.sealed)) as Flow;
}
