import { sql } from 'kysely';
import { z } from 'zod';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { inSystem, type Runtime } from '#kit/server/runtime.ts';
import type { AdsProfileRow } from '../../contract/ads.ts';
import { countryOf } from '../../contract/marketplaces.ts';
import { ApiRefused, AuthLost, ComeBackLater } from '../api/port.ts';
import { createAdsApi } from './client.ts';
import type { AdsApi, AdsConnectionRef } from './port.ts';

/** GET /v2/profiles, as far as we read it. */
const RemoteProfile = z.object({
  profileId: z.union([z.int(), z.string().regex(/^\d{1,18}$/)]).transform(String),
  countryCode: z.string().max(5),
  currencyCode: z.string().max(5),
  timezone: z.string().max(60),
  dailyBudget: z.number().nullish(),
  accountInfo: z.object({
    marketplaceStringId: z.string().max(20),
    id: z.string().max(60),
    type: z.string().max(20),
    name: z.string().max(200).nullish(),
    validPaymentMethod: z.boolean().nullish(),
  }),
});
export type RemoteProfile = z.infer<typeof RemoteProfile>;

async function fetchProfiles(api: AdsApi): Promise<unknown> {
  try {
    return await api.call<unknown>({ operation: 'listProfiles', method: 'GET', path: '/v2/profiles' });
  } catch (error) {
    if (error instanceof AuthLost) throw refused('广告授权已失效，请重新授权', 'B0335');
    if (error instanceof ApiRefused) throw refused(`亚马逊拒绝读取广告配置：${error.message}`, 'B0336');
    if (error instanceof ComeBackLater) throw refused('亚马逊广告接口暂时没有响应，请稍后重试', 'B0337');
    throw error;
  }
}

/** The profiles that a consent shows now; with the stored token, or a given one. Refuses in words, B0333 to B0337. */
export async function readProfiles(
  runtime: Runtime,
  connection: AdsConnectionRef,
  token?: string,
): Promise<RemoteProfile[]> {
  const usage = { calls: 0, throttled: 0 };
  const api = createAdsApi(runtime, connection, usage, ...(token === undefined ? [] : [async () => token]));
  const body = await fetchProfiles(api);
  const parsed = z.array(RemoteProfile).safeParse(body);
  if (!parsed.success) throw refused('亚马逊返回的广告配置格式异常', 'B0333');
  return parsed.data;
}

/** Of these profiles, those that another company works with. */
export async function foreignProfiles(
  runtime: Runtime,
  companyId: string,
  profileIds: readonly string[],
): Promise<Set<string>> {
  return inSystem(runtime, async (db) => {
    const { rows } = await sql<{ id: string }>`
      SELECT profile_id::text AS id FROM marketplace.ads_profile
       WHERE profile_id = ANY(${[...profileIds]}::bigint[]) AND active AND company_id <> ${companyId}`.execute(db);
    return new Set(rows.map((row) => row.id));
  });
}

/**
 * Writes what a consent shows. A profile that works under another consent of the company stays there, so that binding one
 * never empties another; one that is no longer shown is let go. Each is linked to the seller account of its advertiser.
 */
export async function writeProfiles(
  ctx: Ctx,
  connection: AdsConnectionRef,
  profiles: readonly RemoteProfile[],
): Promise<void> {
  const lines = profiles.map((one) => ({
    id: one.profileId,
    marketplace: one.accountInfo.marketplaceStringId,
    country: one.countryCode,
    currency: one.currencyCode,
    zone: one.timezone,
    type: one.accountInfo.type,
    name: one.accountInfo.name ?? '',
    advertiser: one.accountInfo.id,
    budget: one.dailyBudget ?? null,
    payment: one.accountInfo.validPaymentMethod ?? null,
  }));
  await sql`
    UPDATE marketplace.ads_profile SET active = false
     WHERE company_id = ${ctx.companyId} AND connection_id = ${connection.id}
       AND profile_id <> ALL(${profiles.map((one) => one.profileId)}::bigint[])`.execute(ctx.db);
  await sql`
    INSERT INTO marketplace.ads_profile AS p (company_id, profile_id, connection_id, store_id, account_id,
      marketplace_id, country_code, currency, time_zone, account_type, account_name, advertiser_id, daily_budget,
      valid_payment)
    SELECT ${ctx.companyId}, r.id, ${connection.id}, ${connection.storeId}, a.id, r.marketplace, r.country,
           r.currency, r.zone, r.type, r.name, r.advertiser, r.budget, r.payment
      FROM jsonb_to_recordset(${JSON.stringify(lines)}::jsonb) AS r(id bigint, marketplace text, country text,
             currency text, zone text, type text, name text, advertiser text, budget numeric, payment boolean)
      LEFT JOIN marketplace.seller_account AS a
        ON a.company_id = ${ctx.companyId} AND a.region = ${connection.region}
       AND a.selling_partner_id = r.advertiser AND a.status <> 'deleted'
    ON CONFLICT (company_id, profile_id) DO UPDATE
       SET connection_id = excluded.connection_id, store_id = excluded.store_id, account_id = excluded.account_id,
           marketplace_id = excluded.marketplace_id, country_code = excluded.country_code,
           currency = excluded.currency, time_zone = excluded.time_zone, account_type = excluded.account_type,
           account_name = excluded.account_name, advertiser_id = excluded.advertiser_id,
           daily_budget = excluded.daily_budget, valid_payment = excluded.valid_payment, active = true,
           captured_at = kit.now()
     WHERE p.connection_id = excluded.connection_id OR NOT p.active`.execute(ctx.db);
  await ctx.db
    .updateTable('marketplace.ads_connection')
    .set({ captured_at: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', connection.id)
    .execute();
}

/** Profiles of a consent, of a store, or all; those in use first. */
export async function listProfiles(
  ctx: Ctx,
  { id, groupid }: { id?: string | undefined; groupid?: string | undefined },
): Promise<AdsProfileRow[]> {
  let query = ctx.db
    .selectFrom('marketplace.ads_profile as p')
    .innerJoin('marketplace.store as s', (join) =>
      join.onRef('s.company_id', '=', 'p.company_id').onRef('s.id', '=', 'p.store_id'),
    )
    .leftJoin('marketplace.seller_account as a', (join) =>
      join.onRef('a.company_id', '=', 'p.company_id').onRef('a.id', '=', 'p.account_id'),
    )
    .selectAll('p')
    .select(['s.name as store', 'a.selling_partner_id as seller'])
    .where('p.company_id', '=', ctx.companyId);
  if (id) query = query.where('p.connection_id', '=', id);
  if (groupid) query = query.where('p.store_id', '=', groupid);
  const rows = await query.orderBy('p.active', 'desc').orderBy('s.name').orderBy('p.country_code').execute();
  return rows.map((row) => ({
    profileId: String(row.profile_id),
    connectionId: row.connection_id,
    store: row.store,
    country: countryOf(row.marketplace_id),
    marketplaceId: row.marketplace_id,
    name: row.account_name,
    type: row.account_type,
    currency: row.currency,
    timeZone: row.time_zone,
    dailyBudget: row.daily_budget === null ? null : String(row.daily_budget),
    validPayment: row.valid_payment,
    authid: row.account_id,
    linked: row.seller,
    active: row.active,
    capturedAt: row.captured_at,
  }));
}

/** The consent of an id. @throws AppError 404 where it is none of the caller's */
export async function connectionRef(ctx: Ctx, id: string): Promise<AdsConnectionRef & { status: string }> {
  const row = await ctx.db
    .selectFrom('marketplace.ads_connection')
    .select(['id', 'store_id', 'region', 'status'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .executeTakeFirst();
  if (!row) throw notFound('广告授权不存在');
  const region = row.region as AdsConnectionRef['region'];
  return { companyId: ctx.companyId, id: row.id, storeId: row.store_id, region, status: row.status };
}
