import { sql } from 'kysely';
import { US } from '#test/support/seller.ts';
import {
  choosePlacement,
  chooseWays,
  type InboundView,
  inboundView,
  putTracking,
  retryInbound,
  setPreps,
} from '../contract/inbound.ts';
import { putShipBoxes, saveShipOrder, shipOrderDetail, shipSteps } from '../contract/order-calls.ts';
import { turnInbound } from '../server/inbound/run.ts';
import type { Sender } from './stream-support.ts';

export const detail = ({ house }: Sender, id: string) => house.owner.call(shipOrderDetail, { params: { id } });

export async function viewOf({ house }: Sender, id: string): Promise<InboundView> {
  const view = await house.owner.call(inboundView, { params: { id } });
  if (!view) throw new Error('the order does not go through the inbound API');
  return view;
}

/** One turn, as if its time had come. */
export async function turn({ world, house }: Sender, id: string): Promise<string> {
  await world.as(house.owner, (ctx) =>
    sql`UPDATE shipping.inbound SET next_at = kit.now() WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(
      ctx.db,
    ),
  );
  await turnInbound(world.runtime, house.owner.companyId, id);
  return world.as(house.owner, async (ctx) => {
    const { rows } = await sql<{ state: string }>`
      SELECT state FROM shipping.inbound WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(ctx.db);
    return rows[0]?.state ?? '';
  });
}

/** Turns until the way waits for people, is over or in trouble; fails where it does not within so many. */
export async function turns(sender: Sender, id: string, most = 80): Promise<InboundView> {
  for (let count = 0; count < most; count += 1) {
    if ((await turn(sender, id)) !== 'working') return viewOf(sender, id);
  }
  const { attempt, steps } = await viewOf(sender, id);
  const asked = steps
    .filter(({ tries }) => tries > 0)
    .map(({ key, tries, operationState }) => [key, tries, operationState]);
  throw new Error(`still working on plan ${attempt}: ${JSON.stringify(asked)}`);
}

/** An order of so many pieces of each SKU, handed in and agreed to. */
export async function agreed(sender: Sender, quantities: readonly number[], more: object = {}): Promise<string> {
  const { house, accountId, skus } = sender;
  const { id } = await house.owner.call(saveShipOrder, {
    body: {
      authid: accountId,
      marketplaceId: US,
      warehouseId: house.main,
      stockMode: 'NORMAL',
      lines: quantities.map((qty, index) => ({ msku: skus[index] ?? '', qty })),
      ...more,
    },
  });
  await house.owner.call(shipSteps.submit, { body: { id } });
  await house.owner.call(shipSteps.approve, { body: { id } });
  return id;
}

/** Says of every SKU that nobody classified that it needs no preparation. */
export async function prepared(sender: Sender, id: string): Promise<InboundView> {
  const view = await turns(sender, id);
  if (view.unprepared.length === 0) return view;
  await sender.house.owner.call(setPreps, {
    body: { id, preps: view.unprepared.map((msku) => ({ msku, category: 'NONE' as const })) },
  });
  return turns(sender, id);
}

const SIZE = { length: '50', width: '40', height: '30', weight: '12' };

/** Picked in full and packed: each SKU into boxes of at most `most` pieces. */
export async function packed(sender: Sender, id: string, most = 10): Promise<void> {
  const { owner } = sender.house;
  await owner.call(shipSteps.picked, { body: { id } });
  const { lines } = await detail(sender, id);
  const boxes = lines.flatMap((line) =>
    Array.from({ length: Math.ceil(line.pickedQty / most) }, (_, index) => ({
      ...SIZE,
      items: [{ lineId: line.id, qty: Math.min(most, line.pickedQty - index * most) }],
    })),
  );
  await owner.call(putShipBoxes, { body: { id, boxes } });
  await owner.call(shipSteps.packed, { body: { id } });
}

/** Chooses the placement with so many shipments. */
export async function placed(sender: Sender, id: string, count = 1): Promise<InboundView> {
  const { placement } = await turns(sender, id);
  const offer = placement.find(({ shipments }) => shipments.length === count);
  if (!offer) throw new Error(`no placement with ${count} shipments`);
  await sender.house.owner.call(choosePlacement, {
    body: { id, optionId: offer.optionId, fee: offer.fee?.amount ?? '0' },
  });
  return turns(sender, id);
}

/** Parcels of a carrier of the seller's own for every shipment, with its first free window. */
const waysOf = (view: InboundView) =>
  view.shipments.map(({ shipmentId }) => ({
    shipmentId,
    optionId:
      view.transport.find(
        (one) => one.shipmentId === shipmentId && one.needsWindow && one.mode === 'GROUND_SMALL_PARCEL',
      )?.optionId ?? '',
    windowId:
      view.windows.find((one) => one.shipmentId === shipmentId && one.availability === 'AVAILABLE')?.optionId ?? null,
  }));

/** A number for every box. */
const numbersOf = ({ shipments }: InboundView) =>
  shipments.flatMap(({ boxes }) => boxes.map(({ no }) => ({ no, trackingNo: `1Z${no}` })));

/** Chooses parcels of a carrier of the seller's own, each shipment's first free window. */
export async function carried(sender: Sender, id: string): Promise<InboundView> {
  const ways = waysOf(await viewOf(sender, id));
  await sender.house.owner.call(chooseWays, { body: { id, ways } });
  return turns(sender, id);
}

/** Leaves the warehouse, each box with a number of its own. */
export async function gone(sender: Sender, id: string): Promise<InboundView> {
  const { owner } = sender.house;
  await owner.call(shipSteps.ship, { body: { id } });
  await owner.call(putTracking, { body: { id, parcels: numbersOf(await viewOf(sender, id)) } });
  return turns(sender, id);
}

/**
 * What people do where the way waits for them, if it does: as above, step by step. Answers how the way stands. For stories in
 * which somebody else takes the turns.
 */
export async function settle(sender: Sender, id: string): Promise<InboundView['state']> {
  const { owner } = sender.house;
  const view = await viewOf(sender, id);
  const { state, stage, order } = view;
  if (state === 'trouble') await owner.call(retryInbound, { body: { id } });
  if (state !== 'waiting') return state;
  if (stage === 'tellPrep') {
    const preps = view.unprepared.map((msku) => ({ msku, category: 'NONE' as const }));
    await owner.call(setPreps, { body: { id, preps } });
  } else if (order.state === 'picking') await packed(sender, id);
  else if (stage === 'takePlacement') {
    const offer = view.placement.find(({ shipments }) => shipments.length === 2);
    await owner.call(choosePlacement, {
      body: { id, optionId: offer?.optionId ?? '', fee: offer?.fee?.amount ?? '0' },
    });
  } else if (stage === 'takeWindow') await owner.call(chooseWays, { body: { id, ways: waysOf(view) } });
  else if (stage === 'tellTracking') {
    if (order.state === 'ready') await owner.call(shipSteps.ship, { body: { id } });
    await owner.call(putTracking, { body: { id, parcels: numbersOf(view) } });
  }
  return state;
}
