import { sql } from 'kysely';
import { type Adapter, type AdapterPayload, errors } from 'oidc-provider';
import type { Db } from '#kit/server/db/database.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import type { Secrets } from '#kit/server/secrets.ts';
import { NOBODYS_COMPANY } from '../../contract/operator.ts';
import { hashOf } from '../sessions.ts';
import { clientCalled, metadataOf } from './clients.ts';
import { endGrant, liveGrant } from './grants.ts';

type Store = Pick<Runtime, 'connections' | 'secrets'>;

/** Answers for what is never asked or kept. */
const NOTHING: Adapter = {
  upsert: async () => undefined,
  find: async () => undefined,
  findByUid: async () => undefined,
  findByUserCode: async () => undefined,
  consume: async () => undefined,
  destroy: async () => undefined,
  revokeByGrantId: async () => undefined,
};

function clients(store: Store): Adapter {
  return {
    ...NOTHING,
    find: (id) =>
      inSystem(
        store,
        async (db) => {
          const client = await clientCalled(db, id);
          return client && metadataOf(client);
        },
        { readOnly: true },
      ),
  };
}

/** Grants are rows of their own: whether one holds depends on its session, its member and its client as they are now. */
function grants(store: Store): Adapter {
  return {
    ...NOTHING,
    find: (id) =>
      inSystem(
        store,
        async (db) => {
          const grant = await liveGrant(db, id);
          if (!grant) return undefined;
          return {
            jti: id,
            kind: 'Grant',
            accountId: grant.memberId,
            clientId: grant.clientId,
            openid: { scope: grant.scopes.join(' ') },
            iat: grant.issuedAt,
            exp: grant.expiresAt,
          };
        },
        { readOnly: true },
      ),
    destroy: (id) => inSystem(store, (db) => endGrant(db, id)),
  };
}

/** Sealed under a master key that is gone, a token is as good as none. */
function opened(secrets: Secrets, sealed: string): AdapterPayload | undefined {
  try {
    return JSON.parse(secrets.decrypt(sealed)) as AdapterPayload;
  } catch {
    return undefined;
  }
}

/** The operator's list says when a client was last used. */
async function markUsed(db: Db, clientId: string): Promise<void> {
  await sql`
    UPDATE identity.oauth_client SET last_used_at = kit.now()
     WHERE company_id = ${NOBODYS_COMPANY} AND client_id = ${clientId}
       AND (last_used_at IS NULL OR last_used_at < kit.now() - interval '1 minute')`.execute(db);
}

async function keep(db: Db, kind: string, id: string, payload: AdapterPayload, sealed: string, seconds: number) {
  const grantId = payload.grantId;
  // A code or token whose grant was taken back meanwhile finds no row to hang on.
  const owner = grantId
    ? sql`SELECT company_id, id_hash FROM identity.oauth_grant WHERE id_hash = ${hashOf(grantId)} FOR KEY SHARE`
    : sql`SELECT ${NOBODYS_COMPANY}::uuid AS company_id, NULL::text AS id_hash`;
  const { rows } = await sql`
    INSERT INTO identity.oauth_record (company_id, kind, id_hash, grant_hash, sealed, expires_at)
    SELECT o.company_id, ${kind}, ${hashOf(id)}, o.id_hash, ${sealed}, kit.now() + make_interval(secs => ${seconds})
      FROM (${owner}) AS o
    ON CONFLICT (company_id, kind, id_hash) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at
    RETURNING kind`.execute(db);
  if (rows.length === 0) throw new errors.InvalidGrant('grant not found');
  if (kind === 'AccessToken' && payload.clientId) await markUsed(db, payload.clientId);
}

interface Row {
  sealed: string;
  consumed: number | null;
}

async function read(db: Db, kind: string, id: string): Promise<Row | undefined> {
  const { rows } = await sql<Row>`
    SELECT sealed, floor(extract(epoch FROM consumed_at - kit.clock_shift()))::int AS consumed FROM identity.oauth_record
     WHERE id_hash = ${hashOf(id)} AND kind = ${kind} AND expires_at > kit.now()`.execute(db);
  return rows[0];
}

/** Uses up a code or refresh token; false for the second of two that come at once. */
async function useUp(db: Db, kind: string, id: string): Promise<boolean> {
  const { rows } = await sql`
    UPDATE identity.oauth_record SET consumed_at = kit.now()
     WHERE id_hash = ${hashOf(id)} AND kind = ${kind} AND consumed_at IS NULL RETURNING kind`.execute(db);
  return rows.length > 0;
}

/** Takes back everything that hangs on the grant of a record. */
async function endGrantOf(db: Db, kind: string, id: string): Promise<void> {
  await sql`
    DELETE FROM identity.oauth_grant g USING identity.oauth_record r
     WHERE r.id_hash = ${hashOf(id)} AND r.kind = ${kind}
       AND g.company_id = r.company_id AND g.id_hash = r.grant_hash`.execute(db);
}

function records(store: Store, kind: string): Adapter {
  const { secrets } = store;
  return {
    ...NOTHING,
    upsert: (id, payload, expiresIn = 0) =>
      inSystem(store, (db) => keep(db, kind, id, payload, secrets.encrypt(JSON.stringify(payload)), expiresIn)),
    find: async (id) => {
      const row = await inSystem(store, (db) => read(db, kind, id), { readOnly: true });
      const payload = row && opened(secrets, row.sealed);
      return payload && row.consumed !== null ? { ...payload, consumed: row.consumed } : payload;
    },
    consume: async (id) => {
      if (await inSystem(store, (db) => useUp(db, kind, id))) return;
      await inSystem(store, (db) => endGrantOf(db, kind, id));
      throw new errors.InvalidGrant('already used');
    },
    destroy: (id) =>
      inSystem(store, async (db) => {
        await db
          .deleteFrom('identity.oauth_record')
          .where('id_hash', '=', hashOf(id))
          .where('kind', '=', kind)
          .execute();
      }),
    revokeByGrantId: (grantId) =>
      inSystem(store, async (db) => {
        await db
          .deleteFrom('identity.oauth_record')
          .where('grant_hash', '=', hashOf(grantId))
          .where('kind', '=', kind)
          .execute();
      }),
  };
}

/**
 * Where the provider keeps what it must remember, shared by all processes: PostgreSQL. Sessions are not kept: the one
 * session of a browser is the product's, which the page shows anew for each log-in.
 */
export function adapterOn(store: Store): (kind: string) => Adapter {
  return (kind) => {
    if (kind === 'Client') return clients(store);
    if (kind === 'Grant') return grants(store);
    return kind === 'Session' ? NOTHING : records(store, kind);
  };
}
