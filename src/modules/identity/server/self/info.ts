import { sql } from 'kysely';
import type { z } from 'zod';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { SelfForm } from '../../contract/self.ts';
import { imageAddress } from './avatar.ts';

type UserType = 'operator' | 'owner' | 'support' | 'member';

interface Row {
  id: string;
  name: string;
  account: string;
  image_file_id: string | null;
  company: string;
  time_zone: string;
  user_type: UserType;
  tel: string | null;
  email: string | null;
  email_verified: boolean;
  created_at: string;
  expire_date: string | null;
  password_changed_at: string;
  mfa: boolean;
  colleagues: number;
}

/** Everything that the user centre shows of the caller. */
export async function detailOf(ctx: Ctx) {
  const { rows } = await sql<Row>`
    SELECT m.id, m.name, m.account, m.image_file_id, c.name AS company, c.time_zone, m.user_type, m.tel, m.email,
           m.email_verified, m.created_at, m.expire_date, m.password_changed_at,
           EXISTS (SELECT FROM identity.mfa f WHERE f.company_id = m.company_id AND f.member_id = m.id
                      AND f.confirmed_at IS NOT NULL) AS mfa,
           (SELECT count(*) FROM identity.member o WHERE o.company_id = m.company_id AND o.id <> m.id
               AND o.deleted_at IS NULL AND NOT o.is_disabled) AS colleagues
      FROM identity.member m JOIN identity.company c USING (company_id)
     WHERE m.company_id = ${ctx.companyId} AND m.id = ${ctx.userId}`.execute(ctx.db);
  const [row] = rows;
  if (!row) throw notFound();
  return {
    id: row.id,
    name: row.name,
    account: row.account,
    image: imageAddress(row.image_file_id),
    company: row.company,
    companyTimeZone: row.time_zone,
    usertype: row.user_type,
    tel: row.tel,
    email: row.email,
    emailVerified: row.email_verified,
    registeredAt: row.created_at,
    expireDate: row.expire_date,
    passwordChangedAt: row.password_changed_at,
    mfa: row.mfa,
    colleagues: row.colleagues,
  };
}

/** People of the caller's company, by name. */
export async function colleaguesOf(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('identity.member')
    .select(['id', 'name', 'account', 'is_disabled'])
    .where('company_id', '=', ctx.companyId)
    .where('deleted_at', 'is', null)
    .orderBy('name')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ id: row.id, name: row.name, account: row.account, disabled: row.is_disabled }));
}

/** Changes name and telephone of the caller; an owner also names the company and the zone of its days. */
export async function updateSelfInfo(ctx: Ctx, form: z.output<typeof SelfForm>): Promise<void> {
  const before = await detailOf(ctx);
  const company = {
    ...(form.company === undefined || form.company === before.company ? {} : { name: form.company }),
    ...(form.companyTimeZone === undefined || form.companyTimeZone === before.companyTimeZone
      ? {}
      : { time_zone: form.companyTimeZone }),
  };
  if (Object.keys(company).length > 0) {
    if (before.usertype !== 'owner')
      throw refused(`只有管理员可以修改公司${'name' in company ? '名称' : '时区'}`, 'B0160');
    await ctx.db.updateTable('identity.company').set(company).where('company_id', '=', ctx.companyId).execute();
  }
  await ctx.db
    .updateTable('identity.member')
    .set({ name: form.name, ...(form.tel === undefined ? {} : { tel: form.tel || null }) })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', ctx.userId)
    .execute();
  await audit(ctx, {
    action: '编辑个人信息',
    resource: 'identity.member',
    resourceId: ctx.userId,
    before: { name: before.name, tel: before.tel, company: before.company, companyTimeZone: before.companyTimeZone },
    after: form,
  });
}
