import type pg from 'pg';
import type { Secrets } from '#kit/server/secrets.ts';
import { type Sandbox, sandboxApp } from '#sandbox/index.ts';

/** Who consents for whom: an account of the sandbox works for a company. */
export interface Consent {
  companyId: string;
  sellingPartnerId: string;
  region: 'na' | 'eu' | 'fe';
  marketplaceIds: readonly string[];
}

/**
 * Writes the consents of many sellers at once, each a store of its own: the rows that as many consent pages would have
 * left, without the first synchronisation that follows them. `admin` speaks as the owner of the tables.
 */
export async function writeConsents(
  admin: Pick<pg.Client, 'query'>,
  secrets: Pick<Secrets, 'encrypt'>,
  sandbox: Sandbox,
  consents: readonly Consent[],
): Promise<void> {
  const rows = consents.map(({ companyId, sellingPartnerId, region, marketplaceIds }) => {
    const body = { clientId: sandboxApp.clientId, sellingPartnerId, region, consentAt: Date.now() };
    const sealed = secrets.encrypt(sandbox.world.mint.issue({ kind: 'refresh', body }));
    return { company_id: companyId, selling_partner_id: sellingPartnerId, region, sealed, sites: marketplaceIds };
  });
  await admin.query(
    `WITH given AS MATERIALIZED (
            SELECT *, gen_random_uuid() AS store, gen_random_uuid() AS id
              FROM jsonb_to_recordset($1::jsonb) AS r(company_id uuid, selling_partner_id text, region text, sealed text,
                                                      sites jsonb)),
          stores AS (INSERT INTO marketplace.store (company_id, id, name)
                     SELECT company_id, store, selling_partner_id || ' ' || region FROM given),
          accounts AS (INSERT INTO marketplace.seller_account
                         (company_id, id, store_id, selling_partner_id, region, application_id, refresh_token_sealed, expires_at)
                       SELECT company_id, id, store, selling_partner_id, region, $2, sealed, kit.now() + interval '1 year'
                         FROM given)
     INSERT INTO marketplace.seller_marketplace (company_id, account_id, marketplace_id)
     SELECT company_id, id, jsonb_array_elements_text(sites) FROM given`,
    [JSON.stringify(rows), sandboxApp.applicationId],
  );
}
