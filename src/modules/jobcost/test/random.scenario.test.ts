import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { Decimal, sum } from '#kit/contract/decimal.ts';
import { shipSteps } from '#modules/shipping/contract/order-calls.ts';
import { runHealthNow } from '#modules/warehouse/contract/inventory.ts';
import { depth, luck } from '#test/support/depth.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { setBatchCost } from '../contract/batch.ts';
import { listBatches } from '../contract/batches.ts';
import { Component } from '../contract/fields.ts';
import { createSender, dataOf, issued, plain, received, type Sender, sent } from './support.ts';

let world: World;
let house: Sender;

beforeAll(async () => {
  world = await createWorld();
  house = await createSender(world, ['A']);
});
afterAll(() => world.close());

const COMPONENT: Record<string, Component> = { 采购成本: 'purchase', 头程成本: 'firstLeg', 其他成本: 'other' };

/** What the layers of the ledger hold altogether, CNY. */
const held = () =>
  world.as(house.owner, async (ctx) => {
    const { rows } = await sql<{ amount: string }>`
      SELECT coalesce(sum(amount_remaining), 0)::text AS amount FROM warehouse.cost_layer
       WHERE company_id = ${ctx.companyId}`.execute(ctx.db);
    return rows[0]?.amount ?? '0';
  });

async function holds(): Promise<void> {
  const { records } = await house.owner.call(listBatches, { body: { pagesize: 100, filter: {} } });
  const text = (all: readonly (string | null | undefined)[]) => plain(sum(all.map((one) => one ?? '0')));
  for (const row of records) {
    const { issues, layers, changes } = await dataOf(house, row.id);
    expect(text(issues.map((one) => one.amount)), 'issued').toBe(plain(row.issuedCost));
    expect(text(layers.map((one) => one.amount)), 'left').toBe(plain(row.leftCost));
    expect(text([row.issuedCost, row.leftCost, row.variance])).toBe(plain(row.cost));
    expect(layers.reduce((all, one) => all + one.qtyLeft, 0) + issues.reduce((all, one) => all + one.qty, 0)).toBe(
      row.shipped,
    );
    for (const component of Component.options) {
      const late = changes.filter((one) => COMPONENT[one.component] === component).map((one) => one.variance);
      const parts = [...issues, ...layers].map((one) => one[component]);
      expect(text([...parts, ...late]), component).toBe(plain(row[component]));
    }
  }
  expect(text(records.map((row) => row.leftCost))).toBe(plain(await held()));
}

it('whatever is received, sold, lost and corrected, issues and rests are what came in, part by part', async () => {
  const next = luck('jobcost');
  const draw = (end: number) => Math.floor(next() * end);
  const orders: string[] = [];
  for (let n = 0; n < 3; n += 1) orders.push(await sent(world, house, 'A', 7 + draw(20), `${1 + draw(900)}.37`));
  let done = 0;
  const tried = async (work: () => Promise<unknown>) => {
    try {
      await work();
      done += 1;
    } catch (error) {
      // Too many pieces, a document that is over, a cost that is so already: refused in words, never broken.
      expect(String(error)).not.toMatch(/: 500 /);
      expect(String(error)).toMatch(/[一-龥]/);
    }
  };
  for (let round = 0; round < depth(24, 160); round += 1) {
    const order = orders[draw(orders.length)] ?? '';
    const way = draw(8);
    if (way < 3) await tried(() => received(house, order, 1 + draw(28)));
    else if (way < 5) await tried(() => issued(world, house, 'A', 1 + draw(6), draw(3) === 0 ? 'LOST' : 'CUSTOMER'));
    else if (way < 7) {
      const { records } = await house.owner.call(listBatches, { body: { pagesize: 100, filter: {} } });
      const row = records[draw(records.length)];
      const component = Component.options[draw(3)] ?? 'firstLeg';
      const value = new Decimal(draw(5_000_000)).div(10_000).toFixed();
      await tried(() =>
        house.owner.call(setBatchCost, {
          body: {
            id: row?.id ?? '',
            component,
            value,
            before: row?.[component] ?? '0',
            reason: '随机',
            clientId: randomUUID(),
          },
        }),
      );
    } else if (draw(4) === 0) {
      await tried(() => house.owner.call(shipSteps.close, { body: { id: order, reason: '平台已关闭' } }));
    }
    if (round % 4 === 3) await holds();
  }
  await holds();
  expect(done).toBeGreaterThan(8);
  expect((await house.owner.call(runHealthNow, { body: {} })).broken).toBe(0);
});
