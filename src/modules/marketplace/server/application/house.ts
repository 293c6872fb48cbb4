import { createHash } from 'node:crypto';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import type { LwaClient } from '../api/lwa.ts';
import { configOf } from '../settings.ts';

/** What a kept secret follows: the configured one, without saying it. SHA-256, hex. */
export function fingerprint(secret: string): string {
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * The application of this installation with the secret that is good now: the one that Amazon sent last, or the configured one
 * where none came, or where another one has been configured since.
 */
export async function houseClient(runtime: Runtime): Promise<LwaClient> {
  const { lwaTokenUrl: tokenUrl, clientId, clientSecret } = configOf(runtime);
  const kept = await inSystem(runtime, (db) =>
    db
      .selectFrom('marketplace.application_secret')
      .select('secret_sealed')
      .where('client_id', '=', clientId)
      .where('follows', '=', fingerprint(clientSecret))
      .executeTakeFirst(),
  );
  const sealed = kept?.secret_sealed;
  return { tokenUrl, clientId, clientSecret: sealed ? runtime.secrets.decrypt(sealed) : clientSecret };
}
