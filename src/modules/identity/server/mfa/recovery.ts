import { createHmac, randomInt } from 'node:crypto';
import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';

const CODES = 8;
const HALF = 5;
/** Without look-alikes: 0 and o, 1, i and l. */
const SIGNS = 'abcdefghjkmnpqrstuvwxyz23456789';

type Who = { company_id: string; id: string };

function newCode(): string {
  const half = () => Array.from({ length: HALF }, () => SIGNS[randomInt(SIGNS.length)]).join('');
  return `${half()}-${half()}`;
}

/** The key lives outside the database: codes of 50 bits could be found from plain hashes. */
function hashedBy(pepper: string, who: Who, code: string): string {
  const plain = code.toLowerCase().replace(/[^a-z0-9]/g, '');
  return createHmac('sha256', pepper).update(`${who.company_id}:${who.id}:${plain}`).digest('hex');
}

/** Replaces a member's recovery codes by eight new ones and returns them, the only time that they are seen. */
export async function renewCodes(db: Db, who: Who, pepper: string): Promise<string[]> {
  const codes = Array.from({ length: CODES }, newCode);
  await db
    .deleteFrom('identity.mfa_recovery')
    .where('company_id', '=', who.company_id)
    .where('member_id', '=', who.id)
    .execute();
  await db
    .insertInto('identity.mfa_recovery')
    .values(
      codes.map((code) => ({ company_id: who.company_id, member_id: who.id, code_hash: hashedBy(pepper, who, code) })),
    )
    .execute();
  return codes;
}

/** Uses up a recovery code; false where it is wrong or was used before. */
export async function spendCode(db: Db, who: Who, code: string, pepper: string): Promise<boolean> {
  const row = await db
    .updateTable('identity.mfa_recovery')
    .set({ used_at: sql`kit.now()` })
    .where('company_id', '=', who.company_id)
    .where('member_id', '=', who.id)
    .where('code_hash', '=', hashedBy(pepper, who, code))
    .where('used_at', 'is', null)
    .returning('code_hash')
    .executeTakeFirst();
  return row !== undefined;
}

/** How many codes a member has left. */
export async function codesLeft(db: Db, who: Who): Promise<number> {
  const row = await db
    .selectFrom('identity.mfa_recovery')
    .select((eb) => eb.fn.countAll<number>().as('n'))
    .where('company_id', '=', who.company_id)
    .where('member_id', '=', who.id)
    .where('used_at', 'is', null)
    .executeTakeFirst();
  return row?.n ?? 0;
}
