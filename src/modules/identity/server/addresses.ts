import type { Ctx } from '#kit/server/context.ts';
import { PHONE } from '../contract/account.ts';

/** Where somebody can be reached outside the product. */
export interface Addresses {
  id: string;
  name: string;
  account: string;
  /** Proven to be his: his account, or an address that he activated. */
  email: string | null;
  /** Mobile of mainland China in eleven digits, or any in E.164: his account, else the one that he entered. */
  phone: string | null;
}

/** Addresses of those who work in the caller's company now: of the given members, or of all. */
export async function addressesOf(ctx: Ctx, ids?: readonly string[]): Promise<Addresses[]> {
  let query = ctx.db
    .selectFrom('identity.member')
    .select(['id', 'name', 'account', 'email', 'email_verified', 'tel'])
    .where('company_id', '=', ctx.companyId)
    .where('deleted_at', 'is', null)
    .where('is_disabled', '=', false);
  if (ids) query = query.where('id', 'in', [...ids]);
  if (ids?.length === 0) return [];
  const rows = await query.orderBy('id').execute();
  return rows.map(({ id, name, account, email, email_verified: verified, tel }) => ({
    id,
    name,
    account,
    email: account.includes('@') ? account : verified ? email : null,
    phone: [account, tel ?? ''].find((one) => PHONE.test(one)) ?? null,
  }));
}

/** People of the operator of the product, where the caller is one of them or works for them. */
export async function operatorsOf(ctx: Ctx): Promise<string[]> {
  const rows = await ctx.db
    .selectFrom('identity.member')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('user_type', '=', 'operator')
    .where('deleted_at', 'is', null)
    .execute();
  return rows.map((row) => row.id);
}
