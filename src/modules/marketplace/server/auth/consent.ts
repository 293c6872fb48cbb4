import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { inSystem, inTenant, type Runtime } from '#kit/server/runtime.ts';
import { marketplaceOf } from '../../contract/marketplaces.ts';
import type { LwaClient } from '../api/lwa.ts';
import { houseClient } from '../application/house.ts';
import { configOf } from '../settings.ts';
import { startAccount } from '../sync/start.ts';
import { type LastingTokens, tokensFor } from './exchange.ts';
import { sellerCentralOf } from './seller-central.ts';
import { requireAgreed, type SellerProof } from './seller-proof.ts';
import { requireSiteRoom } from './site-room.ts';
import { beginnerOf, type ConsentState, newState, rememberResult, takeState } from './state.ts';

const CONSENT_DAYS = 365;

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
  const { storeId, accountId } = input;
  const nonce = await newState(ctx, { kind: 'seller', storeId, region: marketplace.region, accountId });
  await audit(ctx, { action: '发起店铺授权', resource: 'marketplace.store', resourceId: input.storeId });
  const query = new URLSearchParams({
    application_id: config.applicationId,
    state: nonce,
    redirect_uri: `${ctx.runtime.config.publicUrl}/authresult`,
    version: 'beta',
  });
  return `${sellerCentralOf(config.consentBase, marketplace.country)}/apps/authorize/consent?${query}`;
}

export interface ConsentResult {
  state: string;
  sellingPartnerId: string;
  code: string;
}

/** Whether the seller works for another company, whichever application it uses. */
export async function ownedElsewhere(
  runtime: Runtime,
  owner: { companyId: string; region: string },
  sellingPartnerId: string,
): Promise<boolean> {
  return inSystem(runtime, async (db) => {
    const row = await db
      .selectFrom('marketplace.seller_account')
      .select('id')
      .where('region', '=', owner.region)
      .where('selling_partner_id', '=', sellingPartnerId)
      .where('status', 'not in', ['disabled', 'deleted', 'manual'])
      .where('company_id', '!=', owner.companyId)
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

export interface AccountGrant {
  storeId: string;
  region: string;
  sellingPartnerId: string;
  tokens: LastingTokens;
  /** The seller's own application, and his proxy; undefined: the one of this installation. */
  own?: { client: LwaClient; proxyUrl: string | null } | undefined;
}

/**
 * Puts a granted token in place: the account's row is made, or the known one works again with its cursors.
 * @throws refused B0164 where the plan has no room for its sites
 */
export async function writeAccount(ctx: Ctx, grant: AccountGrant): Promise<string> {
  const { secrets } = ctx.runtime;
  const { tokens, own, sellingPartnerId, region } = grant;
  const values = {
    store_id: grant.storeId,
    // A store that worked with files so far had no application.
    application_id: own?.client.clientId ?? configOf(ctx.runtime).applicationId,
    own_client_id: own?.client.clientId ?? null,
    own_client_secret_sealed: own ? secrets.encrypt(own.client.clientSecret) : null,
    proxy_url: own?.proxyUrl ?? null,
    refresh_token_sealed: secrets.encrypt(tokens.refreshToken),
    access_token_sealed: secrets.encrypt(tokens.accessToken),
    access_expires_at: sql<string>`kit.now() + make_interval(secs => ${tokens.expiresInSec * 0.8})`,
    authorized_at: sql<string>`kit.now()`,
    expires_at: sql<string>`kit.now() + make_interval(days => ${CONSENT_DAYS})`,
    status: 'active',
    disabled_at: null,
    last_auth_error: null,
    auth_failed_at: null,
  };
  await requireSiteRoom(ctx, { region, sellingPartnerId });
  const known = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('region', '=', region)
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
    .values({ ...values, company_id: ctx.companyId, selling_partner_id: sellingPartnerId, region })
    .returning('id')
    .executeTakeFirstOrThrow();
  return row.id;
}

/** What somebody hears whose seller works for another company. */
export function boundElsewhere() {
  return refused('该店铺已被其他公司绑定，请先在原公司停用后再授权', 'B0305');
}

/** Two companies finished a consent for one seller at the same moment, and the other one was first. */
export function lostTheRace(error: unknown): boolean {
  return error instanceof DatabaseError && error.constraint === 'seller_account_owner';
}

/**
 * Ends a consent: checks the state, exchanges the code, stores the sealed tokens and starts the account's streams. The
 * call is public and trusts nothing but the stored state and what Amazon says of the seller. A reloaded result page gets the first result again.
 */
export async function finishConsent(runtime: Runtime, input: ConsentResult): Promise<{ id: string }> {
  const state = await takeState(runtime, input.state, 'seller');
  if (state.result) return state.result;
  const { sellingPartnerId } = input;
  const owner = { companyId: state.company_id, region: state.region };
  if (await ownedElsewhere(runtime, owner, sellingPartnerId)) throw boundElsewhere();
  const client = await houseClient(runtime);
  const tokens = await tokensFor(runtime, client, input);
  // A consent that renews may only be that of the account's own seller, which settle() sees to.
  const proof = state.account_id
    ? undefined
    : await requireAgreed(runtime, { client, region: state.region, accessToken: tokens.accessToken }, sellingPartnerId);
  return inTenant(runtime, beginnerOf(state, '店铺授权'), (ctx) => settle(ctx, state, input, { tokens, proof })).catch(
    (error: unknown) => {
      throw lostTheRace(error) ? boundElsewhere() : error;
    },
  );
}

interface Agreed {
  tokens: LastingTokens;
  /** undefined: a known account was renewed. */
  proof: SellerProof | undefined;
}

async function settle(ctx: Ctx, state: ConsentState, input: ConsentResult, { tokens, proof }: Agreed) {
  const { sellingPartnerId } = input;
  const { region, store_id: storeId } = state;
  if (state.account_id) await refuseOtherSeller(ctx, state.account_id, sellingPartnerId);
  const id = await writeAccount(ctx, { storeId, region, sellingPartnerId, tokens });
  await startAccount(ctx, id);
  await audit(ctx, {
    action: proof === 'unknown' ? '店铺授权成功，卖家未经核实' : '店铺授权成功',
    resource: 'marketplace.sellerAccount',
    resourceId: id,
    after: { sellingPartnerId, region },
  });
  await rememberResult(ctx, input.state, { id });
  return { id };
}
