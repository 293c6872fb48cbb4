import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import { inTenant, type Runtime, systemPrincipal } from '#kit/server/runtime.ts';
import { NOBODYS_COMPANY } from '../../contract/operator.ts';
import { accountOf } from '../organisation/people/save.ts';
import { hashPassword } from '../password.ts';
import { closeSessionsOf } from '../sessions.ts';

/**
 * Makes an operator of the product with this password, or gives an existing one a new password. The account must not
 * be a company's: it would collide with its unique name. With `oneTime` it has to be
 * changed at the first log-in. Throws AppError 400 where it is neither phone nor e-mail.
 */
export async function putOperator(
  runtime: Runtime,
  input: { account: string; password: string; name: string; oneTime?: boolean },
): Promise<{ created: boolean }> {
  const account = accountOf(input.account);
  const oneTime = input.oneTime ?? false;
  const password_hash = await hashPassword(input.password, runtime.secrets.pepper);
  return inTenant(runtime, systemPrincipal(NOBODYS_COMPANY), async (ctx) => {
    await ctx.db
      .insertInto('identity.company')
      .values({ company_id: NOBODYS_COMPANY, name: '平台运营' })
      .onConflict((on) => on.column('company_id').doNothing())
      .execute();
    const known = await ctx.db
      .updateTable('identity.member')
      .set({
        password_hash,
        is_disabled: false,
        password_changed_at: sql`kit.instant()`,
        must_change_password: oneTime,
      })
      .where('company_id', '=', NOBODYS_COMPANY)
      .where('account', '=', account)
      .where('deleted_at', 'is', null)
      .returning('id')
      .executeTakeFirst();
    const row =
      known ??
      (await ctx.db
        .insertInto('identity.member')
        .values({
          company_id: NOBODYS_COMPANY,
          account,
          password_hash,
          name: input.name,
          user_type: 'operator',
          must_change_password: oneTime,
        })
        .returning('id')
        .executeTakeFirstOrThrow());
    if (known) await closeSessionsOf(ctx, { companyId: NOBODYS_COMPANY, memberId: known.id }, '密码已修改，请重新登录');
    const action = known ? '重置运营账号密码' : '新增运营账号';
    await audit(ctx, { action, resource: 'identity.member', resourceId: row.id, after: { account } });
    return { created: known === undefined };
  });
}
