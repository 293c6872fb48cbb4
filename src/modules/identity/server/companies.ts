import type { Db } from '#kit/server/db/database.ts';
import { hashPassword } from './password.ts';

export interface NewCompany {
  name: string;
  owner: { account: string; password: string; name: string; email?: string; tel?: string };
}

/** Makes a company and its owner in the caller's transaction (the id is chosen first, so that it is its tenant's). */
export async function createCompany(db: Db, companyId: string, input: NewCompany, pepper: string): Promise<string> {
  return createCompanyWith(db, companyId, input, await hashPassword(input.owner.password, pepper));
}

/** The same with a password hash that was computed before the transaction began. */
export async function createCompanyWith(
  db: Db,
  companyId: string,
  input: { name: string; owner: Omit<NewCompany['owner'], 'password'> },
  passwordHash: string,
): Promise<string> {
  await db.insertInto('identity.company').values({ company_id: companyId, name: input.name }).execute();
  const member = await db
    .insertInto('identity.member')
    .values({
      company_id: companyId,
      account: input.owner.account,
      password_hash: passwordHash,
      name: input.owner.name,
      email: input.owner.email ?? null,
      tel: input.owner.tel ?? null,
      user_type: 'owner',
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return member.id;
}

/** Adds a member with the codes of one role named after him; used by demo data and tests until roles have a screen. */
export async function createMember(
  db: Db,
  companyId: string,
  input: { account: string; password: string; name: string; codes: readonly string[] },
  pepper: string,
): Promise<string> {
  const member = await db
    .insertInto('identity.member')
    .values({
      company_id: companyId,
      account: input.account,
      password_hash: await hashPassword(input.password, pepper),
      name: input.name,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  const role = await db
    .insertInto('identity.role')
    .values({ company_id: companyId, name: `${input.name}的角色` })
    .returning('id')
    .executeTakeFirstOrThrow();
  await db
    .insertInto('identity.role_scope')
    .values(
      ['store', 'warehouse', 'owner'].map((dimension) => ({
        company_id: companyId,
        role_id: role.id,
        dimension,
        mode: 'ALL',
      })),
    )
    .execute();
  if (input.codes.length > 0) {
    await db
      .insertInto('identity.role_permission')
      .values(input.codes.map((code) => ({ company_id: companyId, role_id: role.id, code })))
      .execute();
  }
  await db
    .insertInto('identity.member_role')
    .values({ company_id: companyId, member_id: member.id, role_id: role.id })
    .execute();
  return member.id;
}
