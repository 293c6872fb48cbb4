import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { luck } from '#test/support/depth.ts';
import { balances, stocked } from '#test/support/house.ts';
import { createWorld, type Person, type World } from '#test/support/world.ts';
import { putSelfWay, selfSteps } from '../../contract/self/calls.ts';
import { buildSelf, countWaiting, listWaiting } from '../../contract/self/waiting.ts';
import { pickSelf, selfPickRows } from '../../contract/self/work.ts';
import { clientId, createSelfShipper, heldAndWanted, ordered, type SelfShipper } from './support.ts';

const PACKERS = 20;
const ORDERS = 30;
const CODES = ['view', 'add', 'audit', 'pick', 'ship'].map((action) => `amz:fbm:${action}`);

let world: World;
let shipper: SelfShipper;
let packers: Person[];
/** Pieces that buyers wait for. */
let wanted = 0;

beforeAll(async () => {
  world = await createWorld();
  shipper = await createSelfShipper(world, ['A', 'B'], {
    'A-US': [['A', 1]],
    'SET-US': [
      ['A', 1],
      ['B', 2],
    ],
  });
  await stocked(world, shipper, 'A', 100, '2');
  await stocked(world, shipper, 'B', 100, '1');
  for (let n = 0; n < ORDERS; n += 1) {
    const qty = 1 + (n % 3);
    wanted += qty;
    await ordered(world, shipper, [[n % 2 ? 'SET-US' : 'A-US', qty]]);
  }
  packers = [];
  for (let n = 0; n < PACKERS; n += 1) {
    packers.push(await world.member(shipper.owner, ['amz:order:view', 'erp:inv:view', ...CODES]));
  }
});
afterAll(() => world.close());

/** Takes an order from the list to the door; whoever meets somebody else on the way is told so and leaves it to him. */
async function pack(packer: Person, order: string, serial: string): Promise<boolean> {
  const built = await packer.send(buildSelf, { body: { warehouseId: shipper.main, groups: [{ orders: [order] }] } });
  const id = built.data?.ids?.[0];
  if (built.code !== 201 || !id) return false;
  await packer.call(selfSteps.approve, { body: { id } });
  const rows = await packer.call(selfPickRows, { params: { id } });
  const lines = rows.map(({ lineId, want }) => ({ lineId, qty: want }));
  // A bad connection sends it twice.
  const body = { id, clientId: clientId(), lines };
  await Promise.all([packer.call(pickSelf, { body }), packer.call(pickSelf, { body })]);
  await packer.call(putSelfWay, { body: { id, carrier: 'UPS', trackingNo: `1Z-${serial}` } });
  const left = await Promise.all([1, 2].map(() => packer.call(selfSteps.ship, { body: { id } })));
  expect(left.filter(({ repeated }) => !repeated)).toHaveLength(1);
  return true;
}

it('twenty packers at one list send each order once, and lose none', async () => {
  const next = luck('packers');
  const seeds = packers.map(() => next());
  const packed = await Promise.all(
    packers.map(async (packer, who) => {
      let count = 0;
      for (;;) {
        const { records } = await packer.call(listWaiting, { body: { pagesize: 100 } });
        if (records.length === 0) return count;
        // Half of them take the most urgent one, as all of them should; the others any.
        const at = who % 2 ? 0 : Math.floor((seeds[who] ?? 0) * records.length);
        if (await pack(packer, records[at]?.id ?? '', `${who}-${count}`)) count += 1;
      }
    }),
  );
  expect(packed.reduce((sum, one) => sum + one, 0)).toBe(ORDERS);
  expect(await packers[0]?.call(countWaiting, {})).toMatchObject({ orders: 0 });
  const { rows } = await world.as(shipper.owner, (ctx) =>
    sql<{ orders: number; parcels: number; documents: number; pieces: number }>`
      SELECT (SELECT count(DISTINCT amazon_order_id)::int FROM "order".shipment WHERE company_id = ${ctx.companyId}) AS orders,
             (SELECT count(*)::int FROM "order".shipment WHERE company_id = ${ctx.companyId}) AS parcels,
             (SELECT count(*)::int FROM shipping.self_doc WHERE company_id = ${ctx.companyId} AND posting_id IS NOT NULL) AS documents,
             (SELECT sum(qty)::int FROM shipping.self_line WHERE company_id = ${ctx.companyId}) AS pieces`.execute(
      ctx.db,
    ),
  );
  expect(rows[0]).toEqual({ orders: ORDERS, parcels: ORDERS, documents: ORDERS, pieces: wanted });
  expect((await balances(world, shipper, 'A')).AVAILABLE).toBe(100 - wanted);
  expect(await heldAndWanted(world, shipper)).toEqual([]);
});
