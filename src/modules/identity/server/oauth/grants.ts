import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { liveSessions } from '../people.ts';
import { hashOf } from '../sessions.ts';

/** No session lasts longer, and no grant longer than its session. */
export const GRANT_SECONDS = 7 * 86_400;

/** What a person let a client know of him, while his session lives and the client is in service. */
export interface Grant {
  companyId: string;
  memberId: string;
  /** As the client calls itself. */
  clientId: string;
  scopes: string[];
  /** Epoch seconds. */
  issuedAt: number;
  expiresAt: number;
}

type Found = Grant & { sessionId: string };

/** A grant that still holds, by its id; `db` is a transaction of the system. */
export async function liveGrant(db: Db, id: string): Promise<Grant | undefined> {
  const { rows } = await sql<Found>`
    SELECT g.company_id AS "companyId", g.member_id AS "memberId", g.session_id AS "sessionId",
           o.client_id AS "clientId",
           -- What the operator took from the client since then it does not get any more.
           ARRAY(SELECT unnest(g.scopes) INTERSECT SELECT unnest(o.scopes)) AS scopes,
           floor(extract(epoch FROM g.created_at - kit.clock_shift()))::int AS "issuedAt",
           floor(extract(epoch FROM g.expires_at - kit.clock_shift()))::int AS "expiresAt"
      FROM identity.oauth_grant g JOIN identity.oauth_client o ON o.id = g.client_ref AND NOT o.is_disabled
     WHERE g.id_hash = ${hashOf(id)} AND g.expires_at > kit.now()`.execute(db);
  const found = rows[0];
  if (!found) return undefined;
  return (await liveSessions(db, [found.sessionId])).has(found.sessionId) ? found : undefined;
}

export interface NewGrant {
  companyId: string;
  memberId: string;
  sessionId: string;
  clientRef: string;
  scopes: readonly string[];
}

/** Keeps what a person agreed to; returns the id of the grant. */
export async function insertGrant(db: Db, grant: NewGrant): Promise<string> {
  const id = randomBytes(32).toString('base64url');
  await db
    .insertInto('identity.oauth_grant')
    .values({
      company_id: grant.companyId,
      id_hash: hashOf(id),
      member_id: grant.memberId,
      session_id: grant.sessionId,
      client_ref: grant.clientRef,
      scopes: [...grant.scopes],
      expires_at: sql`kit.now() + make_interval(secs => ${GRANT_SECONDS})`,
    })
    .execute();
  return id;
}

/** Whether a person has agreed to all of this in the same session before. */
export async function agreedBefore(db: Db, grant: NewGrant): Promise<boolean> {
  const { rows } = await sql`
    SELECT FROM identity.oauth_grant
     WHERE company_id = ${grant.companyId} AND session_id = ${grant.sessionId} AND client_ref = ${grant.clientRef}
       AND scopes @> ${[...grant.scopes]}::text[] AND expires_at > kit.now() LIMIT 1`.execute(db);
  return rows.length > 0;
}

/** Takes a grant back, with all codes and tokens that hang on it. */
export async function endGrant(db: Db, id: string): Promise<void> {
  await db.deleteFrom('identity.oauth_grant').where('id_hash', '=', hashOf(id)).execute();
}
