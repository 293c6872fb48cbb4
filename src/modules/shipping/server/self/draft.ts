import type { Ctx } from '#kit/server/context.ts';
import { forbidden, refused } from '#kit/server/errors.ts';
import { accountOf } from '#modules/marketplace/server/index.ts';
import { lockOrders, whyNotShip } from '#modules/order/server/index.ts';
import { Recipient, type SelfInput } from '../../contract/self/input.ts';
import { type Goods, ownGoods, someOpen } from './goods.ts';
import { addressOf, type OrderAddress } from './orders.ts';

/** A document as it is to be written. */
export interface Draft {
  head: Record<string, string | number | null>;
  account: string | null;
  orders: readonly OrderAddress[];
  goods: readonly Goods[];
}

/** @throws refused B1401 for a store that is not the caller's */
async function requireStore(ctx: Ctx, id: string): Promise<void> {
  const account = await accountOf(ctx.db, ctx.companyId, id);
  if (!account) throw refused('店铺不存在或已取消授权', 'B1401');
  const reach = ctx.dataScope?.write.account;
  if (ctx.dataScope && reach !== null && !reach?.includes(id)) throw forbidden('data');
}

/**
 * The orders of one parcel, locked: of one store and site, to one country, state and beginning of a postal code; more of an
 * address is not kept here. @throws notFound, refused B1408 for orders that do not go together or cannot be sent
 */
export async function parcelOf(ctx: Ctx, ids: readonly string[]): Promise<OrderAddress[]> {
  for (const order of (await lockOrders(ctx, ids)).values()) {
    const why = whyNotShip(order);
    if (why) throw refused(`订单 ${order.amazon_order_id}：${why}`, 'B1408');
  }
  const orders = await addressOf(ctx, ids);
  const key = ({ account, marketplaceId, country, region, postalCode }: OrderAddress) =>
    [account, marketplaceId, country, region, postalCode].join(' ');
  if (new Set(orders.map(key)).size > 1) throw refused('合并的订单须同店铺、同站点，收件国、州和邮编前缀一致', 'B1408');
  return orders;
}

/** Orders of one parcel with what of them goes. @throws refused B1408 for none */
export function platformDraft(orders: readonly OrderAddress[], goods: readonly Goods[]): Draft {
  const [first] = orders;
  if (!first) throw refused('请选择订单', 'B1408');
  const { account, marketplaceId, country, region, postalCode } = first;
  const due = orders.flatMap((order) => (order.latestShipAt === null ? [] : [order.latestShipAt])).sort();
  return {
    head: {
      origin: 'PLATFORM',
      account_id: account,
      marketplace_id: marketplaceId,
      latest_ship_at: due[0] ?? null,
      country,
      region,
      postal_code: postalCode,
    },
    account,
    orders,
    goods,
  };
}

/** What somebody asked for. `docId`: the document that it is written for. @throws as saveDoc */
export async function draftOf(ctx: Ctx, input: SelfInput, docId: string | null): Promise<Draft> {
  if (input.origin === 'PLATFORM') {
    const ids = [...new Set(input.lines.map(({ orderId }) => orderId ?? ''))];
    const orders = await parcelOf(ctx, ids);
    const [first] = orders;
    const site = { account: first?.account ?? '', marketplaceId: first?.marketplaceId ?? '' };
    return platformDraft(orders, await someOpen(ctx, site, orders, input.lines, docId));
  }
  if (input.authid !== null) await requireStore(ctx, input.authid);
  const { postalCode, ...to } = input.to ?? Recipient.parse({});
  if (to.recipient === '' || to.street === '') throw refused('请填写收件人和地址', 'B1409');
  return {
    head: {
      origin: 'OFFLINE',
      account_id: input.authid,
      marketplace_id: null,
      latest_ship_at: null,
      ...to,
      postal_code: postalCode,
    },
    account: input.authid,
    orders: [],
    goods: await ownGoods(ctx, input.lines),
  };
}
