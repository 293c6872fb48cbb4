import { createHash, timingSafeEqual } from 'node:crypto';
import type { AdapterPayload } from 'oidc-provider';
import type { Db } from '#kit/server/db/database.ts';
import { NOBODYS_COMPANY } from '../../contract/operator.ts';

/** What the operator keeps of a client that may be used now. */
export interface KnownClient {
  id: string;
  clientId: string;
  name: string;
  secretHash: string;
  scopes: string[];
  grants: string[];
  tokenSeconds: number;
  redirectUris: string[];
  autoApprove: boolean;
}

/** A client by the name that it calls itself; disabled ones are not there. `db` is a transaction of the system. */
export async function clientCalled(db: Db, clientId: string): Promise<KnownClient | undefined> {
  return db
    .selectFrom('identity.oauth_client')
    .select([
      'id',
      'client_id as clientId',
      'name',
      'secret_hash as secretHash',
      'scopes',
      'grants',
      'token_seconds as tokenSeconds',
      'redirect_uris as redirectUris',
      'auto_approve as autoApprove',
    ])
    .where('company_id', '=', NOBODYS_COMPANY)
    .where('client_id', '=', clientId)
    .where('is_disabled', '=', false)
    .executeTakeFirst();
}

/**
 * A client in the words of OpenID Connect Dynamic Client Registration 1.0. Where it says secret stands its hash: see
 * secretFits. One way only for each choice, so that nothing is reachable that nobody thought of: the code in the query
 * of the redirect address, RS256 under id tokens.
 */
export function metadataOf(client: KnownClient): AdapterPayload {
  return {
    client_id: client.clientId,
    client_name: client.name,
    client_secret: client.secretHash,
    token_endpoint_auth_method: 'client_secret_basic',
    grant_types: client.grants,
    response_types: ['code'],
    response_modes: ['query'],
    redirect_uris: client.redirectUris,
    scope: client.scopes.join(' '),
    id_token_signed_response_alg: 'RS256',
    token_seconds: client.tokenSeconds,
  };
}

/** Whether a secret is the one whose hash is kept. 256 random bits need no slow hash. */
export function secretFits(hash: string, secret: string): boolean {
  const given = createHash('sha256').update(secret).digest();
  const kept = Buffer.from(hash, 'hex');
  return kept.length === given.length && timingSafeEqual(kept, given);
}
