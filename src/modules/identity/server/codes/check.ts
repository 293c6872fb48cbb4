import { sql } from 'kysely';
import type { Db } from '#kit/server/db/database.ts';
import { type AppError, refused } from '#kit/server/errors.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { normalised } from '../../contract/account.ts';
import { codeHash, keyHash, sameHash } from './secret.ts';
import type { Purpose } from './wording.ts';

const ATTEMPTS = 5;
/** A code that was right leaves this much time for the rest of the form. */
const VERIFIED_MINUTES = 10;

const wrong = () => refused('验证码错误或已失效', 'B0110');
const tooMany = () => refused('验证码错误次数过多，请重新获取', 'B0111');

export interface CodeAttempt {
  key: string;
  code: string;
  /** What the code must have been sent for, and to whom; left out only where the final call asks again. */
  purpose?: Purpose;
  target?: string;
}

/**
 * Checks a code in a transaction of its own, so that wrong attempts count whatever becomes of the caller's. Refuses with
 * B0110 (wrong, expired, spent, other purpose or target) or B0111 (five wrong attempts). A right code is marked as
 * verified and not spent.
 */
export async function verifyCode(runtime: Runtime, attempt: CodeAttempt): Promise<void> {
  const problem = await inSystem(runtime, (db) => problemWith(db, attempt));
  if (problem) throw problem;
}

async function problemWith(db: Db, attempt: CodeAttempt): Promise<AppError | undefined> {
  const hash = keyHash(attempt.key);
  const row = await db
    .selectFrom('identity.verify_code')
    .select(['code_hash', 'attempts', 'target', 'purpose'])
    .where('key_hash', '=', hash)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', sql<string>`kit.instant()`)
    .forUpdate()
    .executeTakeFirst();
  if (!row) return wrong();
  if (row.attempts >= ATTEMPTS) return tooMany();
  const right =
    sameHash(row.code_hash, codeHash(attempt.key, attempt.code.trim())) &&
    (attempt.purpose === undefined || attempt.purpose === row.purpose) &&
    (attempt.target === undefined || normalised(attempt.target) === row.target);
  const update = db.updateTable('identity.verify_code').where('key_hash', '=', hash);
  if (!right) {
    await update.set({ attempts: row.attempts + 1 }).execute();
    return row.attempts + 1 >= ATTEMPTS ? tooMany() : wrong();
  }
  await update
    .set({
      verified_at: sql`kit.instant()`,
      expires_at: sql`greatest(expires_at, kit.instant() + make_interval(mins => ${VERIFIED_MINUTES}))`,
    })
    // Asking again and again must not keep a code alive.
    .where('verified_at', 'is', null)
    .execute();
  return undefined;
}

/** A code on its way to being spent. */
export interface SpentCode {
  key: string;
  code: string;
  purpose: Purpose;
  /** Phone or e-mail that the caller is about to act on; it must be the one that the code was sent to. */
  target: string;
}

/**
 * Insists on a code that `verifyCode` found right earlier, without spending it: whoever has none must not get as far as
 * learning anything about the account. Throws B0110.
 */
export async function requireVerified(db: Db, attempt: SpentCode): Promise<void> {
  const row = await db
    .selectFrom('identity.verify_code')
    .select('key_hash')
    .where('key_hash', '=', keyHash(attempt.key))
    .where('purpose', '=', attempt.purpose)
    .where('target', '=', normalised(attempt.target))
    .where('code_hash', '=', codeHash(attempt.key, attempt.code.trim()))
    .where('verified_at', 'is not', null)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', sql<string>`kit.instant()`)
    .executeTakeFirst();
  if (!row) throw wrong();
}

/**
 * Spends a code in the caller's transaction: of two at once one gets it, and with a rollback it is good again. Only a
 * code that `verifyCode` found right counts, so a guess here is worth nothing and needs no count; call `verifyCode`
 * before. Other open codes of the same purpose and target end with it. Throws B0110.
 */
export async function consumeCode(db: Db, spent: SpentCode): Promise<void> {
  const target = normalised(spent.target);
  const row = await db
    .updateTable('identity.verify_code')
    .set({ consumed_at: sql`kit.instant()` })
    .where('key_hash', '=', keyHash(spent.key))
    .where('purpose', '=', spent.purpose)
    .where('target', '=', target)
    .where('code_hash', '=', codeHash(spent.key, spent.code.trim()))
    .where('verified_at', 'is not', null)
    .where('consumed_at', 'is', null)
    .where('expires_at', '>', sql<string>`kit.instant()`)
    .returning('key_hash')
    .executeTakeFirst();
  if (!row) throw wrong();
  await db
    .updateTable('identity.verify_code')
    .set({ consumed_at: sql`kit.instant()` })
    .where('target', '=', target)
    .where('purpose', '=', spent.purpose)
    .where('consumed_at', 'is', null)
    .execute();
}
