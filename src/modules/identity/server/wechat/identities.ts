import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { accountsOf, groupOf } from '../bind/groups.ts';
import type { WechatPerson } from './provider.ts';

export const PROVIDER = 'wechatWeb';

type Who = { company_id: string; id: string };

/** Accounts that a person of WeChat may enter; `db` is a transaction of the system. */
export async function holdersOf(db: Db, unionId: string): Promise<{ company_id: string; id: string }[]> {
  const { rows } = await sql<{ company_id: string; id: string }>`
    SELECT e.company_id, e.member_id AS id FROM identity.external_identity e
      JOIN identity.member m ON m.company_id = e.company_id AND m.id = e.member_id AND m.deleted_at IS NULL
     WHERE e.provider = ${PROVIDER} AND e.union_id = ${unionId} ORDER BY e.created_at, e.id`.execute(db);
  return rows;
}

/**
 * Binds a person of WeChat to an account. One person may stand for several accounts as long as they are bound to each
 * other; anybody else's is refused (B0153).
 */
export async function bindPerson(db: Db, me: Who, person: WechatPerson) {
  await sql`SELECT pg_advisory_xact_lock(hashtextextended(${person.unionId}, 4))`.execute(db);
  const groupId = await groupOf(db, me);
  const mine = new Set([me.id, ...(groupId ? await accountsOf(db, groupId) : []).map((each) => each.id)]);
  const others = (await holdersOf(db, person.unionId)).filter((holder) => !mine.has(holder.id));
  if (others.length > 0) throw refused('该微信已绑定其他账号', 'B0153');
  const { rows } = await sql<{ id: string; open_id: string; nickname: string | null; created_at: string }>`
    INSERT INTO identity.external_identity (company_id, member_id, provider, open_id, union_id, nickname)
    VALUES (${me.company_id}, ${me.id}, ${PROVIDER}, ${person.openId}, ${person.unionId}, ${person.nickname})
    ON CONFLICT (company_id, provider, open_id, member_id) DO UPDATE SET nickname = excluded.nickname
    RETURNING id, open_id, nickname, created_at`.execute(db);
  const [row] = rows;
  if (!row) throw notFound();
  return { id: row.id, openid: row.open_id, nickname: row.nickname, boundAt: row.created_at };
}

/** What of WeChat is bound to an account. */
export async function identitiesOf(db: Db, me: Who) {
  const rows = await db
    .selectFrom('identity.external_identity')
    .select(['id', 'open_id', 'nickname', 'created_at'])
    .where('company_id', '=', me.company_id)
    .where('member_id', '=', me.id)
    .where('provider', '=', PROVIDER)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ id: row.id, openid: row.open_id, nickname: row.nickname, boundAt: row.created_at }));
}

/** Takes a person of WeChat off an account; 404 where they are not bound to each other. */
export async function unbindPerson(db: Db, who: Who, openId: string): Promise<void> {
  const row = await db
    .deleteFrom('identity.external_identity')
    .where('company_id', '=', who.company_id)
    .where('member_id', '=', who.id)
    .where('provider', '=', PROVIDER)
    .where('open_id', '=', openId)
    .returning('id')
    .executeTakeFirst();
  if (!row) throw notFound();
}
