import { sql } from 'kysely';
import { DatabaseError } from 'pg';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { refused } from '#kit/server/errors.ts';
import { inTenant, type Runtime } from '#kit/server/runtime.ts';
import type { Region } from '../../contract/marketplaces.ts';
import { RENEW_AT } from '../api/tokens.ts';
import { type LastingTokens, tokensFor } from '../auth/exchange.ts';
import { beginnerOf, type ConsentState, newState, rememberResult, takeState } from '../auth/state.ts';
import type { AdsConnectionRef } from './port.ts';
import { foreignProfiles, type RemoteProfile, readProfiles, writeProfiles } from './profiles.ts';
import { adsClientOf, adsConfigOf, adsReturnAddress } from './settings.ts';
import { openProfiles } from './start.ts';

const SCOPE = 'advertising::campaign_management';

function consentAddress(base: string, region: Region): string {
  if (!base.startsWith('{')) return base.replace('{region}', region);
  const address = (JSON.parse(base) as Partial<Record<Region, string>>)[region];
  if (!address) throw refused('没有配置该区域的广告授权页地址', 'B0331');
  return address;
}

/** Begins a consent to the advertising of a region and returns the page for it; rules of the nonce as for sellers. */
export async function beginAdsConsent(ctx: Ctx, input: { storeId: string; region: Region }): Promise<string> {
  const config = adsConfigOf(ctx.runtime);
  const nonce = await newState(ctx, { kind: 'ads', ...input });
  await audit(ctx, { action: '发起广告授权', resource: 'marketplace.store', resourceId: input.storeId });
  const query = new URLSearchParams({
    client_id: config.clientId,
    scope: SCOPE,
    response_type: 'code',
    redirect_uri: adsReturnAddress(ctx.runtime),
    state: nonce,
  });
  return `${consentAddress(config.consentBase, input.region)}/ap/oa?${query}`;
}

/** Puts the tokens in place; the consent of a store and region is one row, however often it is given. */
async function writeConnection(ctx: Ctx, state: ConsentState, tokens: LastingTokens): Promise<AdsConnectionRef> {
  const { secrets } = ctx.runtime;
  const values = {
    client_id: adsConfigOf(ctx.runtime).clientId,
    refresh_token_sealed: secrets.encrypt(tokens.refreshToken),
    access_token_sealed: secrets.encrypt(tokens.accessToken),
    access_expires_at: sql<string>`kit.now() + make_interval(secs => ${tokens.expiresInSec * RENEW_AT})`,
    authorized_at: sql<string>`kit.now()`,
    status: 'active',
    last_auth_error: null,
    auth_failed_at: null,
  };
  const row = await ctx.db
    .insertInto('marketplace.ads_connection')
    .values({ ...values, company_id: ctx.companyId, store_id: state.store_id, region: state.region })
    .onConflict((conflict) =>
      conflict
        .columns(['company_id', 'store_id', 'region'])
        .doUpdateSet({ ...values, version: sql`marketplace.ads_connection.version + 1` }),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return { companyId: ctx.companyId, id: row.id, storeId: state.store_id, region: state.region };
}

function boundElsewhere() {
  return refused('该广告账户已被其他公司绑定，请先在原公司停用后再授权', 'B0332');
}

/** Asks with the fresh token itself: nothing is written before it is known whose profiles these are. */
async function profilesOf(runtime: Runtime, state: ConsentState, tokens: LastingTokens): Promise<RemoteProfile[]> {
  const found = await readWith(runtime, state, tokens);
  if (found.length === 0) throw refused('该账号下没有广告配置，请确认已开通广告', 'B0334');
  const foreign = await foreignProfiles(
    runtime,
    state.company_id,
    found.map((one) => one.profileId),
  );
  const own = found.filter((one) => !foreign.has(one.profileId));
  if (own.length === 0) throw boundElsewhere();
  return own;
}

function readWith(runtime: Runtime, state: ConsentState, tokens: LastingTokens): Promise<RemoteProfile[]> {
  const connection = { companyId: state.company_id, id: '', storeId: state.store_id, region: state.region };
  return readProfiles(runtime, connection, tokens.accessToken);
}

export interface AdsConsentResult {
  state: string;
  code: string;
}

/**
 * Ends a consent: state, code, profiles, and one transaction that stores the sealed tokens with them. Profiles of another
 * company are left alone; where nothing else is shown the consent is refused. A reloaded result page gets the first
 * result again.
 */
export async function finishAdsConsent(runtime: Runtime, input: AdsConsentResult): Promise<{ id: string }> {
  const state = await takeState(runtime, input.state, 'ads');
  if (state.result) return state.result;
  const redirectUri = adsReturnAddress(runtime);
  const tokens = await tokensFor(runtime, adsClientOf(runtime), { ...input, redirectUri });
  const profiles = await profilesOf(runtime, state, tokens);
  return inTenant(runtime, beginnerOf(state, '广告授权'), async (ctx) => {
    const connection = await writeConnection(ctx, state, tokens);
    await writeProfiles(ctx, connection, profiles);
    await openProfiles(ctx, connection.id);
    await audit(ctx, {
      action: '广告授权成功',
      resource: 'marketplace.adsConnection',
      resourceId: connection.id,
      after: { region: state.region, profiles: profiles.length },
    });
    await rememberResult(ctx, input.state, { id: connection.id });
    return { id: connection.id };
  }).catch((error: unknown) => {
    // Two companies at the same moment: the other one was first.
    const raced = error instanceof DatabaseError && error.constraint === 'ads_profile_owner';
    throw raced ? boundElsewhere() : error;
  });
}
