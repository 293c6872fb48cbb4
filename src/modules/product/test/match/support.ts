import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Person, World } from '#test/support/world.ts';

export const SITES = { US: 'ATVPDKIKX0DER', CA: 'A2EUQ1WTGCTBG2', UK: 'A1F83G8C2ARO7P', DE: 'A1PA6795UKMFR9' } as const;

export interface Offer {
  site: keyof typeof SITES;
  msku: string;
  asin?: string;
  fnsku?: string;
  parent?: string;
  title?: string;
}

/** A store with one account. */
export async function account(world: World, person: Person, name: string): Promise<string> {
  return world.as(person, async ({ db }) => {
    const [store, id] = [randomUUID(), randomUUID()];
    await sql`INSERT INTO marketplace.store (company_id, id, name) VALUES (${person.companyId}, ${store}, ${name})`.execute(
      db,
    );
    await sql`
      INSERT INTO marketplace.seller_account (company_id, id, store_id, selling_partner_id, region, application_id, refresh_token_sealed, expires_at)
      VALUES (${person.companyId}, ${id}, ${store}, ${id}, 'na', 'test', '-', kit.now() + interval '1 year')`.execute(
      db,
    );
    return id;
  });
}

/** Offers of an account. */
export async function offers(world: World, person: Person, accountId: string, list: readonly Offer[]): Promise<void> {
  await world.as(person, ({ db }) =>
    sql`
      INSERT INTO listing.listing (company_id, account_id, marketplace_id, seller_sku, currency, title, asin, fnsku, parent_asin, status, source, as_of, first_seen_at)
      SELECT ${person.companyId}, ${accountId}, o.site, o.msku, 'USD', coalesce(o.title, 'Title of ' || o.msku), o.asin, o.fnsku, o.parent, 'ACTIVE', 'api', kit.now(), kit.now()
        FROM jsonb_to_recordset(${JSON.stringify(list.map((one) => ({ ...one, site: SITES[one.site] })))}::jsonb)
          AS o(site text, msku text, asin text, fnsku text, parent text, title text)`.execute(db),
  );
}
