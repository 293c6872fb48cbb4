import { sql } from 'kysely';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { type ClientState, type ClientStore, freshClient } from './captcha/limits.ts';
import type { CaptchaStore } from './captcha/service.ts';

/** Challenges and passes in PostgreSQL, so that any process can check what another drew; each is taken once. */
export function sqlCaptchaStore(runtime: Pick<Runtime, 'connections'>): CaptchaStore {
  return {
    async insert(challenge) {
      await inSystem(runtime, (db) =>
        db
          .insertInto('identity.captcha_challenge')
          .values({
            token: challenge.token,
            type: challenge.type,
            answer: JSON.stringify(challenge.answer),
            secret_key: challenge.secretKey,
            created_at: new Date(challenge.createdAt),
            expires_at: new Date(challenge.expiresAt),
          })
          .execute(),
      );
    },
    async take(token) {
      const row = await inSystem(runtime, (db) =>
        db.deleteFrom('identity.captcha_challenge').where('token', '=', token).returningAll().executeTakeFirst(),
      );
      if (!row) return undefined;
      return {
        token: row.token,
        type: row.type,
        answer: row.answer,
        secretKey: row.secret_key,
        createdAt: Date.parse(row.created_at),
        expiresAt: Date.parse(row.expires_at),
      } as Awaited<ReturnType<CaptchaStore['take']>>;
    },
    async savePass(hash, expiresAt) {
      await inSystem(runtime, async (db) => {
        await db.deleteFrom('identity.captcha_pass').where('expires_at', '<', sql<string>`kit.now()`).execute();
        await db.deleteFrom('identity.captcha_challenge').where('expires_at', '<', sql<string>`kit.now()`).execute();
        await db
          .insertInto('identity.captcha_pass')
          .values({ hash, expires_at: new Date(expiresAt) })
          .execute();
      });
    },
    async takePass(hash) {
      const row = await inSystem(runtime, (db) =>
        db
          .deleteFrom('identity.captcha_pass')
          .where('hash', '=', hash)
          .where('expires_at', '>', sql<string>`kit.now()`)
          .returning('hash')
          .executeTakeFirst(),
      );
      return row !== undefined;
    },
  };
}

/** The limits per client in PostgreSQL: calls through any process count together. */
export function sqlClientStore(runtime: Pick<Runtime, 'connections'>): ClientStore {
  return {
    change: (client, change) =>
      inSystem(runtime, async (db) => {
        // The row is there and locked after this, also for who calls for the first time twice at once.
        const row = await db
          .insertInto('identity.captcha_client')
          .values({ client, state: JSON.stringify(freshClient()) })
          .onConflict((conflict) => conflict.column('client').doUpdateSet({ seen_at: sql`kit.now()` }))
          .returning('state')
          .executeTakeFirstOrThrow();
        const state = row.state as unknown as ClientState;
        const result = change(state);
        await db
          .updateTable('identity.captcha_client')
          .set({ state: JSON.stringify(state) })
          .where('client', '=', client)
          .execute();
        return result;
      }),
  };
}
