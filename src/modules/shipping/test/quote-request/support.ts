import { sql } from 'kysely';
import { productOf, stocked } from '#test/support/house.ts';
import { publishRates } from '#test/support/rates.ts';
import type { Person, World } from '#test/support/world.ts';
import { putShipBoxes, shipSteps } from '../../contract/order-calls.ts';
import { answerQuote, askQuotes, quoteRequestDetail } from '../../contract/quote-request/calls.ts';
import { saveCarrier } from '../../contract/transport/calls.ts';
import { createForwarded, type Forwarded } from '../freight/support.ts';
import { approved, detail } from '../support.ts';

/** A shipper with three forwarders, and people who ask and who choose. */
export interface Asker extends Forwarded {
  buyer: Person;
  boss: Person;
  /** 远航, with a channel and a card; 海龙 and 飞翼 with nothing. */
  carriers: { yuan: string; hai: string; fei: string };
}

const QUOTE = [
  'erp:quote:view',
  'erp:quote:add',
  'erp:quote:import',
  'erp:quote:export',
  'amz:ship:view',
  'erp:inv:view',
];

export async function createAsker(world: World): Promise<Asker> {
  const house = await createForwarded(world);
  await publishRates(world);
  const carrier = async (name: string, code: string) =>
    (await house.owner.call(saveCarrier, { body: { name, code, channels: [] } as never })).id;
  // 20 pieces of A in a case of 12.5 kg.
  await world.as(house.owner, (ctx) =>
    sql`INSERT INTO product.dimension (company_id, product_id, role, length, width, height, weight, units_per_carton)
      VALUES (${ctx.companyId}, ${productOf(house, 'A')}, 'carton', 50, 40, 30, 12.5, 20)`.execute(ctx.db),
  );
  return {
    ...house,
    buyer: await world.member(house.owner, QUOTE),
    boss: await world.member(house.owner, [...QUOTE, 'erp:quote:audit', 'erp:freight:view']),
    carriers: { yuan: house.carrier, hai: await carrier('海龙', 'HL'), fei: await carrier('飞翼', 'FY') },
  };
}

/** An order that was agreed to, of pieces of A that are in stock. */
export async function planned(world: World, house: Asker, qty: number, sku = 'A'): Promise<string> {
  await stocked(world, house, sku, qty, '2');
  return approved(house, [[`${sku}-US`, qty]]);
}

const SIZE = { length: '60', width: '40', height: '40', weight: '15.2' };

/** Packs all of an order into boxes of so many pieces and makes it ready to leave. */
export async function packed(house: Asker, id: string, boxes: readonly number[], sku = 'A'): Promise<void> {
  await house.packer.call(shipSteps.picked, { body: { id } });
  const lineId = (await detail(house, id)).lines.find((line) => line.msku === `${sku}-US`)?.id ?? '';
  await house.packer.call(putShipBoxes, {
    body: { id, boxes: boxes.map((qty) => ({ ...SIZE, items: [{ lineId, qty }] })) },
  });
  await house.packer.call(shipSteps.packed, { body: { id } });
}

/** Asks all three forwarders for orders, until a day; answers the id of the request. */
export async function asked(world: World, house: Asker, orderIds: string[], more: object = {}): Promise<string> {
  const { id } = await house.buyer.call(askQuotes, {
    body: { orderIds, carrierIds: Object.values(house.carriers), until: world.clock.today(), ...more } as never,
  });
  return id;
}

export const requestOf = (house: Asker, id: string) => house.buyer.call(quoteRequestDetail, { params: { id } });

/** Writes an answer down; answers its id. */
export async function answered(
  house: Asker,
  id: string,
  carrier: keyof Asker['carriers'],
  more: object = {},
): Promise<string> {
  const carrierId = house.carriers[carrier];
  await house.buyer.call(answerQuote, { body: { id, carrierId, price: '10', quantity: '64', ...more } as never });
  const { answers } = await requestOf(house, id);
  return answers.find((one) => one.carrierId === carrierId && !one.superseded)?.id ?? '';
}
