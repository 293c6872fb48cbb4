import { sql } from 'kysely';
import { audit } from '#kit/server/audit.ts';
import type { Ctx } from '#kit/server/context.ts';
import { notFound, refused } from '#kit/server/errors.ts';
import { requireRoom } from '#modules/identity/server/index.ts';
import { countryOf, marketplaceOf, REGION_NAMES, type Region } from '../../contract/marketplaces.ts';
import type { AccountRow, StoreForm, StoreRow } from '../../contract/stores.ts';
import { type AdsState, adsByStore } from '../ads/connections.ts';
import { healthByAccount } from '../sync/health.ts';

async function accountRows(ctx: Ctx) {
  return ctx.db
    .selectFrom('marketplace.seller_account as a')
    .select([
      'a.id',
      'a.store_id',
      'a.selling_partner_id',
      'a.region',
      'a.status',
      'a.authorized_at',
      'a.expires_at',
      'a.last_auth_error',
    ])
    .where('a.company_id', '=', ctx.companyId)
    .where('a.status', '!=', 'deleted')
    .orderBy('a.id')
    .execute();
}

async function sitesByAccount(ctx: Ctx): Promise<Map<string, AccountRow['countrysList']>> {
  const rows = await ctx.db
    .selectFrom('marketplace.seller_marketplace')
    .select(['account_id', 'marketplace_id', 'enabled'])
    .where('company_id', '=', ctx.companyId)
    .where('is_participating', '=', true)
    .orderBy('marketplace_id')
    .execute();
  const sites = new Map<string, AccountRow['countrysList']>();
  for (const row of rows) {
    const list = sites.get(row.account_id) ?? [];
    list.push({ marketplaceId: row.marketplace_id, country: countryOf(row.marketplace_id), enabled: row.enabled });
    sites.set(row.account_id, list);
  }
  return sites;
}

const ADS_FLAGS: Readonly<Record<AccountRow['adStatus'], number>> = { active: 1, revoked: 0, disabled: 2, none: 2 };

/** 1 authorised, 0 in trouble, 2 not authorised. */
function authFlag(status: string): number {
  if (['active', 'expiring'].includes(status)) return 1;
  return ['disabled', 'manual'].includes(status) ? 2 : 0;
}

function adsOf(ads: AdsState | undefined): Pick<AccountRow, 'adauth' | 'adStatus' | 'advid' | 'advtime'> {
  if (!ads) return { adauth: 2, adStatus: 'none', advid: null, advtime: null };
  const adStatus = ads.status as AccountRow['adStatus'];
  return { adauth: ADS_FLAGS[adStatus], adStatus, advid: ads.id, advtime: ads.authorizedAt };
}

/** All stores of the company with their seller accounts, sites and health. */
export async function boundSellers(ctx: Ctx): Promise<StoreRow[]> {
  const stores = await ctx.db
    .selectFrom('marketplace.store')
    .select(['id', 'name', 'created_at'])
    .where('company_id', '=', ctx.companyId)
    .where('deleted_at', 'is', null)
    .orderBy('sort_index')
    .orderBy('id')
    .execute();
  const accounts = await accountRows(ctx);
  const sites = await sitesByAccount(ctx);
  const health = await healthByAccount(ctx);
  const ads = await adsByStore(ctx);
  return stores.map((store) => ({
    groupid: store.id,
    gname: store.name,
    createdAt: store.created_at,
    regionslist: accounts
      .filter((account) => account.store_id === store.id)
      .map((account) => ({
        authid: account.id,
        storeId: store.id,
        gname: `${store.name}-${REGION_NAMES[account.region as Region]}`,
        sellerid: account.selling_partner_id,
        region: account.region,
        regionname: REGION_NAMES[account.region as Region],
        sellerauth: authFlag(account.status),
        ...adsOf(ads.get(`${store.id}/${account.region}`)),
        status: account.status as AccountRow['status'],
        time: account.status === 'manual' ? null : account.authorized_at,
        expireTime: account.expires_at,
        lastSyncAt: health.get(account.id)?.lastSyncAt ?? null,
        health: health.get(account.id)?.share ?? null,
        problem: account.last_auth_error,
        countrysList: sites.get(account.id) ?? [],
      })),
  }));
}

/** Columns of a form; fields that were left out stay as they are. */
function columnsOf(form: StoreForm) {
  const { name, company, taxNumber, customsNumber, network } = form;
  return {
    name,
    ...(company === undefined ? {} : { company_name: company }),
    ...(taxNumber === undefined ? {} : { tax_number: taxNumber }),
    ...(customsNumber === undefined ? {} : { customs_number: customsNumber }),
    ...(network === undefined ? {} : { network_note: network }),
  };
}

/** Adds or changes a store; names are unique in a company. */
export async function putStore(ctx: Ctx, input: StoreForm & { id?: string | undefined }): Promise<string> {
  const taken = await ctx.db
    .selectFrom('marketplace.store')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('name', '=', input.name)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (taken && taken.id !== input.id) throw refused(`店铺名称「${input.name}」已存在`, 'B0320');
  if (!input.id) {
    await requireRoom(ctx, 'stores');
    const row = await ctx.db
      .insertInto('marketplace.store')
      .values({ company_id: ctx.companyId, ...columnsOf(input) })
      .returning('id')
      .executeTakeFirstOrThrow();
    await audit(ctx, { action: '新增店铺', resource: 'marketplace.store', resourceId: row.id, after: input });
    return row.id;
  }
  const before = await ctx.db
    .selectFrom('marketplace.store')
    .select(['name', 'company_name', 'tax_number', 'customs_number', 'network_note'])
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  if (!before) throw notFound('店铺不存在或已删除');
  await ctx.db
    .updateTable('marketplace.store')
    .set(columnsOf(input))
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', input.id)
    .execute();
  await audit(ctx, { action: '修改店铺', resource: 'marketplace.store', resourceId: input.id, before, after: input });
  return input.id;
}

/** The company's stores with what is known of each, in their order. */
export async function storeList(ctx: Ctx) {
  const rows = await ctx.db
    .selectFrom('marketplace.store')
    .select(['id', 'name', 'company_name', 'tax_number', 'customs_number', 'network_note', 'created_at'])
    .where('company_id', '=', ctx.companyId)
    .where('deleted_at', 'is', null)
    .orderBy('sort_index')
    .orderBy('id')
    .execute();
  return rows.map((row) => ({
    id: row.id,
    name: row.name,
    company: row.company_name,
    taxNumber: row.tax_number,
    customsNumber: row.customs_number,
    network: row.network_note,
    createdAt: row.created_at,
  }));
}

/** Puts the named stores in this order, before all others. @throws AppError 404 where one is none of the caller's */
export async function sortStores(ctx: Ctx, ids: readonly string[]): Promise<void> {
  const { rows } = await sql<{ id: string }>`
    UPDATE marketplace.store AS s SET sort_index = o.place - 100000
      FROM unnest(${[...ids]}::uuid[]) WITH ORDINALITY AS o(id, place)
     WHERE s.company_id = ${ctx.companyId} AND s.id = o.id AND s.deleted_at IS NULL
    RETURNING s.id`.execute(ctx.db);
  if (rows.length !== new Set(ids).size) throw notFound('店铺不存在或已删除');
  await audit(ctx, { action: '店铺排序', resource: 'marketplace.store', after: { ids } });
}

/** Archives a store that has no live seller account. */
export async function archiveStore(ctx: Ctx, id: string): Promise<void> {
  const live = await ctx.db
    .selectFrom('marketplace.seller_account')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('store_id', '=', id)
    .where('status', 'not in', ['disabled', 'deleted'])
    .limit(1)
    .executeTakeFirst();
  const ads = await ctx.db
    .selectFrom('marketplace.ads_connection')
    .select('id')
    .where('company_id', '=', ctx.companyId)
    .where('store_id', '=', id)
    .where('status', '=', 'active')
    .limit(1)
    .executeTakeFirst();
  if (live || ads) throw refused('店铺下存在授权，请先停用', 'B0321');
  const gone = await ctx.db
    .updateTable('marketplace.store')
    .set({ deleted_at: sql`kit.now()` })
    .where('company_id', '=', ctx.companyId)
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .returning('name')
    .executeTakeFirst();
  if (!gone) throw notFound('店铺不存在或已删除');
  await audit(ctx, { action: '删除店铺', resource: 'marketplace.store', resourceId: id, before: gone });
}

/** Every enabled site of every live account, for pickers: value "marketplaceId-authid". */
export async function authorisedSites(ctx: Ctx): Promise<{ label: string; value: string }[]> {
  const stores = await boundSellers(ctx);
  return stores.flatMap((store) =>
    store.regionslist
      .filter((account) => account.status !== 'disabled')
      .flatMap((account) =>
        account.countrysList
          .filter((site) => site.enabled)
          .map((site) => ({
            label: `【${marketplaceOf(site.marketplaceId)?.name ?? site.country}】${store.gname}`,
            value: `${site.marketplaceId}-${account.authid}`,
          })),
      ),
  );
}
