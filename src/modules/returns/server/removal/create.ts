import { audit } from '#kit/server/audit.ts';
import { chanceNumber } from '#kit/server/chance-number.ts';
import type { Ctx } from '#kit/server/context.ts';
import { invalid } from '#kit/server/errors.ts';
import { siteOf } from '#modules/listing/server/index.ts';
import { accountOf, shipFromAddresses, shipFromOf, shipFromWords } from '#modules/marketplace/server/index.ts';
import type { RemovalWish } from '../../contract/removals.ts';
import { REMOVAL, send } from './send.ts';
import { checkStock, lockStock, type Place } from './stock.ts';

/** A site of the company's. @throws 400 with the field */
async function placeOf(ctx: Ctx, site: string): Promise<Place> {
  const place = siteOf(site);
  const account = await accountOf(ctx.db, ctx.companyId, place.accountId);
  if (account?.marketplaceIds.includes(place.marketplaceId)) return place;
  throw invalid([{ field: 'site', title: '店铺/站点', msg: '店铺站点不存在或未授权' }]);
}

/** Where goods are sent to, as the address book has it now; null for what is not sent. @throws 400 with the field */
async function addressOf(ctx: Ctx, { accountId, marketplaceId }: Place, { type, addressId }: RemovalWish) {
  if (type !== 'Return') return null;
  const wrong = (msg: string) => invalid([{ field: 'addressId', title: '退回地址', msg }]);
  if (addressId === undefined) throw wrong('请选择退回地址');
  const address = await shipFromOf(ctx, accountId, marketplaceId, addressId);
  if (!address) throw wrong('退回地址不存在、已删除或不是该店铺的地址');
  return address;
}

/**
 * 新建移除: a request with a number of its own, which goes to Amazon by itself.
 * @throws 400 with the fields that are wrong
 */
export async function createRemoval(ctx: Ctx, wish: RemovalWish): Promise<{ id: string; number: string }> {
  const { type, remark = '', lines } = wish;
  const place = await placeOf(ctx, wish.site);
  const address = await addressOf(ctx, place, wish);
  await lockStock(ctx, place);
  await checkStock(ctx, place, lines);
  const sum = (key: 'sellable' | 'unsellable') => lines.reduce((pieces, line) => pieces + line[key], 0);
  const number = chanceNumber('RM', ctx.clock.today());
  const { id } = await ctx.db
    .insertInto('returns.removal')
    .values({
      company_id: ctx.companyId,
      account_id: place.accountId,
      marketplace_id: place.marketplaceId,
      number,
      type,
      state: 'submitting',
      address: address && JSON.stringify(address),
      remark,
      lead_sku: lines[0]?.sku ?? '',
      line_count: lines.length,
      sellable: sum('sellable'),
      unsellable: sum('unsellable'),
      created_by: ctx.userId,
      created_by_name: ctx.userName,
    })
    .returning('id')
    .executeTakeFirstOrThrow();
  await ctx.db
    .insertInto('returns.removal_line')
    .values(
      lines.map(({ sku, sellable, unsellable }, index) => ({
        company_id: ctx.companyId,
        removal_id: id,
        line_no: index + 1,
        seller_sku: sku,
        sellable,
        unsellable,
      })),
    )
    .execute();
  await send(ctx, { ...place, id, number });
  await audit(ctx, { action: '新建移除', resource: REMOVAL, resourceId: id, after: { number, type, remark, lines } });
  return { id, number };
}

/** Addresses in use of the store of a site, its default first. */
export async function addressesOf(ctx: Ctx, site: string) {
  const account = await accountOf(ctx.db, ctx.companyId, siteOf(site).accountId);
  const known = (await shipFromAddresses(ctx)).filter(({ storeId }) => storeId === account?.storeId);
  const all: { id: string; name: string; isDefault: boolean }[] = [];
  for (const { id, name, isDefault } of known) {
    all.push({ id, name: `${name} · ${(await shipFromWords(ctx, id))?.address ?? ''}`, isDefault });
  }
  return all;
}
