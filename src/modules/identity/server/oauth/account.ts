import { sql } from 'kysely';
import type { Account } from 'oidc-provider';
import type { Db } from '#kit/server/db/database.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import { liveGrant } from './grants.ts';

/** Which of a person's data come with which scope (OpenID Connect Core 1.0, section 5.4; the company's are ours). */
export const CLAIMS: Readonly<Record<string, readonly string[]>> = {
  openid: ['sub'],
  profile: ['name', 'preferred_username', 'company', 'company_id'],
  email: ['email', 'email_verified'],
  phone: ['phone_number', 'phone_number_verified'],
};

interface Person {
  account: string;
  name: string;
  email: string | null;
  email_verified: boolean;
  tel: string | null;
  company: string;
}

async function personOf(db: Db, companyId: string, memberId: string): Promise<Person | undefined> {
  const { rows } = await sql<Person>`
    SELECT m.account, m.name, m.email, m.email_verified, m.tel, c.name AS company
      FROM identity.member m JOIN identity.company c USING (company_id)
     WHERE m.company_id = ${companyId} AND m.id = ${memberId}`.execute(db);
  return rows[0];
}

/** Accounts are e-mail addresses or phone numbers that somebody entered: nobody proved them by that. */
function emailOf(person: Person) {
  const email = person.email ?? (person.account.includes('@') ? person.account : null);
  return email ? { email, email_verified: person.email !== null && person.email_verified } : {};
}

function phoneOf(person: Person) {
  const phone = person.tel ?? (person.account.startsWith('+') ? person.account : null);
  return phone ? { phone_number: phone, phone_number_verified: false } : {};
}

/** The person behind a grant that still holds. His id is the subject, whatever he is called later. */
export async function accountOf(runtime: Runtime, grantId: string): Promise<Account | undefined> {
  return inSystem(
    runtime,
    async (db) => {
      const grant = await liveGrant(db, grantId);
      const person = grant && (await personOf(db, grant.companyId, grant.memberId));
      if (!person) return undefined;
      const claims = {
        sub: grant.memberId,
        name: person.name,
        preferred_username: person.account,
        company: person.company,
        company_id: grant.companyId,
        ...emailOf(person),
        ...phoneOf(person),
      };
      return { accountId: grant.memberId, claims: () => claims };
    },
    { readOnly: true },
  );
}
