import { createHash, randomBytes } from 'node:crypto';
import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import type { OpenCtx } from '#kit/server/http/serve.ts';
import { enqueue } from '#kit/server/jobs/enqueue.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';
import type { BuyerRow } from '../contract/index.ts';
import { ConsentLost, Unanswered } from './port.ts';
import { askTokens, configOf, type Tokens } from './tokens.ts';

const LIFE_MINUTES = 10;
/** Share of a token's life after which it is renewed. */
const RENEW_AT = 0.9;
const hashOf = (nonce: string) => createHash('sha256').update(nonce).digest('hex');

/** Where the consent page sends the browser back to; the code's exchange names the same address. */
const returnAddress = (runtime: Pick<Runtime, 'config'>) => `${runtime.config.publicUrl}/erp/open1688/bind`;

/** Buyer accounts, those that are bound first. */
export async function buyers(ctx: Ctx): Promise<BuyerRow[]> {
  const { rows } = await sql<BuyerRow>`
    SELECT id, login_id AS "loginId", member_id AS "memberId", state, refresh_expires_at AS "expiresAt",
           synced_at AS "syncedAt", sync_error AS "syncError", bound_by_name AS "boundByName"
      FROM alibaba.buyer WHERE company_id = ${ctx.companyId} ORDER BY state, login_id`.execute(ctx.db);
  return rows;
}

/** Begins a consent: the page on which the buyer agrees. Its nonce works once, for the caller, within ten minutes. */
export async function beginConsent(ctx: Ctx): Promise<{ url: string }> {
  const config = configOf(ctx.runtime);
  if (ctx.userId === null) throw notFound();
  const nonce = randomBytes(32).toString('base64url');
  await ctx.db
    .insertInto('alibaba.consent')
    .values({
      company_id: ctx.companyId,
      nonce_hash: hashOf(nonce),
      user_id: ctx.userId,
      expires_at: sql`kit.now() + make_interval(mins => ${LIFE_MINUTES})`,
    })
    .execute();
  await audit(ctx, { action: '发起1688授权', resource: 'alibaba.buyer' });
  const query = new URLSearchParams({
    client_id: config.appKey,
    site: '1688',
    redirect_uri: returnAddress(ctx.runtime),
    state: nonce,
  });
  return { url: `${config.authorizeUrl}?${query}` };
}

async function takeNonce(ctx: Ctx, nonce: string): Promise<void> {
  const taken = await ctx.db
    .updateTable('alibaba.consent')
    .set({ used_at: sql<string>`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('nonce_hash', '=', hashOf(nonce))
    .where('user_id', '=', ctx.userId ?? '')
    .where('used_at', 'is', null)
    .where('expires_at', '>', sql<string>`kit.now()`)
    .returning('nonce_hash')
    .executeTakeFirst();
  ctx.audited = true;
  if (!taken) throw refused('授权链接已失效，请重新发起授权', 'B1102');
}

async function writeBuyer(ctx: Ctx, tokens: Tokens): Promise<string> {
  const { secrets } = ctx.runtime;
  const values = {
    login_id: tokens.loginId,
    state: 'active',
    access_token_sealed: secrets.encrypt(tokens.access),
    access_expires_at: sql<string>`kit.now() + make_interval(secs => ${tokens.seconds * RENEW_AT})`,
    refresh_token_sealed: secrets.encrypt(tokens.refresh ?? ''),
    refresh_expires_at: tokens.refreshUntil ?? null,
    bound_by_name: ctx.userName,
    bound_at: sql<string>`kit.now()`,
  };
  const { id } = await ctx.db
    .insertInto('alibaba.buyer')
    .values({ ...values, company_id: ctx.companyId, member_id: tokens.memberId })
    .onConflict((conflict) => conflict.columns(['company_id', 'member_id']).doUpdateSet(values))
    .returning('id')
    .executeTakeFirstOrThrow();
  await audit(ctx, {
    action: '1688授权成功',
    resource: 'alibaba.buyer',
    resourceId: id,
    after: { login: tokens.loginId },
  });
  await enqueue(ctx, 'alibaba.sync', { companyId: ctx.companyId, buyerId: id }, { key: `alibaba.sync:${id}` });
  return id;
}

/**
 * Ends a consent: the nonce, the code's exchange, and the sealed tokens. @throws refused B1102 used, foreign or too old,
 * B1103 where the platform refuses the code or does not answer
 */
export async function finishConsent(open: OpenCtx, input: { code: string; state: string }): Promise<{ id: string }> {
  const { runtime, principal } = open;
  await inTenant(runtime, principal, (ctx) => takeNonce(ctx, input.state));
  const form = {
    grant_type: 'authorization_code',
    need_refresh_token: 'true',
    redirect_uri: returnAddress(runtime),
    code: input.code,
  };
  const tokens = await askTokens(runtime, form).catch((error: unknown) => {
    if (error instanceof ConsentLost) throw refused('1688拒绝了授权码，请重新发起授权', 'B1103');
    if (error instanceof Unanswered) throw refused('1688暂时没有答复，请重新发起授权', 'B1103');
    throw error;
  });
  if (!tokens.refresh || !tokens.memberId) throw refused('1688没有返回完整的授权信息', 'B1103');
  return inTenant(runtime, principal, async (ctx) => ({ id: await writeBuyer(ctx, tokens) }));
}

/** Ends a binding: tokens are thrown away, orders stay. */
export async function removeBuyer(ctx: Ctx, id: string): Promise<void> {
  const row = await ctx.db
    .updateTable('alibaba.buyer')
    .set({ state: 'removed', access_token_sealed: null, refresh_token_sealed: null, access_expires_at: null })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .returning('login_id')
    .executeTakeFirst();
  if (!row) throw notFound();
  await audit(ctx, {
    action: '解除1688授权',
    resource: 'alibaba.buyer',
    resourceId: id,
    after: { login: row.login_id },
  });
}
