import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { conflict, notFound, refused } from '#kit/server/errors.ts';
import { emit, event } from '#kit/server/events.ts';
import { ownersOf } from '#modules/identity/server/index.ts';
import { stopStreams } from './block.ts';

/** An account was unbound for good: whoever holds personal data of its buyers destroys it now. */
export const accountDeleted = event<{ accountId: string }>('marketplace.accountDeleted');

const REST_DAYS = 30;

/** Stops an account: leases lose their version, nothing is polled any more, data stays. */
export async function disableAccount(ctx: Ctx, authid: string, sellerid: string): Promise<void> {
  const row = await find(ctx, authid, sellerid);
  if (row.status === 'disabled') throw conflict('该授权已停用');
  await ctx.db
    .updateTable('marketplace.seller_account')
    .set({
      status: 'disabled',
      disabled_at: sql`kit.now()`,
      access_token_sealed: null,
      access_expires_at: null,
      version: sql`version + 1`,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', authid)
    .execute();
  await stopStreams(ctx, authid);
  await audit(ctx, {
    action: '停用店铺授权',
    resource: 'marketplace.sellerAccount',
    resourceId: authid,
    before: { status: row.status },
    after: { status: 'disabled' },
  });
}

async function find(ctx: Ctx, authid: string, sellerid: string) {
  const row = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select(['selling_partner_id', 'status'])
    .select(
      sql<number>`greatest(0, ceil(extract(epoch FROM disabled_at + make_interval(days => ${REST_DAYS}) - kit.now())
      / 86400))::int`.as('rest'),
    )
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', authid)
    .where('status', '!=', 'deleted')
    .executeTakeFirst();
  if (!row) throw notFound('授权不存在或已删除');
  if (row.selling_partner_id !== sellerid.trim()) throw refused('输入的卖家ID与授权不一致', 'B0322');
  return row;
}

/**
 * Unbinds an account that was stopped thirty days ago: its tokens are destroyed, personal data of its buyers goes at
 * once (see `accountDeleted`), what was sold stays. Owners only. @throws AppError B0326, B0327, B0328
 */
export async function deleteAccount(ctx: Ctx, authid: string, sellerid: string): Promise<void> {
  const row = await find(ctx, authid, sellerid);
  const owners = await ownersOf(ctx);
  if (ctx.userId === null || !owners.includes(ctx.userId)) throw refused('只有公司主账号可以解绑店铺', 'B0326');
  if (row.status !== 'disabled') throw refused('请先停用店铺授权', 'B0327');
  if (row.rest > 0) throw refused(`停用满${REST_DAYS}天后才能解绑，还剩${row.rest}天`, 'B0328');
  await ctx.db
    .updateTable('marketplace.seller_account')
    .set({
      status: 'deleted',
      refresh_token_sealed: '',
      access_token_sealed: null,
      access_expires_at: null,
      own_client_id: null,
      own_client_secret_sealed: null,
      proxy_url: null,
      version: sql`version + 1`,
    })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', authid)
    .execute();
  await emit(ctx, accountDeleted, { accountId: authid });
  await audit(ctx, {
    action: '解绑店铺',
    resource: 'marketplace.sellerAccount',
    resourceId: authid,
    before: { status: row.status },
    after: { status: 'deleted' },
  });
}
