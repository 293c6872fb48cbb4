import type { SimAccount } from '../business/types.ts';
import type { Told } from './notices.ts';
import { accountKey, type World } from './world.ts';

/** Changes of how the marketplace stands to an account in [from, to). Of all notifications this one names no seller. */
export function standingEvents(world: World, account: SimAccount, from: number, to: number): Told[] {
  return world
    .standings(accountKey(account))
    .map(({ at, standing }, index, all) => ({ at, standing, before: all[index - 1]?.standing ?? 'NORMAL', index }))
    .filter(({ at, standing, before }) => at >= from && at < to && standing !== before)
    .map(({ at, standing, before, index }) => ({
      key: `${index}|${at}`,
      at,
      payload: {
        accountStatusChangeNotification: { previousAccountStatus: before, currentAccountStatus: standing },
      },
    }));
}

/** Parcels that left Amazon's warehouses in [from, to). */
export function outboundEvents(world: World, account: SimAccount, from: number, to: number): Told[] {
  const query = { marketplaceIds: account.marketplaceIds, by: 'updated' as const, from, to };
  return world.business.orders(account, query, world.now()).flatMap((order) => {
    const { shippedAt, fulfilment, orderId } = order;
    if (fulfilment !== 'AFN' || shippedAt === undefined || shippedAt < from || shippedAt >= to) return [];
    return [
      {
        key: orderId,
        at: shippedAt,
        payload: {
          FBAOutboundShipmentStatusNotification: {
            SellerId: account.sellingPartnerId,
            AmazonOrderId: orderId,
            AmazonShipmentId: `D${orderId.replaceAll('-', '')}`,
            ShipmentStatus: 'Created',
          },
        },
      },
    ];
  });
}
