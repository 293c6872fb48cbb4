import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { supplierScorecard } from '#modules/supplier/contract.ts';
import { createWorld, type World } from '#test/support/world.ts';
import { inspectGoods, listReceipts, receiptLines } from '../contract/receipt.ts';
import { type Buyers, createBuyers, placedOrder, receive } from './support.ts';

let world: World;
let buyers: Buyers;
const SKUS = ['A', 'B', 'C', 'D', 'E', 'F'];

beforeAll(async () => {
  world = await createWorld();
  buyers = await createBuyers(world, SKUS);
});
afterAll(() => world.close());

/** Moves what happened to an order into the past: placed and promised so many days ago. */
function backdate(id: string, placed: number, promised: number) {
  return world.as(buyers.owner, async (ctx) => {
    await sql`
      UPDATE purchase.purchase_order SET placed_at = kit.now() - make_interval(days => ${placed})
       WHERE company_id = ${ctx.companyId} AND id = ${id}`.execute(ctx.db);
    await sql`
      UPDATE purchase.order_line
         SET promised_on = (kit.now() AT TIME ZONE 'Asia/Shanghai')::date - make_interval(days => ${promised})
       WHERE company_id = ${ctx.companyId} AND order_id = ${id}`.execute(ctx.db);
  });
}

it('what came in time, what was bad, and what it cost become the score of the supplier', async () => {
  // Five lines promised for today, one of them late; 4 of 100 pieces are bad.
  for (const sku of SKUS.slice(0, 4)) {
    const { id } = await placedOrder(buyers, [{ sku, qty: 25, unitPrice: '10' }]);
    await backdate(id, 10, 0);
    await receive(buyers, id, sku, 25, sku === 'A');
  }
  const { records } = await buyers.owner.call(listReceipts, { body: { filter: { state: 'inspecting' } } });
  const receipt = records[0]?.id ?? '';
  const [line] = await buyers.owner.call(receiptLines, { params: { id: receipt } });
  await buyers.keeper.call(inspectGoods, {
    body: { id: receipt, lines: [{ lineId: line?.id ?? '', passed: 23, rejected: 2, reason: '划伤' }] },
  });
  const late = await placedOrder(buyers, [{ sku: 'E', qty: 25, unitPrice: '10' }]);
  await backdate(late.id, 20, 5);
  const ahead = await placedOrder(buyers, [{ sku: 'F', qty: 25, unitPrice: '10' }]);
  await backdate(ahead.id, 1, 0);
  // Somebody bought A again, three percent dearer.
  const dear = await placedOrder(buyers, [{ sku: 'A', qty: 100, unitPrice: '10.3' }]);
  await backdate(dear.id, 0, 0);
  await receive(buyers, dear.id, 'A', 100);

  const card = await buyers.owner.call(supplierScorecard, { body: { id: buyers.supplier } });
  expect(card.lines).toBe(6);
  // E is late, A of the first order came with 92 % good.
  expect(card.delivery.points).toBe('66.67');
  // 2 of 200 pieces: one percent of five is 20 points less.
  expect(card.quality.points).toBe('80.00');
  expect(card.price.points).toBe('70.00');
  // 100 pieces after 10 days, 100 at once.
  expect(card.leadDays).toBe('5.0');
  expect(card.total).not.toBeNull();
});
