import type { Reply } from '#kit/contract/endpoint.ts';
import type { Ctx } from '#kit/server/context.ts';
import { countryOf } from '#modules/marketplace/contract/marketplaces.ts';
import { storeNames } from '#modules/marketplace/server/index.ts';
import { localProducts } from '#modules/product/server/index.ts';
import { locationCodes, mayMove, warehouses } from '#modules/warehouse/server/index.ts';
import type { ShipState } from '../../contract/order.ts';
import type { WaveStop, waveSheet } from '../../contract/wave.ts';
import { holdingsOfAll } from '../order/events.ts';
import { loaded } from '../order/load.ts';
import type { Reserved } from './deal.ts';
import { waveOrders } from './load.ts';

const sum = (held: readonly Reserved[], key: 'held' | 'picked') => held.reduce((total, one) => total + one[key], 0);

/** What each order holds of these reservations, in the order in which orders are served. */
function sharesOf(held: readonly Reserved[], queue: readonly string[]): WaveStop['shares'] {
  const byOrder = Map.groupBy(held, (one) => one.document);
  return queue.flatMap((orderId) => {
    const mine = byOrder.get(orderId);
    return mine ? [{ orderId, want: sum(mine, 'held'), picked: sum(mine, 'picked') }] : [];
  });
}

async function stopsOf(ctx: Ctx, held: readonly Reserved[], queue: readonly string[]): Promise<WaveStop[]> {
  const places = await locationCodes(
    ctx,
    held.map((one) => one.location),
  );
  const products = await localProducts(
    ctx,
    held.map((one) => one.product),
  );
  // A map keeps the order of its first keys: the way of the picker.
  const stops = Map.groupBy(held, (one) => `${one.location} ${one.product}`);
  return [...stops.values()].flatMap((mine): WaveStop[] => {
    const [first] = mine;
    if (!first) return [];
    return [
      {
        locationId: first.location,
        productId: first.product,
        place: places.get(first.location) ?? '暂存',
        product: products.get(first.product)?.cell ?? { name: '—', code: '—' },
        want: sum(mine, 'held'),
        picked: sum(mine, 'picked'),
        shares: sharesOf(mine, queue),
      },
    ];
  });
}

/** All that is to be taken for several orders of one warehouse, as one walks. @throws notFound, refused B1316 */
export async function sheetOfWave(ctx: Ctx, ids: readonly string[]): Promise<Reply<typeof waveSheet>> {
  const orders = await waveOrders(ctx, ids, loaded);
  const queue = orders.flatMap(({ id, state }) => (state === 'picking' ? [id] : []));
  const held = await holdingsOfAll(
    ctx,
    orders.map(({ id }) => id),
  );
  const stores = await storeNames(ctx);
  const [first] = orders;
  const place = first?.warehouse ?? '';
  return {
    warehouse: (await warehouses(ctx)).get(place)?.name ?? '—',
    mine: mayMove(ctx, place),
    orders: orders.map((order) => {
      const mine = held.filter(({ document }) => document === order.id);
      return {
        id: order.id,
        number: order.number,
        state: order.state as ShipState,
        goal: `${stores.get(order.account) ?? '—'}-${countryOf(order.marketplaceId)}`,
        plannedOn: order.plannedOn,
        want: sum(mine, 'held'),
        picked: sum(mine, 'picked'),
      };
    }),
    stops: await stopsOf(
      ctx,
      held.filter(({ document }) => queue.includes(document)),
      queue,
    ),
  };
}
