import { createHash, randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { inSystem, inTenant, type Runtime } from '#kit/server/runtime.ts';
import { marketplaceOf, type Region } from '../../contract/marketplaces.ts';
import { exchangeCode, LwaRefused, type Tokens } from '../api/lwa.ts';
import { configOf } from '../settings.ts';
import { startAccount } from '../sync/start.ts';

const LIFE_MINUTES = 10;
const CONSENT_DAYS = 365;
const EXPIRED = '授权链接已失效，请重新发起授权';

function hashOf(nonce: string): string {
  return createHash('sha256').update(nonce).digest('hex');
}

function consentAddress(base: string, country: string): string {
  if (!base.startsWith('{')) return base.replace('{country}', country.toLowerCase());
  const byCountry = JSON.parse(base) as Record<string, string>;
  const address = byCountry[country];
  if (!address) throw refused(`没有配置 ${country} 站点的授权页地址`, 'B0301');
  return address;
}

export interface ConsentInput {
  storeId: string;
  marketplaceId: string;
  /** The account to renew, if it is one. */
  accountId?: string | undefined;
}

/** Begins a consent: remembers who asked for what under a single-use nonce and returns the marketplace's page for it. */
export async function beginConsent(ctx: Ctx, input: ConsentInput): Promise<string> {
  const config = configOf(ctx.runtime);
  const marketplace = marketplaceOf(input.marketplaceId);
  if (!marketplace) throw refused('请选择站点', 'B0302');
  const store = await ctx.db
    .selectFrom('marketplace.store')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.storeId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!store || ctx.userId === null) throw notFound('店铺不存在或已删除');
  const nonce = randomBytes(32).toString('base64url');
  await ctx.db
    .insertInto('marketplace.oauth_state')
    .values({
      nonce_hash: hashOf(nonce),
      company_id: ctx.companyId,
      user_id: ctx.userId,
      store_id: input.storeId,
      region: marketplace.region,
      account_id: input.accountId ?? null,
      expires_at: sql`now() + make_interval(mins => ${LIFE_MINUTES})`,
    })
    .execute();
  await audit(ctx, { action: '发起店铺授权', resource: 'marketplace.store', resourceId: input.storeId });
  const query = new URLSearchParams({
    application_id: config.applicationId,
    state: nonce,
    redirect_uri: `${ctx.runtime.config.publicUrl}/authresult`,
    version: 'beta',
  });
  return `${consentAddress(config.consentBase, marketplace.country)}/apps/authorize/consent?${query}`;
}

interface State {
  company_id: string;
  user_id: string;
  store_id: string;
  region: string;
  account_id: string | null;
  result: { id: string } | null;
}

/** Marks the state as used and returns it; a state used before returns its first result. */
async function takeState(runtime: Runtime, nonce: string): Promise<State> {
  const state = await inSystem(runtime, async (db) => {
    const { rows } = await sql<State & { fresh: boolean }>`
      UPDATE marketplace.oauth_state SET used_at = coalesce(used_at, now())
       WHERE nonce_hash = ${hashOf(nonce)} AND expires_at > now()
      RETURNING company_id, user_id, store_id, region, account_id, new.result, old.used_at IS NULL AS fresh`.execute(
      db,
    );
    return rows[0];
  });
  if (!state) throw refused(EXPIRED, 'B0303');
  if (!state.fresh && !state.result) throw refused(EXPIRED, 'B0303');
  return state;
}

export interface ConsentResult {
  state: string;
  sellingPartnerId: string;
  code: string;
}

async function ownedElsewhere(runtime: Runtime, state: State, sellingPartnerId: string): Promise<boolean> {
  return inSystem(runtime, async (db) => {
    const row = await db
      .selectFrom('marketplace.seller_account')
      .select('id')
      .where('application_id', '=', configOf(runtime).applicationId)
      .where('region', '=', state.region)
      .where('selling_partner_id', '=', sellingPartnerId)
      .where('status', 'not in', ['disabled', 'deleted'])
      .where('company_id', '!=', state.company_id)
      .executeTakeFirst();
    return row !== undefined;
  });
}

async function refuseOtherSeller(ctx: Ctx, accountId: string, sellingPartnerId: string): Promise<void> {
  const known = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select('selling_partner_id')
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', accountId)
    .executeTakeFirst();
  if (!known) throw notFound('授权不存在或已删除');
  if (known.selling_partner_id !== sellingPartnerId) {
    throw refused(`授权的卖家与当前店铺不一致（${sellingPartnerId}≠${known.selling_partner_id}）`, 'B0304');
  }
}

async function writeAccount(
  ctx: Ctx,
  state: State,
  sellingPartnerId: string,
  tokens: { accessToken: string; refreshToken: string; expiresInSec: number },
): Promise<string> {
  const { secrets } = ctx.runtime;
  const values = {
    store_id: state.store_id,
    // A store that worked with files so far had no application.
    application_id: configOf(ctx.runtime).applicationId,
    refresh_token_sealed: secrets.encrypt(tokens.refreshToken),
    access_token_sealed: secrets.encrypt(tokens.accessToken),
    access_expires_at: sql<string>`now() + make_interval(secs => ${tokens.expiresInSec * 0.8})`,
    authorized_at: sql<string>`now()`,
    expires_at: sql<string>`now() + make_interval(days => ${CONSENT_DAYS})`,
    status: 'active',
    last_auth_error: null,
    auth_failed_at: null,
  };
  const known = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('region', '=', state.region)
    .where('selling_partner_id', '=', sellingPartnerId)
    .where('status', '!=', 'deleted')
    .executeTakeFirst();
  if (known) {
    await ctx.db
      .updateTable('marketplace.seller_account')
      .set({ ...values, version: sql`version + 1` })
      .where('company_id', '=', ctx.companyId)
      .where('id', '=', known.id)
      .execute();
    return known.id;
  }
  const row = await ctx.db
    .insertInto('marketplace.seller_account')
    .values({
      ...values,
      company_id: ctx.companyId,
      selling_partner_id: sellingPartnerId,
      region: state.region as Region,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

const EXCHANGE_TRIES = 4;

/**
 * Exchanges the code, with a few tries while the token endpoint has trouble; where that lasts, the state is given back,
 * so that reloading the result page can go on.
 */
async function tokensFor(runtime: Runtime, input: ConsentResult): Promise<Tokens> {
  for (let tries = 1; ; tries += 1) {
    try {
      return await exchangeCode(configOf(runtime), input.code);
    } catch (error) {
      if (error instanceof LwaRefused) {
        throw refused('授权失败，请重试，重试时必须在店铺所在的网络环境中操作', 'B0306');
      }
      if (tries === EXCHANGE_TRIES) {
        runtime.log.warn({ err: error }, 'code exchange failed');
        await giveBack(runtime, input.state);
        throw refused('亚马逊授权服务暂时没有响应，请稍后刷新本页重试', 'B0308');
      }
      await sleep(runtime.config.retryBaseMs * tries * Math.random());
    }
  }
}

function boundElsewhere() {
  return refused('该店铺已被其他公司绑定，请先在原公司停用后再授权', 'B0305');
}

/** Two companies finished a consent for one seller at the same moment, and the other one was first. */
function lostTheRace(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'seller_account_owner';
}

async function giveBack(runtime: Runtime, nonce: string): Promise<void> {
  await inSystem(runtime, async (db) => {
    await sql`UPDATE marketplace.oauth_state SET used_at = NULL
      WHERE nonce_hash = ${hashOf(nonce)} AND result IS NULL`.execute(db);
  });
}

/**
 * Ends a consent: checks the state, exchanges the code, stores the sealed tokens and starts the account's streams. The
 * call is public and trusts nothing but the stored state. A reloaded result page gets the first result again.
 */
export async function finishConsent(runtime: Runtime, input: ConsentResult): Promise<{ id: string }> {
  const state = await takeState(runtime, input.state);
  if (state.result) return state.result;
  if (await ownedElsewhere(runtime, state, input.sellingPartnerId)) {
    throw boundElsewhere();
  }
  const tokens = await tokensFor(runtime, input);
  const { refreshToken } = tokens;
  if (!refreshToken) throw refused('授权失败：没有取得长期令牌', 'B0307');
  const principal = {
    sessionId: null,
    companyId: state.company_id,
    userId: state.user_id,
    userName: '店铺授权',
    permissions: undefined,
  };
  return inTenant(runtime, principal, async (ctx) => {
    if (state.account_id) await refuseOtherSeller(ctx, state.account_id, input.sellingPartnerId);
    const id = await writeAccount(ctx, state, input.sellingPartnerId, { ...tokens, refreshToken });
    await startAccount(ctx, id);
    await audit(ctx, {
      action: '店铺授权成功',
      resource: 'marketplace.sellerAccount',
      resourceId: id,
      after: { sellingPartnerId: input.sellingPartnerId, region: state.region },
    });
    await sql`UPDATE marketplace.oauth_state SET result = ${JSON.stringify({ id })}
      WHERE nonce_hash = ${hashOf(input.state)} AND company_id = ${ctx.companyId}`.execute(ctx.db);
    return { id };
  }).catch((error: unknown) => {
    throw lostTheRace(error) ? boundElsewhere() : error;
  });
}
