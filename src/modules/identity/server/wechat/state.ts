import { randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { refused } from '#kit/server/errors.ts';
import { hashOf } from '../sessions.ts';
import type { WechatPerson } from './provider.ts';

/** A QR picture works this long. */
export const STATE_SECONDS = 300;
const PURGE = 100;

export type Purpose = 'bind' | 'login' | 'choose';

/** Keeps what a browser began; `holder` is what only that browser can show when it comes back. */
export async function openState(db: Db, purpose: Purpose, holder: string, person?: WechatPerson): Promise<string> {
  const state = randomBytes(24).toString('base64url');
  await sql`
    DELETE FROM identity.external_state WHERE state_hash IN (
      SELECT state_hash FROM identity.external_state WHERE expires_at < kit.now() LIMIT ${PURGE} FOR UPDATE SKIP LOCKED)`.execute(
    db,
  );
  await db
    .insertInto('identity.external_state')
    .values({
      state_hash: hashOf(state),
      holder_hash: hashOf(holder),
      purpose,
      person: person ? JSON.stringify(person) : null,
      expires_at: sql`kit.now() + make_interval(secs => ${STATE_SECONDS})`,
    })
    .execute();
  return state;
}

/**
 * Uses up a state: it must be of this purpose, in time, and brought by the browser that began it. Refuses with B0150.
 */
export async function takeState(db: Db, state: string, purpose: Purpose, holder: string): Promise<WechatPerson | null> {
  const row = await db
    .deleteFrom('identity.external_state')
    .where('state_hash', '=', hashOf(state))
    .where('purpose', '=', purpose)
    .where('holder_hash', '=', hashOf(holder))
    .where('expires_at', '>', sql<string>`kit.now()`)
    .returning('person')
    .executeTakeFirst();
  if (!row) throw refused('二维码已失效，请重新扫码', 'B0150');
  return row.person as WechatPerson | null;
}
