import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { LoginMember } from '../members.ts';

type Who = Pick<LoginMember, 'company_id' | 'id'>;

/** One account of a group. */
export interface Bound {
  company_id: string;
  id: string;
  account: string;
  name: string;
  company: string;
  image_file_id: string | null;
  group_id: string;
  app_type: string;
}

/** Group of a member, undefined where he is bound to nobody; `db` is a transaction of the system. */
export async function groupOf(db: Db, who: Who): Promise<string | undefined> {
  const row = await db
    .selectFrom('identity.account_bind')
    .select('group_id')
    .where('company_id', '=', who.company_id)
    .where('member_id', '=', who.id)
    .executeTakeFirst();
  return row?.group_id;
}

/** Accounts of a group that still exist, in the order in which they were bound. */
export async function accountsOf(db: Db, groupId: string): Promise<Bound[]> {
  const { rows } = await sql<Bound>`
    SELECT m.company_id, m.id, m.account, m.name, c.name AS company, m.image_file_id, b.group_id, b.app_type
      FROM identity.account_bind b
      JOIN identity.member m ON m.company_id = b.company_id AND m.id = b.member_id AND m.deleted_at IS NULL
      JOIN identity.company c ON c.company_id = b.company_id
     WHERE b.group_id = ${groupId} ORDER BY b.created_at, m.id`.execute(db);
  return rows;
}

/** Group of a member, made with him alone where there is none. */
export async function ensureGroup(db: Db, who: Who, appType: string): Promise<string> {
  const { rows } = await sql<{ group_id: string }>`
    INSERT INTO identity.account_bind (company_id, member_id, group_id, app_type)
    VALUES (${who.company_id}, ${who.id}, ${randomUUID()}, ${appType})
    ON CONFLICT (company_id, member_id) DO UPDATE SET group_id = identity.account_bind.group_id
    RETURNING group_id`.execute(db);
  const [row] = rows;
  if (!row) throw new Error('no group');
  return row.group_id;
}

/**
 * Puts another account of the same person into the caller's group. An account that is bound to others stays with them
 * (该账号已绑定): who knows one password of a group shall not bring strangers into it.
 */
export async function bindTo(db: Db, me: Who, other: Who, appType: string): Promise<string> {
  if (other.id === me.id && other.company_id === me.company_id) throw refused('不能绑定当前账号', 'B0131');
  // Two bindings at once that cross each other must not both find the other alone.
  await sql`SELECT pg_advisory_xact_lock(hashtextextended('account_bind', 3))`.execute(db);
  const known = await groupOf(db, other);
  if (known && ((await accountsOf(db, known)).length > 1 || known === (await groupOf(db, me)))) {
    throw refused('该账号已绑定', 'B0132');
  }
  const groupId = await ensureGroup(db, me, appType);
  await sql`
    INSERT INTO identity.account_bind (company_id, member_id, group_id, app_type)
    VALUES (${other.company_id}, ${other.id}, ${groupId}, ${appType})
    ON CONFLICT (company_id, member_id) DO UPDATE SET group_id = excluded.group_id, app_type = excluded.app_type,
      created_at = kit.now()`.execute(db);
  return groupId;
}

/** The account with this id in the caller's group; anybody else's answers 404. */
export async function boundAccount(db: Db, me: Who, id: string): Promise<Bound> {
  const groupId = await groupOf(db, me);
  const found = groupId ? (await accountsOf(db, groupId)).find((each) => each.id === id) : undefined;
  if (!found) throw notFound();
  return found;
}

/** Takes an account out of its group; a group of one ends. */
export async function release(db: Db, who: Who, groupId: string): Promise<void> {
  await db
    .deleteFrom('identity.account_bind')
    .where('company_id', '=', who.company_id)
    .where('member_id', '=', who.id)
    .execute();
  await sql`
    DELETE FROM identity.account_bind WHERE group_id = ${groupId}
       AND (SELECT count(*) FROM identity.account_bind WHERE group_id = ${groupId}) = 1`.execute(db);
}
