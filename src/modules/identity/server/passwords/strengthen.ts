import type { Runtime } from '#kit/server/runtime.ts';
import { hashPassword, isWeakHash } from '../password.ts';

/**
 * Hashes a password anew that was hashed with less effort than today's; unless it was changed meanwhile. Called with a
 * password that was just found right.
 */
export async function strengthen(
  { runtime }: { runtime: Runtime },
  member: { company_id: string; id: string; password_hash: string },
  password: string,
): Promise<void> {
  if (!isWeakHash(member.password_hash)) return;
  const fresh = await hashPassword(password, runtime.secrets.pepper);
  await runtime.connections.tenant(member.company_id, (db) =>
    db
      .updateTable('identity.member')
      .set({ password_hash: fresh })
      .where('company_id', '=', member.company_id)
      .where('id', '=', member.id)
      .where('password_hash', '=', member.password_hash)
      .execute(),
  );
}
