import type { Ctx } from '#kit/server/context.ts';
import { notFound } from '#kit/server/errors.ts';
import { MARKETPLACES, REGION_NAMES, type Region } from '../../contract/marketplaces.ts';
import type { RenewLink } from '../../contract/stores.ts';
import { beginConsent } from './consent.ts';

interface Row {
  id: string;
  store_id: string;
  name: string;
  network_note: string;
  selling_partner_id: string;
  region: string;
  status: string;
  own_client_id: string | null;
  site: string | null;
}

async function accountsOf(ctx: Ctx, authids: readonly string[]): Promise<Row[]> {
  return ctx.db
    .selectFrom('marketplace.seller_account as a')
    .innerJoin('marketplace.store as s', (join) =>
      join.onRef('s.company_id', '=', 'a.company_id').onRef('s.id', '=', 'a.store_id'),
    )
    .leftJoin('marketplace.seller_marketplace as m', (join) =>
      join
        .onRef('m.company_id', '=', 'a.company_id')
        .onRef('m.account_id', '=', 'a.id')
        .on('m.is_participating', '=', true),
    )
    .select(['a.id', 'a.store_id', 's.name', 's.network_note', 'a.selling_partner_id', 'a.region', 'a.status'])
    .select(['a.own_client_id'])
    .select((eb) => eb.fn.min('m.marketplace_id').as('site'))
    .where('a.company_id', '=', ctx.companyId)
    .where('a.id', 'in', authids)
    .where('a.status', '!=', 'deleted')
    .where('s.deleted_at', 'is', null)
    .groupBy(['a.id', 'a.store_id', 's.name', 's.network_note', 'a.selling_partner_id', 'a.region', 'a.status'])
    .groupBy('a.own_client_id')
    .orderBy('s.name')
    .execute();
}

function problemOf(row: Row): string | null {
  if (row.status === 'manual') return '手工店铺没有接口授权';
  return row.own_client_id === null ? null : '私有应用授权，请重新保存凭证';
}

/**
 * A consent link for each account, bound to that account as a single renewal is, with the store's note on the network in
 * which it is to be opened. @throws AppError 404 where an account is not the caller's.
 */
export async function renewLinks(ctx: Ctx, authids: readonly string[]): Promise<RenewLink[]> {
  const rows = await accountsOf(ctx, authids);
  if (rows.length !== new Set(authids).size) throw notFound('授权不存在或已删除');
  const links: RenewLink[] = [];
  for (const row of rows) {
    const region = row.region as Region;
    const problem = problemOf(row);
    const marketplaceId = row.site ?? MARKETPLACES.find((market) => market.region === region)?.id ?? '';
    const begin = { storeId: row.store_id, marketplaceId, accountId: row.id };
    links.push({
      authid: row.id,
      gname: `${row.name}-${REGION_NAMES[region]}`,
      sellerid: row.selling_partner_id,
      network: row.network_note,
      url: problem === null ? await beginConsent(ctx, begin) : null,
      problem,
    });
  }
  return links;
}
