import { createHash, generateKeyPair, randomUUID } from 'node:crypto';
import { promisify } from 'node:util';
import { sql } from 'kysely';
import type { JWK } from 'oidc-provider';
import type { Db } from '#kit/server/db/database.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import type { Secrets } from '#kit/server/secrets.ts';
import { NOBODYS_COMPANY } from '../../contract/operator.ts';

const generate = promisify(generateKeyPair);
const MODULUS_BITS = 2048;

/** What a provider signs with: its private key, and a text that cookies are signed with. */
export interface ProviderKeys {
  signing: JWK;
  cookies: string;
}

async function newKey(): Promise<JWK> {
  const { privateKey } = await generate('rsa', { modulusLength: MODULUS_BITS });
  return { ...privateKey.export({ format: 'jwk' }), kid: randomUUID(), use: 'sig', alg: 'RS256' } as JWK;
}

/** Sealed under a master key that is gone, a key is as good as none. */
function opened(secrets: Secrets, sealed: string): JWK | undefined {
  try {
    return JSON.parse(secrets.decrypt(sealed)) as JWK;
  } catch {
    return undefined;
  }
}

async function stored(db: Db, secrets: Secrets): Promise<JWK | undefined> {
  const rows = await db
    .selectFrom('identity.oauth_key')
    .select('sealed')
    .where('company_id', '=', NOBODYS_COMPANY)
    .orderBy('id', 'desc')
    .execute();
  return rows.map((row) => opened(secrets, row.sealed)).find((key) => key !== undefined);
}

/** The one key of this installation, whichever process comes first: the others wait for it and take it. */
async function signingKey({ connections, secrets }: Pick<Runtime, 'connections' | 'secrets'>): Promise<JWK> {
  return inSystem({ connections }, async (db) => {
    await sql`SELECT pg_advisory_xact_lock(hashtextextended('identity.oauth_key', 6))`.execute(db);
    const known = await stored(db, secrets);
    if (known) return known;
    const fresh = await newKey();
    await db
      .insertInto('identity.oauth_key')
      .values({ company_id: NOBODYS_COMPANY, sealed: secrets.encrypt(JSON.stringify(fresh)) })
      .execute();
    return fresh;
  });
}

/** Reads the key of the installation, or makes it the first time. */
export async function providerKeys(runtime: Pick<Runtime, 'connections' | 'secrets'>): Promise<ProviderKeys> {
  const signing = await signingKey(runtime);
  const cookies = createHash('sha256').update(`oauth2 cookies\n${signing.d}`).digest('hex');
  return { signing, cookies };
}
